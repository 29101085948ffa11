// expect: unsafe
// options: --property assert
// Bytes beside the member that is given a value are unspecified (C11 6.2.6.1).
extern void reach_error(void);
union u { int i; char c; };
int main(void) {
    union u x = { .c = 1 };
    if (x.i != 1) reach_error(); //~ violated
    return 0;
}
