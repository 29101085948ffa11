// expect: rejected
// Attributes in one list have commas between them, whether we know the attribute or not.
int a __attribute__((aligned(8) unused)); //~ c0001
int b __attribute__((frobnicate(3)case)); //~ c0001
[[maybe_unused nodiscard]] int c; //~ c0001
int main(void) { return a + b + c; }
