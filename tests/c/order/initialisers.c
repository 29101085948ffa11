// expect: safe
// options: --property assert
// says: is evaluated from left to right
// The values of a list are evaluated in any order; we take one, and say so.
void reach_error(void);
static int n;
static int next(void) { return n++; }
int main(void) {
    int pair[2] = { next(), next() };
    if (pair[0] + pair[1] != 1)
        reach_error();
    return 0;
}
