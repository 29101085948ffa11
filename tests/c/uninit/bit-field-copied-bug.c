// expect: unsafe
// options: --property uninit
struct flags {
    int kind;
    struct {
        unsigned mode : 3, level : 5;
    } part;
};

int main(void)
{
    struct flags a, b;
    a.part.mode = 1;
    b = a;
    b.kind = 2;
    if (b.part.mode != 1)
        return 1;
    return b.part.level > 5; //~ violated
}
