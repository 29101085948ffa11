// expect: safe
extern void use(const char *, int *) __attribute__((nonnull(2)));
int main(void) {
    int x = 0;
    use(0, &x);
    return 0;
}
