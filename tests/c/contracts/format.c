// expect: safe
extern void say(int, const char *, ...) __attribute__((format(printf, 2, 3)));
int main(void) {
    say(1, "%d %s", 1, "x");
    return 0;
}
