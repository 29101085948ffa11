// expect: unsafe
// options: --property bounds
// Whatever the function returns, the index is too large.
extern char *name(void);
int main(void) {
    int a[2] = {0, 0}, n = name() ? 5 : 6;
    return a[n]; //~ violated
}
