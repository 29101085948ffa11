// expect: unsafe
// options: --property dangling
// Each round has an `x` of its own: the pointer leads to that of the round before.
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1) return *p; //~ violated
        x = 4;
        p = &x;
    }
    return 0;
}
