// expect: safe
// options: --property assert,bounds,null,dangling
// models: lp64 ilp32
// The texts are there, and each ends.
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 3) return 1;
    if (argv[1][0] && argv[1][0] == 0) reach_error();
    if (argc == 3 && argv[3]) reach_error();
    return argv[2][0] != 0 && argv[2][1] == 'x';
}
