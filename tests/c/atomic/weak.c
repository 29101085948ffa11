// expect: unsafe
void reach_error(void);
int main(void) {
    int a = 1, expected = 1;
    if (!__atomic_compare_exchange_n(&a, &expected, 2, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        reach_error(); //~ violated
    return 0;
}
