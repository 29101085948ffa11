// expect: unsafe
// says: neither EOF nor the value of a character
int isdigit(int);
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    return isdigit(n) ? 1 : 0; //~ violated
}
