// expect: safe
// options: --property assert
// It was not handed over yet.
extern void reach_error(void);
extern void tick(void);
extern void each(void (*act)(void));
static int n;
static void act(void) { n++; }
int main(int argc, char **argv) {
    tick();
    if (n) reach_error();
    return 0;
}
void never(void) { each(act); }
