/* Switches into loops, ranges, labels as values, jumps in and out of blocks. */
int printf(const char *, ...);
static int duff(int n) { int k = 0; switch (n % 4) { case 0: do { k += 1; case 3: k += 10; case 2: k += 100; case 1: k += 1000; } while ((n -= 4) > 0); } return k; }
static int sw(long long x) { switch (x) { case -1: return 1; case 0 ... 5: return 2; case 1LL << 40: return 3; case 'a': return 4; default: return 5; case 100 ... 1000: return 6; } }
static int sw2(int x) { int r = 0; switch (x) { int y; case 1: y = 5; r += y; break; { case 2: r = 7; } default: y = 9; r += y; } return r; }
static int gotos(int n) { int i = 0, s = 0; loop: if (i >= n) goto done; { int a[2] = { i, i * i }; s += a[i & 1]; if (s > 50) goto out; } i++; goto loop; out: s = -s; done: return s; }
static int nest(int n) { int r = 0; for (int i = 0; i < n; i++) { for (int j = 0;; j++) { if (j == i) break; if (j & 1) continue; switch (j) { case 2: continue; case 4: goto next; } r += j + 1; } next:; } return r; }
static int comp(int x) { static void *const t[] = { &&a, &&b, &&c }; int r = 0; goto *t[x % 3]; a: r += 1; b: r += 10; if (r > 100) goto c; r *= 5; if (x > 10) { x -= 10; goto *t[x % 3]; } c: return r + 1000; }
static int offs(int x) { static const int o[] = { &&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0 }; goto *(&&l0 + o[x]); l0: return 1; l1: return 2; l2: return 3; }

static int into(int n) {
  int s = 0;
  if (n > 2) goto inside;
  for (int i = 0; i < 3; i++) {
    s += 100;
  inside:
    s += 1;
    if (n-- > 0) continue;
    break;
  }
  return s;
}
static int local(int n) {
  int r = 0;
  for (int i = 0; i < n; i++) {
    __label__ out;
    if (i & 1) goto out;
    r += i;
  out:
    r++;
  }
  return r;
}
int main(void) {
  for (int i = 1; i < 10; i++) printf("%d ", duff(i));
  printf("\n%d %d %d %d %d %d %d\n", sw(-1), sw(3), sw(1LL << 40), sw(97), sw(6), sw(500), sw(1001));
  printf("%d %d %d\n", sw2(1), sw2(2), sw2(3));
  printf("%d %d %d\n", gotos(5), gotos(50), nest(8));
  for (int i = 0; i < 16; i++) printf("%d ", comp(i));
  printf("%d%d%d\n", offs(0), offs(1), offs(2));
  printf("%d %d\n", into(1), local(5));
  return 0;
}
