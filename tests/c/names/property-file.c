// expect: unsafe
// options: --property property-file.prp
// The function the property file names is the one, and execution begins where it says.
extern void reach_error(void);
void boom(void) {}
int main(void) {
    reach_error();
    return 0;
}
void start(void) {
    boom(); //~ violated
}
