// expect: safe
// options: --property assert
// By CBMC's convention a function `nondet_…` only returns something.
extern void reach_error(void);
int nondet_int(void);
int g;
int main(void) {
    g = 1;
    int x = nondet_int();
    if (g != 1) reach_error();
    return x;
}
