/* Promotions and conversions: in conditionals, compound assignments, shifts, from and to floating point. */
int printf(const char *, ...);
static void promo(void) {
  unsigned char uc = 200; signed char sc = -56; unsigned short us = 65535; short ss = -1; unsigned u = 1; long long ll = -1; unsigned long long ull = 1;
  printf("%d %d %d\n", uc == sc, (unsigned char)sc == uc, us == ss);
  printf("%d %d %d\n", -1 < (int)u, -1 < u, ll < ull); printf("%d %d\n", uc + us, ~uc);
  printf("%d\n", (1 ? uc : sc) + 0); printf("%d\n", (int)sizeof(1 ? (char)1 : (short)2)); printf("%lld\n", (long long)(1 ? -1 : 0u));
  uc += 100; printf("%d\n", uc); sc *= 3; printf("%d\n", sc); us -= 70000; printf("%d\n", us); ss = us; printf("%d\n", ss);
  uc >>= 1.0 > 0.5; printf("%d\n", uc); int i = 5; i *= 1.5; printf("%d\n", i); i -= 0.5; printf("%d\n", i); uc = 255; uc++; printf("%d\n", uc); printf("%d\n", (char)300 + (_Bool)7 + !!8);
  float f = 16777217; printf("%d\n", (int)f); f += 0.1; double d = f; printf("%d\n", d == 16777216); printf("%u\n", (unsigned)3e9); printf("%lld\n", (long long)-1.9);
  printf("%d\n", 5 / -2 * 10 + 5 % -2); printf("%d\n", -7 >> 1); printf("%u\n", -7u >> 28); printf("%d\n", (int)(0xffffffffu * 3));
  enum E { A = -1, Bb, C = 1000000 } e = C; printf("%d %d\n", e, (int)sizeof e); printf("%d\n", 'a' + '\0' + '\377');
}

static void more(void) {
  unsigned char c = 0x80;
  int shifted = c << 1, back = (signed char)c >> 1;
  printf("%d %d %d\n", shifted, back, (short)(c * 515));
  unsigned long long big = 0xfffffffffffffff0ULL;
  printf("%u %d %lld\n", (unsigned)big, (int)big, (long long)big);
  printf("%d %d\n", (int)sizeof(c + c), (int)sizeof(c, big));
  printf("%d\n", (int)((float)0.1 == 0.1));
  _Bool b = 256;
  b += 5;
  printf("%d %d %d\n", b, -b, b << 4);
  short s = 32767;
  s++;
  printf("%d", s);
  printf(" %d\n", s-- == -32768);
  printf("%d\n", (0, 1) ? c : -1);
  int zero = 0;
  printf("%d\n", zero ?: 7);
  printf("%d\n", (zero = 3) ?: 9);
  printf("%d\n", L'a' + u'b' + U'c' + 'ab' % 7);
}
int main(void) { promo(); more(); return 0; }
