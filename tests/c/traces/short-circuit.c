// expect: unsafe
// options: --property assert
// says: low(x) is true
// says: high(x) is true
void reach_error(void);
int nondet(void);

static int low(int x) { return x > 10; }
static int high(int x) { return x < 13; }

int main(void)
{
    int x = nondet();
    if (low(x) && high(x))
        reach_error(); //~ violated
    return 0;
}
