// expect: unsafe
// options: --property uninit
// models: lp64 ilp32
// In the second round the first value is jumped past.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1) goto add;
        int z = 5;
    add:
        sum += z; //~ violated
    }
    return sum;
}
