// expect: unsafe
const char names[2][3] = { "ab", "cd" };
int main(void) {
    char *p = (char *)names[1];
    *p = 'x'; //~ violated
    return 0;
}
