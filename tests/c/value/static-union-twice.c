// A later member of a union takes the place of an earlier one, with all its bytes.
// expect: safe
// options: --property assert
// models: lp64 ilp32
void reach_error(void) {}
static union { struct { int a, b; } s; int x; } u = { .s = { 1, 2 }, .x = 3 };
int main(void) {
    if (u.x != 3 || u.s.b != 0) reach_error();
    return 0;
}
