// expect: rejected
struct pair { int first, second; };
int main(void) {
    struct pair it = { 1, 2 };
    return it.third; //~ c0005
}
