/* Structures by value, variable arguments, old definitions, functions that return functions. */
int printf(const char *, ...);
typedef __builtin_va_list va_list;
struct S1 { char c; }; struct S3 { char a[3]; }; struct S8 { int a, b; }; struct S12 { int a, b, c; }; struct SD { double d; int i; }; struct SL { long long l[4]; };
struct S1 r1(int x) { struct S1 s = { x }; return s; }
struct S3 r3(int x) { struct S3 s = { { x, x + 1, x + 2 } }; return s; }
struct S8 r8(int x) { return (struct S8){ x, -x }; }
struct S12 r12(struct S12 p) { int t = p.a; p.a = p.c; p.c = t; return p; }
struct SD rd(double d, int i) { struct SD s; s.d = d * i; s.i = i; return s; }
struct SL rl(long long a) { struct SL s; for (int i = 0; i < 4; i++) s.l[i] = a << i; return s; }
static int sum(int n, ...) { va_list ap; int s = 0; __builtin_va_start(ap, n); for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }
static double mix(const char *f, ...) {
  va_list ap, aq; double s = 0; __builtin_va_start(ap, f); __builtin_va_copy(aq, ap);
  for (; *f; f++) switch (*f) {
    case 'i': s += __builtin_va_arg(ap, int); break;
    case 'd': s += __builtin_va_arg(ap, double); break;
    case 'l': s += __builtin_va_arg(ap, long long); break;
    case 's': { struct S8 v = __builtin_va_arg(ap, struct S8); s += v.a * 10 + v.b; break; }
    case 'p': s += *__builtin_va_arg(ap, int *); break;
    case 'c': s += __builtin_va_arg(ap, int); break;
  }
  s += __builtin_va_arg(aq, int);
  __builtin_va_end(aq); __builtin_va_end(ap); return s; }
static int f0(), f1(int), f2(int, int); static int f0() { return 1; } static int f1(int a) { return a; } static int f2(int a, int b) { return a - b; }
static int (*pick(int i))(int, int) { int (*t[])(int, int) = { f2, f2 }; return t[i]; }
static int knr(a, c, d) int a; char c; double d; { return a + c + (int)d; }

struct big { int n; char text[40]; };
static struct big grow(struct big it, int by) { it.n += by; it.text[it.n] = 'x'; return it; }
static int depth(struct big it) { return it.n >= 5 ? it.text[5] : depth(grow(it, 1)); }
static int by_pointer(va_list *ap) { return __builtin_va_arg(*ap, int); }
static int twice(int n, ...) {
  va_list ap;
  __builtin_va_start(ap, n);
  int first = by_pointer(&ap), second = __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return first * 100 + second;
}
int main(void) {
  printf("%d %d %d %d\n", r1(5).c, r3(7).a[2], r8(9).b, r12((struct S12){1, 2, 3}).a);
  printf("%d %lld\n", (int)(rd(1.5, 4).d * 10), rl(3).l[3]);
  printf("%d %d\n", sum(3, 1, 2, 3), sum(0));
  int five = 5;
  printf("%d\n", (int)mix("idlspc", 1, 2.5, 1LL << 20, r8(3), &five, 'x'));
  printf("%d %d %d\n", f0(), pick(1)(9, 4), knr(1, 'a', 2.5));
  struct big it = {0, "abc"}, other = it;
  printf("%d %d %d\n", depth(it), it.n, grow(grow(other, 2), 2).text[2]);
  printf("%d\n", twice(2, 7, 8));
  struct S12 v = {1, 2, 3}, *p = &v;
  *p = r12(*p);
  v = r12(r12(r12(v)));
  printf("%d %d\n", v.a, (p->b ? r8(4) : r8(5)).a);
  return 0;
}
