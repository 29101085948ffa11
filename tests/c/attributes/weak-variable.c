// expect: rejected
// says: a weak variable that is defined nowhere is not supported
extern int nowhere __attribute__((weak)); //~ c0003
int main(void) { return &nowhere != 0; }
