// expect: safe
// options: --property assert
// says: `frobnicate`
int x __attribute__((frobnicate(3)));
int main(void) { return x; }
