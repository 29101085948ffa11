/* Bit-fields: values of assignments, promotions, steps, initialisers, units of every width. */
int printf(const char *, ...);
struct B { unsigned a : 3; int b : 5; unsigned c : 9; signed char d : 4; unsigned long long e : 40; _Bool f : 1; };
static void bits(void) {
  struct B b = { 9, 17, 600, 9, 0x123456789abULL, 2 };
  printf("%d %d %d %d %llx %d\n", b.a, b.b, b.c, b.d, (unsigned long long)b.e, b.f);
  int v = (b.a = 12); printf("%d %d\n", v, b.a);
  v = b.b += 20; printf("%d\n", v); v = b.a++; printf("%d %d\n", v, b.a); v = --b.b; printf("%d\n", v);
  b.c <<= 4; b.e >>= 3; b.f = 0.5; printf("%d %llx %d\n", b.c, (unsigned long long)b.e, b.f);
  printf("%d %d\n", b.a - 8 < 0, (int)sizeof(struct B));
  printf("%d\n", (b.a | -1) < 0);
}

struct W { long long a : 33; unsigned b : 31; unsigned short c : 16, d : 1; int : 0; int e : 32; };
static struct W w = {-1, 0x7fffffff, 65535, 3, -5};
struct shared { unsigned a : 25; unsigned short b; unsigned c : 6; signed d : 12; };
static struct shared shared = {320, 65535, 5, -35};
int main(void) {
  printf("%d %d %d %d\n", shared.a, shared.b, shared.c, shared.d);
  bits();
  printf("%d %d %d %d %d\n", w.a < 0, w.b == 0x7fffffff, w.c, w.d, w.e);
  w.c++;
  w.d ^= 1;
  w.e -= 10;
  struct W v = w, *p = &v;
  p->b = p->c = 70000;
  printf("%d %d %d %d\n", (int)v.b, v.c, v.d, v.e);
  printf("%d\n", (v.d - 1 < 0) + ((v.c & 3) << 2));
  return 0;
}
