// expect: unsafe
// options: --property bounds
int main(int argc, char **argv) {
    return argc > 1 && argv[1][0] == 'a' && argv[1][1] == 0 && argv[1][-1]; //~ violated
}
