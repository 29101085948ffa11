// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
typedef int byte __attribute__((mode(QI)));
typedef unsigned eight __attribute__((__mode__(__DI__)));
typedef int word __attribute__((mode(word)));
typedef float wide __attribute__((mode(DF)));
int main(void) {
    byte b = (byte)200;
    if (b != -56 || sizeof(eight) != 8 || sizeof(word) != sizeof(long) || sizeof(wide) != 8) reach_error();
    return 0;
}
