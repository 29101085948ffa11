/* An access after free. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

void *malloc(unsigned long);
void free(void *);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1;
    if (n) free(p);
    return *p;
    return 0;
}
