// Procedures that share a variable: each call finds it as the one before has left it.
// expect: safe
// options: --property unreach-call
int __VERIFIER_nondet_int(void);
void reach_error(void);
int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    int again = __VERIFIER_nondet_int();
    lock();
    if (again) { unlock(); lock(); }
    unlock();
  }
  return 0;
}
