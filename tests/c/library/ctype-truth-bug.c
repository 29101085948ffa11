// expect: unsafe
// options: --property assert
int isalpha(int);
void __VERIFIER_assert(int);
int main(void) {
    __VERIFIER_assert(isalpha('b') == 1); //~ violated
    return 0;
}
