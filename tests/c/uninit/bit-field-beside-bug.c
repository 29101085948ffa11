// expect: unsafe
// options: --property uninit
// models: lp64 ilp32
/* Another bit-field of the same byte has a value. */
struct flags {
    unsigned mode : 3;
    unsigned level : 5;
};

int main(void)
{
    struct flags it;
    it.mode = 1;
    return it.level > 5; //~ violated
}
