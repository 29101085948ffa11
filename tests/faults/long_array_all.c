/* Every element of a long array is looked at. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int a[20000];

int main(void) {
    for (int i = 0; i < 20000; i++) a[i] = 1;
    for (int i = 0; i < 20000; i++) if (a[i] != 0) reach_error();
    return 0;
}
