/* Where a pointer in a table leads. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int x, y;
static int *table[2] = {&y, &y};

int main(void) {
    int n = __VERIFIER_nondet_int();
    table[n & 1] = &x;
    *table[n & 1] = 1;
    if (x == 1) reach_error();
    return 0;
}
