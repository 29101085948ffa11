// expect: unsafe
// options: --property valid-memsafety
// models: lp64 ilp32
/* An array has no negative number of elements (C11 6.7.6.2). */
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 8)
        return 0;
    char text[n]; //~ violated
    return sizeof text == 3;
}
