// expect: unsafe
// options: --property null
static int a;
__attribute__((returns_nonnull)) static int *get(int n) {
    return n ? &a : 0; //~ violated
}
int main(int argc, char **argv) { return get(argc > 1) != &a; }
