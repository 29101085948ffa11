// expect: unsafe
// options: --property null
int main(int argc, char **argv) {
    if (argc > 7) return argv[argc][0]; //~ violated
    return 0;
}
