// expect: safe
extern void reach_error(void);
extern int nowhere(void) __attribute__((weak));
int there(void) __attribute__((weak));
int there(void) { return 2; }
static int ref(void) __attribute__((weakref("nowhere2")));
#pragma weak pragmatic
int pragmatic(void);
int main(void) {
    if (nowhere) reach_error();
    if (pragmatic || ref) reach_error();
    if (!there || there() != 2) reach_error();
    return 0;
}
