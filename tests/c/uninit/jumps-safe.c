// expect: safe
// options: --property uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0, k = 0;
again:;
    int z = k;
    if (z < 3) {
        k++;
        goto again;
    }
    switch (__VERIFIER_nondet_int()) {
        int q;
    case 1:
        q = 5;
    case 2:
        q = 6;
        sum += q;
        break;
    default: {
        int r = 4;
        sum += r;
    }
    }
    return sum + z;
}
