// expect: unsafe
extern void say(const char *, ...) __attribute__((format(gnu_printf, 1, 2)));
int main(void) {
    char text[2] = {'a', 'b'};
    say("%s", text); //~ violated
    return 0;
}
