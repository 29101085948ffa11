// expect: unsafe
extern void say(const char *, ...) __attribute__((__format__(__printf__, 1, 2)));
int main(void) {
    say("%d %s", 1); //~ violated
    return 0;
}
