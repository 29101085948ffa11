// expect: unsafe
// options: --property assert
extern void reach_error(void);
extern void each(void (*act)(int *, int), int *context);
static void act(int *sum, int x) {
    *sum += x;
    if (*sum == 99) reach_error(); //~ violated
}
int main(void) {
    int sum = 0;
    each(act, &sum);
    return 0;
}
