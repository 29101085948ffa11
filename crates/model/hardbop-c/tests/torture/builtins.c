/* Arithmetic of the compiler, choices at compile time, what is not evaluated. */
int printf(const char *, ...);
int main(void) {
  int five = 5, r;
  printf("%d %d %d %d\n", __builtin_clz(1000), __builtin_ctz(1000), __builtin_popcount(12345), __builtin_ffs(0x40));
  printf("%d %d\n", __builtin_parity(7), __builtin_clzll(1));
  printf("%x %llx\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x123456789abcdef0ULL));
  printf("%d", __builtin_add_overflow(2147483647, 1, &r));
  printf(" %d\n", r);
  printf("%d %d\n", __builtin_choose_expr(1, 5, 2.5) + 0, __builtin_types_compatible_p(int, long));
  __auto_type at = 3.5;
  printf("%d %d %d\n", (int)(at * 2), (int)sizeof(five++), five);
  printf("%d %d\n", __builtin_expect(five, 3) ? 1 : 2, _Generic((char)1, signed char: 1, char: 2, default: 3));
  printf("%d\n", _Generic("s", char *: 1, const char *: 2, default: 3));
  printf("%d\n", (int)__builtin_offsetof(struct { char c; int a[4]; }, a[2]));
  typeof(five) six = 6;
  const int seven = 7;
  typeof(seven + 0) eight = seven + 1;
  printf("%d\n", six * 10 + eight);
  return 0;
}
