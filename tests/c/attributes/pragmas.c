// expect: safe
// options: --property assert
// says: `#pragma omp parallel for`
extern void reach_error(void);
#pragma GCC diagnostic push
int main(void) {
    int s = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) s += i;
    if (s != 6) reach_error();
    return 0;
}
