// expect: safe
int main(void) {
    float f = -0.5f, g = 255.9f;
    double d = -2147483648.5;
    unsigned u = (unsigned)f;
    return u != 0 || (unsigned char)g != 255 || (int)d != -2147483647 - 1;
}
