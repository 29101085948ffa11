/* A small number without sign becomes a large one. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    int i = c;
    if (i > 200) reach_error();
    return 0;
}
