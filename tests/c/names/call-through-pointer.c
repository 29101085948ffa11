// expect: unsafe
// options: --property unreach-call
void reach_error(void) {}
int main(void) {
    void (*f)(void) = reach_error; //~ violated
    f();
    return 0;
}
