// expect: safe
// options: --property assert
// What was not handed over cannot come back.
extern void reach_error(void);
extern int *get(void);
int main(void) {
    int x = 1;
    int *p = get();
    int *q = &x;
    *q = 2;
    if (x != 2) reach_error();
    return p != 0;
}
