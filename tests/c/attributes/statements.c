// expect: safe
extern void reach_error(void);
int main(void) {
    int x = 0;
    switch (x) {
    case 0:
        x = 1;
        __attribute__((fallthrough));
    case 1:
        x++;
        [[fallthrough]];
    default:
        x++;
    }
    [[maybe_unused]] int y = 2;
    goto out;
out: __attribute__((unused));
    if (x != 3 || y != 2) reach_error();
    return 0;
}
