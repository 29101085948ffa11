/* Bits of a byte of a word. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned char byte = ((unsigned char *)&x)[2];
    if ((byte >> 4) == 3 && (x & 0xffff) == 0) reach_error();
    return 0;
}
