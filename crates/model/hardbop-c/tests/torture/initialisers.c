/* Designators, missing braces, strings, addresses, what is left out. */
int printf(const char *, ...);
struct S8 { int a, b; };
struct N { int a; struct { int b[3]; struct S8 s; } in[2]; union { int u; char c[4]; }; char t[5]; };
static struct N n1 = { 1, { { { 2, 3 }, { 4 } }, [1].b[2] = 7, 8, 9 }, .u = 0x01020304, .t = "ab" };
static int arr[] = { [5] = 1, 2, [1] = 3, 4, [0 ... 0] = 9 };
static int mm[][3] = { 1, 2, 3, { 4 }, 5, 6 };
static const char *strs[] = { "x", "yz" "w", [3] = "q" };
static int *ptrs[] = { &arr[2], arr + 4, &n1.in[1].b[2] };
static void inits(void) {
  struct N l = { .in[1] = { .s.b = 5 }, .a = 3, .t = { 'h', 'i' } }, c = l; struct N *q = &(struct N){ 4, { { { 1 } } } };
  int *p = (int *)&n1; unsigned h = 0; for (unsigned i = 0; i < sizeof n1 / 4; i++) h = h * 31 + p[i]; printf("%u %d\n", h, (int)sizeof n1);
  h = 0; p = (int *)&c; for (unsigned i = 0; i < sizeof c / 4 - 1; i++) h = h * 31 + p[i]; printf("%u %d\n", h, c.t[1]);
  for (unsigned i = 0; i < sizeof arr / sizeof *arr; i++) printf("%d ", arr[i]); printf("%d\n", (int)sizeof mm);
  for (int i = 0; i < (int)(sizeof mm / sizeof *mm); i++) printf("%d%d%d ", mm[i][0], mm[i][1], mm[i][2]); printf("%s %s %d %s\n", strs[0], strs[1], strs[2] == 0, strs[3]);
  printf("%d %d %d %d\n", *ptrs[0], *ptrs[1], *ptrs[2], q->in[0].b[0]); char s3[3] = "abc", s9[9] = "ab"; printf("%d %d\n", s3[2], s9[8]);
  int k = 2; int v[] = { k++, k++, k }; printf("%d\n", v[0] + v[1] * 10 + v[2] * 100);
}
union U { unsigned u; unsigned char b[4]; struct { unsigned lo : 16, hi : 16; } h; short s[2]; };
static void unions(void) { union U u = { 0x80ff1234 }; printf("%x %x %x %d\n", u.b[0], u.h.hi, u.h.lo, u.s[1]); u.b[2] = 7; printf("%x\n", u.u); union { double d; unsigned long long n; } x = { 1.5 }; printf("%llx\n", x.n); x.n ^= 1ULL << 63; printf("%d\n", x.d < 0); }

struct flex { int n; short tail[]; };
static struct flex flex = {3, {1, 2, 3}};
static struct { char c; int (*f)(void); const char *s; } table[2] = {[1] = {'x', 0, "text" + 1}};
static int deep[2][2][2] = {{{1}, {2}}, {{3, 4}}};
int main(void) {
  inits();
  unions();
  printf("%d %s %d\n", flex.tail[2], table[1].s, table[0].c);
  printf("%d %d %d\n", deep[0][1][0], deep[1][0][1], deep[1][1][1]);
  static int again;
  for (int i = 0; i < 3; i++) {
    int a[3] = {i}, b = a[1]++ + a[0];
    again += b + a[1];
  }
  printf("%d\n", again);
  unsigned short wide[] = u"h\u00e9";
  printf("%d %d\n", wide[1], (int)sizeof wide);
  return 0;
}
