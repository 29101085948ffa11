// expect: unsafe
// options: --property assert
extern void reach_error(void);

int main(void) {
  int x = 1, y = 1;
  __asm__("" : "+r"(y));
  __asm__("" : "=r"(y) : "0"(x + 1));
  if (y != 2) return 0;
  __asm__ volatile("" : "=r"(x) : : "memory");
  if (x != 1) reach_error();  //~ violated
}
