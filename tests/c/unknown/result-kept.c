// expect: unsafe
// options: --property assert
// What was handed over may come back.
extern void reach_error(void);
extern void put(int *);
extern int *get(void);
int main(void) {
    int x = 0;
    put(&x);
    int *p = get();
    if (p == &x) reach_error(); //~ violated
    return 0;
}
