// expect: safe
// options: --property assert
extern void reach_error(void);
extern void tick(void);
static int s;
const int c = 5;
int main(void) {
    s = 1;
    tick();
    if (s != 1 || c != 5) reach_error();
    return 0;
}
