// expect: unsafe
// options: --property null
int main(void) {
    int *p = 0;
    return __sync_fetch_and_add(p, 1); //~ violated
}
