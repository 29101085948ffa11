/* A branch on a constant. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int on = 1;
    if (on) reach_error();
    return 0;
}
