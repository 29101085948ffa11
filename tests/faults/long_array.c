/* A long array is filled. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int a[20000];

int main(void) {
    for (int i = 0; i < 20000; i++) a[i] = i;
    if (a[7] != 0) reach_error();
    return 0;
}
