// expect: unsafe
// options: -Dcheck(c)=reach_error() --property unreach-call
// Macros of the command line count where the file has no directive.
extern void reach_error(void);
int main(void) {
    check(0); //~ violated
    return 0;
}
