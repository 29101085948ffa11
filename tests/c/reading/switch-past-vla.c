// expect: rejected
int main(void) {
    switch (1) {
        int n;
    case 0:
        n = 3;
        int a[n];
    case 1: //~ c0004
        return 0;
    }
}
