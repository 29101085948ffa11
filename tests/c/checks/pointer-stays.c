// expect: safe
// options: --property pointer
int main(void) {
    int a[4] = {0}, *end = a + 4, n = 0;
    for (int *p = a; p != end; p++) n += *p;
    return n;
}
