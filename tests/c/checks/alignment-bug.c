// expect: unsafe
// options: --property align
int main(int argc, char **argv) {
    char b[16] = {0};
    int *p = (int *)(b + argc % 3); //~ violated
    return *p;
}
