/* A product of large factors. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x == 256 && (y & 0xff) == 0 && x * y == 0x10000) reach_error();
    return 0;
}
