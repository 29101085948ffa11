// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
#pragma pack(push, 1)
struct one { char c; int i; };
#pragma pack(2)
struct two { char c; int i; short s; };
#pragma pack(pop)
struct none { char c; int i; };
#pragma pack(push, here, 4)
struct four { char c; long long l; };
#pragma pack(pop, here)
_Pragma("pack(1)") struct operator { char c; short s; };
#pragma pack()
struct again { char c; int i; };
int main(void) {
    if (sizeof(struct one) != 5 || __builtin_offsetof(struct one, i) != 1) reach_error();
    if (sizeof(struct two) != 8 || __builtin_offsetof(struct two, i) != 2) reach_error();
    if (sizeof(struct none) != 8 || sizeof(struct again) != 8) reach_error();
    if (sizeof(struct four) != 12 || sizeof(struct operator) != 3) reach_error();
    return 0;
}
