// expect: safe
// options: --property assert
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 4 && argv[argc]) reach_error();
    return 0;
}
