// expect: unsafe
// options: --property assert
extern void reach_error(void);
extern int scan(const char *format, ...);
int main(void) {
    int x = 0, y = 0;
    scan("%d %d", &x, &y);
    if (x == 3 && y == 4) reach_error(); //~ violated
    return 0;
}
