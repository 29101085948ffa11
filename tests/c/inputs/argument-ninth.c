// expect: safe
// options: --property assert,null,bounds
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 9 && argv[8] == 0) reach_error();
    if (argv[argc]) reach_error();
    return argc > 9 && argv[8][0] && argv[8][1] == 'x';
}
