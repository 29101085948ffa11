// expect: safe
extern void reach_error(void);
int order;
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(200))) void second(void) { order = order * 10 + 2; }
void first(void) __attribute__((constructor(101)));
void first(void) { order = order * 10 + 1; }
int main(void) {
    if (order != 123) reach_error();
    return 0;
}
