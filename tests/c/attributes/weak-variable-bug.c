// expect: unsafe
// options: --property null
extern int nowhere __attribute__((weak));
int main(void) {
    return nowhere; //~ violated
}
