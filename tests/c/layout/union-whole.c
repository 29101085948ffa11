// expect: safe
extern void reach_error(void);
union u { int i; char c; short s[4]; };
struct s { int a; union u u; int b; };
int main(void) {
    union u x = { .s = { 1 } }, y = { .c = 7 }, z = {};
    struct s s = { 1, { .s = { 0 } }, 3 };
    if (x.s[0] != 1 || x.s[3] != 0 || y.c != 7 || z.s[3] != 0) reach_error();
    if (s.a != 1 || s.u.s[3] != 0 || s.b != 3) reach_error();
    return 0;
}
