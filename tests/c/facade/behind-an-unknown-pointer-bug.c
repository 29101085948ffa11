// expect: unsafe
// options: --property assert,bounds,null --all
// Where nothing is known of a pointer its check cannot be proved; what stands behind it must not be taken for safe.
int nondet(void);
int a[4] = { 1, 2, 3 };
int main(void)
{
    int x = nondet() & 3, y = 2, *p = &x, i = 1;
    while (i < 4) {
        y--;
        i++;
        int j = 0;
        while (j < (x & 3)) {
            p = &x;
            j++;
        }
    }
    int q = *p;
    return a[y & 7] + q; //~ violated
}
