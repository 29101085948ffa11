// expect: rejected
struct s {
    int a;
    char a; //~ c0009
};
int main(void) { return 0; }
