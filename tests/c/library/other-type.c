// expect: unsafe
// options: --property assert
// says: `log` has no body
void reach_error(void);
extern int log(const char *text);
int main(void) {
    if (log("x") == 7) reach_error(); //~ violated
    return 0;
}
