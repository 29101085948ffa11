// A declaration inside of a function names what is defined outside by another name.
// expect: unsafe
// options: --property assert
void reach_error(void) {}
int real(void) { return 12; }
int realv = 34;
int main(void) {
    extern int other(void) __asm__("real");
    if (other() != 12) reach_error();
    {
        extern int v __asm__("realv");
        v++;
        if (realv != 35) reach_error();
    }
    if (other() == 12)
        reach_error();                          //~ violated
}
