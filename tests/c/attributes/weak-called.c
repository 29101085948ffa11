// expect: unsafe
extern int nowhere(void) __attribute__((weak));
int main(void) {
    return nowhere(); //~ violated
}
