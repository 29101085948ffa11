// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// says: argument 2 is "x
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 2 && argv[2][0] == 'x') reach_error(); //~ violated
    return 0;
}
