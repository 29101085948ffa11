/* Memory differs where paths meet. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    int a[4] = {0};
    if (i > 7) a[i & 3] = 1; else a[i & 3] = 2;
    if (a[1] == 2) reach_error();
    return 0;
}
