// expect: safe
// says: changes nothing
extern int peek(int *) __attribute__((pure));
extern void reach_error(void);
int main(void) {
    int x = 0;
    peek(&x);
    if (x) reach_error();
    return 0;
}
