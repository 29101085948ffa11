// expect: safe
// options: --property assert,bounds --all
// says-bmc: never reached  never-reached.c:9: bounds
void reach_error(void);
int nondet(void);
int a[4], b[4];
int main(void)
{
    unsigned x = (unsigned)nondet() & 3, y = x * x & 7; if (y == 2) a[x + y - 2] = 1;
    b[x] = 1;
    if (y == 3) reach_error();
    return 0;
}
