// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
enum e { E0, E3 = 3 };
struct s {
    long a : 24;
    unsigned long b : 32;
    long long c : 40;
    unsigned long long d : 40;
    _Bool e : 1;
    enum e f : 2;
    __typeof__(1u) g : 31;
} s;
struct unnamed { char a; int : 5; char b; };
struct zero { char a; long long : 0; char b; };
int main(void) {
    s.a = -1;
    s.b = 0;
    s.c = -1;
    s.d = 0;
    s.e = 4;
    s.f = E3;
    s.g = 1;
    if (s.a != 0xffffffff || s.b - 1 != 4294967295u) reach_error();
    if (s.c >= 0 || s.d - 1 != 0xffffffffffULL) reach_error();
    if (s.e != 1 || s.f != E3 || -s.g >= 0 || (s.a = 1 << 23) >= 0) reach_error();
    s.b = 1;
    if ((s.g ? -1 : s.g) >= 0 || (s.b ? -1 : s.b) < 0) reach_error();
    if (sizeof(struct unnamed) != 3 || __builtin_offsetof(struct zero, b) != sizeof(long)) reach_error();
    return 0;
}
