// A byte order mark is no part of the program.
// expect: safe
int main(void) { return 0; }
