// expect: safe
// options: --property assert
// says: from left to right
extern void reach_error(void);

int calls;
int fib(int n) {
  calls++;
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void) {
  if (fib(4) != 3 || calls != 9) reach_error();
}
