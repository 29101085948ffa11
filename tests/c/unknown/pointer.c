// expect: unsafe
// options: --property assert
// Through its address.
extern void reach_error(void);
extern int roll(int *);
int main(void) {
    int (*f)(int *) = roll;
    int x = 0;
    int y = f(&x);
    if (x == 5 && y == 6) reach_error(); //~ violated
    return 0;
}
