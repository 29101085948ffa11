// expect: safe
// options: --property uninit
// models: lp64 ilp32
struct flags {
    unsigned mode : 4;
    unsigned level : 20;
    signed rest : 30;
};

static struct flags made(unsigned level)
{
    struct flags it;
    it.mode = 1;
    it.level = level;
    it.level++;
    it.rest = -1;
    return it;
}

int main(void)
{
    struct flags a = made(3), b[2] = {{.mode = 2}};
    b[1] = a;
    return a.mode + a.level + b[0].rest + b[1].rest + b[1].level != 10;
}
