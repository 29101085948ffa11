// The counter does not move: the loop is left without the lock.
// expect: unsafe
// options: --property unreach-call
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int lock = 0, old, new = __VERIFIER_nondet_int();
  do {
    if (lock != 0) reach_error();
    lock = 1;
    old = new;
    if (__VERIFIER_nondet_int()) { lock = 0; }
  } while (new != old);
  if (lock == 0) reach_error(); //~ violated
  return 0;
}
