// expect: safe
extern void reach_error(void);
typedef union { int *i; char *c; } either __attribute__((transparent_union));
static int first(either e) { return *e.c; }
int main(void) {
    int n = 7;
    char c = 9;
    if (first(&n) != 7 || first(&c) != 9) reach_error();
    return 0;
}
