// expect: unsafe
// options: --property uninit
// models: lp64 ilp32
/* A bit-field whose bytes nothing was written to. */
struct flags {
    unsigned mode : 4;
    unsigned level : 20;
    unsigned char kind;
};

int main(void)
{
    struct flags it;
    it.kind = 3;
    return it.level > 5; //~ violated
}
