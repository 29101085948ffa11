/* A sum with carry. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x == 30 && y < 80 && x + y == 100) reach_error();
    if ((x & 7) == 7 && y == 1 && ((x + y) & 7) == 0) reach_error();
    return 0;
}
