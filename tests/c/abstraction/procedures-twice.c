// The second unlock finds the lock released.
// expect: unsafe
// options: --property unreach-call
int __VERIFIER_nondet_int(void);
void reach_error(void);
int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); //~ violated
  locked = 0; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    int again = __VERIFIER_nondet_int();
    lock();
    if (again) { unlock(); }
    unlock();
  }
  return 0;
}
