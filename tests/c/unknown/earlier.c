// expect: safe
// options: --property assert
// Before it is handed over it does not change, nor without a call.
extern void reach_error(void);
extern void keep(int *);
extern void tick(void);
int main(void) {
    int x = 0;
    tick();
    if (x) reach_error();
    keep(&x);
    x = 1;
    if (x != 1) reach_error();
    return 0;
}
