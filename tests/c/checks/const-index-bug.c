// expect: unsafe
int main(void) {
    const int table[2] = { 4, 5 };
    ((int *)table)[1] = 6; //~ violated
    return 0;
}
