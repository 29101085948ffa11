// expect: rejected
_Static_assert(sizeof(int) == 4, "holds");
_Static_assert(sizeof(int) == 5, "does not"); //~ c0012
struct s {
    int a;
    _Static_assert(sizeof(char) > 1, "nor does this"); //~ c0012
};
int main(void) {
    _Static_assert('a' == 0x61);
    return 0;
}
