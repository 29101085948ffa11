// expect: unsafe
// options: --property assert
// says: depends on: getname() returned &
// models: lp64 ilp32
extern void reach_error(void);
extern char *getname(void);
int main(void) {
    char *p = getname();
    if (p && p[0] == 'x' && p[1] == 'y') reach_error(); //~ violated
    return 0;
}
