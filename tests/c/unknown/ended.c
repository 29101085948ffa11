// expect: safe
// options: --property assert
// A variable whose life has ended is no longer there to be changed.
extern void reach_error(void);
extern void fill(int *);
int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        fill(&x);
        total += i;
    }
    if (total != 3) reach_error();
    return 0;
}
