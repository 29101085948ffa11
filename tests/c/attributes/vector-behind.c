// expect: rejected
typedef int v4 __attribute__((vector_size(16))); //~ c0003
int main(void) { return sizeof(v4); }
