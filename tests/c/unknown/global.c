// expect: unsafe
// options: --property assert
// says: depends on: tick() changed g
// A variable with external linkage is known to every file of the program.
extern void reach_error(void);
extern void tick(void);
int g;
int main(void) {
    g = 1;
    tick();
    if (g == 7) reach_error(); //~ violated
    return 0;
}
