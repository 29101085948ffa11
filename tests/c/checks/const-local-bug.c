// expect: unsafe
// models: lp64 ilp32
int main(void) {
    const int table[2] = { 4, 5 };
    int *p = (int *)table;
    p[1] = 6; //~ violated
    return 0;
}
