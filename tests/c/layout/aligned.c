// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
typedef int wide __attribute__((aligned(16)));
typedef int narrow __attribute__((aligned(1)));
struct typedefs { char c; wide w; };
struct lowered { char c; narrow n; };
struct member { char c __attribute__((aligned(8))); char d; };
struct __attribute__((aligned(32))) whole { char c; };
struct alignas_type { char c; _Alignas(double) char d; _Alignas(0) char e; };
struct mixed { char c; int i __attribute__((packed)); int j __attribute__((packed, aligned(4))); };
_Alignas(32) char buffer[3];
int main(void) {
    _Alignas(8) _Alignas(64) char local = 0;
    static char kept __attribute__((aligned(128)));
    if (sizeof(struct typedefs) != 32 || _Alignof(wide) != 16) reach_error();
    if (sizeof(struct lowered) != 5 || _Alignof(struct lowered) != 1) reach_error();
    if (sizeof(struct member) != 8 || __alignof__(((struct member *)0)->c) != 8) reach_error();
    if (sizeof(struct whole) != 32) reach_error();
    if (__builtin_offsetof(struct alignas_type, d) != _Alignof(double)) reach_error();
    if (__builtin_offsetof(struct mixed, i) != 1 || __builtin_offsetof(struct mixed, j) != 8) reach_error();
    if (__alignof__(buffer) != 32 || __alignof__(local) != 64 || __alignof__(kept) != 128) reach_error();
    if (__alignof__(long long) != 8 || _Alignof(long long) != sizeof(long)) reach_error();
    return 0;
}
