// expect: unsafe
// options: --property null
static int first(int *p) __attribute__((nonnull));
static int first(int *p) { return p ? 1 : 0; }
int main(int argc, char **argv) {
    int x = 0;
    return first(argc > 1 ? &x : 0); //~ violated
}
