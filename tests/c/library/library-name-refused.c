// expect: rejected
int main(void) {
    __hardbop_assume(0); //~ c0003
    return 0;
}
