// expect: unsafe
// options: --property assert
extern void reach_error(void);
struct ops { int id; void (*open)(void); void (*close)(int); };
extern void add_driver(struct ops *);
static int is_open;
static void opened(void) { is_open = 1; }
static void closed(int how) {
    if (!is_open && how == 5) reach_error(); //~ violated
}
static struct ops ops = {1, opened, closed};
int main(void) {
    add_driver(&ops);
    return 0;
}
