// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// Six of them begin with the same letter.
extern void reach_error(void);
int main(int argc, char **argv) {
    int n = 0;
    while (*++argv)
        if (**argv == 'q') n++;
    if (n == 6) reach_error(); //~ violated
    return 0;
}
