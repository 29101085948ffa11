// expect: rejected
int main(void) {
    __attribute__((vector_size(16))) int v; //~ c0003
    return sizeof v;
}
