//! The library against the system's: the same calls print the same on the interpreter and compiled, and
//! calls that break a rule are reported.
//!
//! `HARDBOP_LIBRARY_CALLS=10000` makes as many calls of each function instead of 100.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use hardbop_base::rng::Rng;
use hardbop_c::{Options, SystemLoader, load};
use hardbop_cir::Class;
use hardbop_cir::interp::{Config, Ending, run};

/// What is declared before the calls: the arguments of call `i`, and how results are shown. Strings have
/// up to 9 bytes, buffers 40; of a comparison the sign is shown.
const BEFORE: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
static char buf[40];
static int sign(int x) { return (x > 0) - (x < 0); }
static void mem(const char *name) {
    printf("%s ", name);
    for (int i = 0; i < 40; i++) printf("%02x", (unsigned char)buf[i]);
    printf(" %d\n", errno);
    errno = 0;
}
static void real(const char *name, double x) {
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) printf("%s nan\n", name); else printf("%s %llx\n", name, bits);
}
static void start(void) { memset(buf, '#', sizeof buf); buf[39] = 0; }
static int order(const void *a, const void *b) {
    return *(const signed char *)a - *(const signed char *)b;
}
"#;

/// One call of each function, or a few; `a`, `b` are strings, `num` is one that looks like a number, `c` a
/// character, `n` a size up to 12, `w` any int, `x`, `y` are doubles.
const CALLS: &[&str] = &[
    // <ctype.h>
    r#"printf("isalpha %d\n", !isalpha(c))"#,
    r#"printf("isdigit %d\n", !isdigit(c))"#,
    r#"printf("isalnum %d\n", !isalnum(c))"#,
    r#"printf("isupper %d\n", !isupper(c))"#,
    r#"printf("islower %d\n", !islower(c))"#,
    r#"printf("isspace %d\n", !isspace(c))"#,
    r#"printf("isblank %d\n", !isblank(c))"#,
    r#"printf("isprint %d\n", !isprint(c))"#,
    r#"printf("isgraph %d\n", !isgraph(c))"#,
    r#"printf("iscntrl %d\n", !iscntrl(c))"#,
    r#"printf("ispunct %d\n", !ispunct(c))"#,
    r#"printf("isxdigit %d\n", !isxdigit(c))"#,
    r#"printf("toupper %d\n", toupper(c))"#,
    r#"printf("tolower %d\n", tolower(c))"#,
    // <string.h>, <strings.h>
    r#"printf("strlen %zu\n", strlen(a))"#,
    r#"printf("strnlen %zu\n", strnlen(a, n))"#,
    r#"printf("strcmp %d\n", sign(strcmp(a, b)))"#,
    r#"printf("strncmp %d\n", sign(strncmp(a, b, n)))"#,
    r#"printf("strcasecmp %d\n", sign(strcasecmp(a, b)))"#,
    r#"printf("strncasecmp %d\n", sign(strncasecmp(a, b, n)))"#,
    r#"printf("strcoll %d\n", sign(strcoll(a, b)))"#,
    r#"printf("memcmp %d\n", sign(memcmp(a, b, n < strlen(a) && n < strlen(b) ? n : 0)))"#,
    r#"{ char *p = strchr(a, c); printf("strchr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = strrchr(a, c); printf("strrchr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = strchrnul(a, c); printf("strchrnul %td\n", p - a); }"#,
    r#"{ char *p = strstr(a, b); printf("strstr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = strcasestr(a, b); printf("strcasestr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = strpbrk(a, b); printf("strpbrk %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = memchr(a, c, strlen(a)); printf("memchr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = memrchr(a, c, strlen(a)); printf("memrchr %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = memmem(a, strlen(a), b, strlen(b)); printf("memmem %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = index(a, c), *q = rindex(a, c); printf("index %d %d\n", !p, !q); }"#,
    r#"printf("strspn %zu\n", strspn(a, b))"#,
    r#"printf("strcspn %zu\n", strcspn(a, b))"#,
    r#"{ start(); strcpy(buf, a); mem("strcpy"); }"#,
    r#"{ start(); printf("stpcpy %td ", stpcpy(buf, a) - buf); mem(""); }"#,
    r#"{ start(); strncpy(buf, a, n); mem("strncpy"); }"#,
    r#"{ start(); printf("stpncpy %td ", stpncpy(buf, a, n) - buf); mem(""); }"#,
    r#"{ start(); strcpy(buf, a); strcat(buf, b); mem("strcat"); }"#,
    r#"{ start(); strcpy(buf, a); strncat(buf, b, n); mem("strncat"); }"#,
    r#"{ start(); printf("strxfrm %d ", (int)strxfrm(buf, a, n)); if (strlen(a) < n) mem(""); else puts(""); }"#,
    r#"{ start(); printf("memccpy %d ", memccpy(buf, a, c, strlen(a)) != 0); mem(""); }"#,
    r#"{ start(); printf("mempcpy %td ", (char *)mempcpy(buf, a, strlen(a)) - buf); mem(""); }"#,
    r#"{ start(); memmove(buf + 1, buf, n); memset(buf + 3, c, n); mem("memmove"); }"#,
    r#"{ start(); bcopy(a, buf, strlen(a)); bzero(buf + 20, n); mem("bcopy"); }"#,
    r#"{ start(); strcpy(buf, a); char *s, *t; for (t = strtok_r(buf, b, &s); t; t = strtok_r(0, b, &s)) printf("%s|", t); mem("strtok_r"); }"#,
    r#"{ start(); strcpy(buf, a); char *t; for (t = strtok(buf, b); t; t = strtok(0, b)) printf("%s|", t); mem("strtok"); }"#,
    r#"{ start(); strcpy(buf, a); char *s = buf, *t; while ((t = strsep(&s, b))) printf("%s|", t); mem("strsep"); }"#,
    r#"{ char *d = strdup(a), *e = strndup(a, n); printf("strdup %s %s\n", d, e); free(d); free(e); }"#,
    r#"printf("ffs %d %d %d\n", ffs(w), ffsl((long)w << 20), ffsll(w))"#,
    // <stdlib.h>
    r#"{ char *e; long v = strtol(num, &e, base); printf("strtol %ld %td %d\n", v, e - num, errno); errno = 0; }"#,
    r#"{ char *e; long long v = strtoll(num, &e, base); printf("strtoll %lld %td %d\n", v, e - num, errno); errno = 0; }"#,
    r#"{ char *e; unsigned long v = strtoul(num, &e, base); printf("strtoul %lu %td %d\n", v, e - num, errno); errno = 0; }"#,
    r#"{ char *e; unsigned long long v = strtoull(num, &e, base); printf("strtoull %llu %td %d\n", v, e - num, errno); errno = 0; }"#,
    r#"{ char *e; intmax_t v = strtoimax(num, &e, base); printf("strtoimax %jd %td %d\n", v, e - num, errno); errno = 0; }"#,
    r#"printf("atoi %d %ld %lld\n", atoi(num), atol(num), atoll(num)); errno = 0"#,
    r#"{ char *e; real("strtod", strtod(dec, &e)); printf("%td\n", e - dec); }"#,
    r#"real("atof", atof(dec))"#,
    r#"if (w != INT_MIN) printf("abs %d %ld %lld\n", abs(w), labs(w), llabs(w))"#,
    r#"if (n && w != INT_MIN) { div_t d = div(w, (int)n); ldiv_t e = ldiv(w, -(long)n); lldiv_t f = lldiv(w, 3); printf("div %d %d %ld %ld %lld\n", d.quot, d.rem, e.quot, e.rem, f.rem); }"#,
    r#"{ start(); strcpy(buf, a); qsort(buf, strlen(buf), 1, order); mem("qsort"); }"#,
    r#"{ start(); strcpy(buf, a); qsort(buf, strlen(buf), 1, order); char k = c; printf("bsearch %d\n", bsearch(&k, buf, strlen(buf), 1, order) != 0); }"#,
    r#"{ size_t m = strlen(a); char k = c, *p = lfind(&k, a, &m, 1, order); printf("lfind %td\n", p ? p - a : -1); }"#,
    r#"{ char *p = malloc(8); strcpy(p, "abc"); p = realloc(p, 4 + n); printf("realloc %s\n", p); free(p); }"#,
    r#"{ char *p = calloc(n, 2); printf("calloc %d\n", n ? p[n] : 0); free(p); }"#,
    // <stdio.h>
    r#"{ start(); int r = snprintf(buf, n, "%d|%5u|%-4x|%s", w, (unsigned)w, w, a); printf("snprintf %d ", r); mem(""); }"#,
    r#"{ start(); int r = snprintf(buf, 40, "%+d % d %05d %.3d %c", w, w, w, w, c); printf("snprintf %d ", r); mem(""); }"#,
    r#"{ start(); int r = snprintf(buf, 40, "%#x %#o %X %hhd %hd", w, w, w, w, w); printf("snprintf %d ", r); mem(""); }"#,
    r#"{ start(); int r = snprintf(buf, 40, "%ld %lu %lld %zu", (long)w << 21, (unsigned long)w, (long long)w * w, n); printf("snprintf %d ", r); mem(""); }"#,
    r#"{ start(); int r = sprintf(buf, "%-*s|%.*s|%%", (int)n, a, (int)n, b); printf("sprintf %d ", r); mem(""); }"#,
    r#"if (fabs(x) < 1e17) { start(); int r = snprintf(buf, 40, "%f %.2f", x, x); printf("snprintf %d ", r); mem(""); }"#,
    r#"{ int u = 7, v = 8; int r = sscanf(num, "%d%d", &u, &v); printf("sscanf %d %d %d\n", r, u, v); }"#,
    r#"{ int u = 7; char k = '?'; int r = sscanf(small, "%x%c", &u, &k); printf("sscanf %d %d %d\n", r, u, k); }"#,
    r#"{ start(); int r = sscanf(a, " %3s", buf); printf("sscanf %d ", r); mem(""); }"#,
    r#"{ start(); int r = sscanf(a, "%5[^b, ]", buf); printf("sscanf %d ", r); mem(""); }"#,
    r#"{ int u = 0, k = 0; int r = sscanf(small, "%i,%n", &u, &k); printf("sscanf %d %d\n", r, u); }"#,
    r#"{ fputs(a, stdout); putc('!', stdout); fputc(10, stdout); fwrite(b, 1, strlen(b), stdout); puts(""); }"#,
    // <math.h>
    r#"real("fabs", fabs(x)); real("copysign", copysign(x, y))"#,
    r#"real("floor", floor(x)); real("ceil", ceil(x)); real("trunc", trunc(x))"#,
    r#"real("round", round(x)); real("rint", rint(x)); real("nearbyint", nearbyint(x))"#,
    // C says nothing of NaNs that signal: a product is none.
    r#"real("fmax", x == y ? 0 : fmax(x * 1.0, y * 1.0)); real("fmin", x == y ? 0 : fmin(x * 1.0, y * 1.0))"#,
    r#"real("fdim", fdim(x, y))"#,
    r#"real("sqrt", sqrt(x)); real("sqrtf", sqrtf((float)x))"#,
    r#"real("fmod", fmod(x, y))"#,
    // glibc 2.36 gives a remainder of 0 the wrong sign if the operands are far apart; IEEE 754 says that of x.
    r#"real("remainder", remainder(x, y) + 0.0)"#,
    r#"{ int k = 0; real("frexp", frexp(x, &k)); if (isfinite(x)) printf("%d\n", k); }"#,
    r#"real("ldexp", ldexp(x, w % 1100)); real("scalbn", scalbn(x, (int)n))"#,
    r#"{ double k; real("modf", modf(x, &k)); real("modf", k); }"#,
    r#"if (fabs(x) < 1e18) printf("lround %ld %lld %ld\n", lround(x), llround(x), lrint(x))"#,
    r#"printf("kind %d %d %d %d %d\n", isnan(x), !isinf(x), !!isfinite(x), !!signbit(x), fpclassify(x))"#,
    r#"real("nextafter", nextafter(x, y)); real("logb", logb(x)); printf("%d\n", ilogb(x))"#,
    // <wchar.h>
    r#"{ wchar_t s[12], t[12]; size_t k = mbstowcs(s, small, 12); printf("wchar %zu %zu %d\n", k, wcslen(s), wcscmp(wcscpy(t, s), s)); }"#,
];

/// The argument arrays, each with one element for each call.
fn arguments(rng: &mut Rng, n: usize) -> String {
    let mut text = format!("enum {{ N = {n} }};\n");
    let mut list = |kind: &str, name: &str, item: &mut dyn FnMut(&mut Rng) -> String| {
        let items: Vec<String> = (0..n).map(|_| item(rng)).collect();
        let _ = writeln!(text, "static {kind}{name}_[N] = {{{}}};", items.join(",\n"));
    };
    list("const char *const ", "a", &mut |rng| string(rng, "abAB, ", 9));
    list("const char *const ", "b", &mut |rng| string(rng, "abB, ", 3));
    list("const char *const ", "small", &mut |rng| string(rng, "0x1f,-a ", 6));
    list("const char *const ", "num", &mut number);
    list("const char *const ", "dec", &mut decimal);
    list("const int ", "c", &mut |rng| match rng.chance(80) {
        true => rng.below(256).to_string(),
        false => (b'a' as usize + rng.below(2)).to_string(),
    });
    list("const size_t ", "n", &mut |rng| rng.below(13).to_string());
    list("const int ", "base", &mut |rng| {
        (*rng.pick(&[0, 10, 10, 16, 8, 2, 36]).unwrap()).to_string()
    });
    list("const int ", "w", &mut |rng| {
        let value = rng.next_u64() as i32 >> rng.below(31);
        format!("(int){value}u").replace("(int)-", "-(int)")
    });
    for name in ["x", "y"] {
        list("const unsigned long long ", name, &mut |rng| format!("{:#x}ULL", real(rng)));
    }
    text
}

fn string(rng: &mut Rng, alphabet: &str, most: usize) -> String {
    let bytes = alphabet.as_bytes();
    let n = rng.below(most + 1);
    let text: String = (0..n).map(|_| char::from(bytes[rng.below(bytes.len())])).collect();
    format!("{text:?}")
}

fn number(rng: &mut Rng) -> String {
    let digits = rng.next_u64() >> rng.below(63);
    let form = match rng.below(6) {
        0 => format!("{digits:#x}"),
        1 => format!("{digits}{digits}"),
        2 => format!("{digits:o}z"),
        _ => digits.to_string(),
    };
    let before = rng.pick(&["", "", " ", "-", "+", " \t-", "x", "- "]).unwrap();
    format!("{before:?}\"{form}\"{:?}", rng.pick(&["", " 5", "k", "0x"]).unwrap())
}

/// Of few digits: more are not modelled.
fn decimal(rng: &mut Rng) -> String {
    let (whole, behind) = (rng.below(100_000), rng.below(1000));
    let form = match rng.below(5) {
        0 => format!("{whole}"),
        1 => format!(".{behind}"),
        2 => format!("{whole}.{behind}e{}", rng.below(8)),
        3 => format!("{whole}.{behind}E-{}x", rng.below(8)),
        _ => format!("{whole}.{behind}"),
    };
    let before = rng.pick(&["", "", " ", "-", "+", "e", "-.", "inf", "-nan"]).unwrap();
    format!("{before:?}\"{form}\"")
}

/// The bits of a double: special ones, small whole numbers and halves, any.
fn real(rng: &mut Rng) -> u64 {
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX, 2.5];
    match rng.below(4) {
        0 => rng.pick(&special).unwrap().to_bits(),
        1 => ((rng.below(2001) as f64 - 1000.0) / 4.0).to_bits(),
        2 => ((rng.next_u64() as i64) as f64 / 1e12).to_bits(),
        _ => rng.next_u64(),
    }
}

fn program(rng: &mut Rng, n: usize) -> String {
    let mut text = BEFORE.to_string() + &arguments(rng, n);
    text += "int main(void) {\n";
    for call in CALLS {
        let _ = writeln!(
            text,
            "for (int i = 0; i < N; i++) {{ const char *a = a_[i], *b = b_[i], *num = num_[i], *dec = dec_[i], \
             *small = small_[i]; int c = c_[i], base = base_[i], w = w_[i]; size_t n = n_[i]; double x, y; \
             memcpy(&x, &x_[i], 8); memcpy(&y, &y_[i], 8); (void)a, (void)b, (void)num, (void)dec, (void)small, \
             (void)c, (void)base, (void)w, (void)n;\n{call};\n}}"
        );
    }
    text + "return 0; }\n"
}

#[test]
fn calls_do_what_the_system_s_library_does() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success()) {
        return eprintln!("SKIPPED: there is no C compiler `cc` to compare with");
    }
    let n = std::env::var("HARDBOP_LIBRARY_CALLS").ok().and_then(|it| it.parse().ok());
    let text = program(&mut Rng::new(1), n.unwrap_or(100));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("library.c"), folder.join("library.out"));
    std::fs::write(&source, &text).unwrap();
    let made = Command::new("cc")
        .args(["-w", "-O0", "-std=gnu11", "-fno-builtin"])
        .arg(&source)
        .args(["-lm", "-o"])
        .arg(&binary)
        .status()
        .unwrap();
    assert!(made.success());
    let expected = Command::new(&binary).output().unwrap().stdout;
    let options = Options { classes: Vec::new(), ..Options::default() };
    let loaded = load(&[source.as_path()], &SystemLoader::default(), &options)
        .unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let result = run(&loaded.program, &Config::default());
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes).lines().map(str::to_string).collect()
    };
    let (ours, theirs) = (lines(&result.output), lines(&expected));
    let differ: Vec<_> = ours.iter().zip(&theirs).filter(|it| it.0 != it.1).take(20).collect();
    assert!(differ.is_empty(), "ours, theirs: {differ:#?}");
    assert_eq!(result.ending, Ending::Exit(0), "after {:?}", ours.last());
    assert_eq!(ours.len(), theirs.len());
}

/// Each breaks a rule, of this class.
const VIOLATIONS: &[(&str, Class)] = &[
    ("isalpha(300);", Class::Library),
    ("tolower(-200);", Class::Library),
    ("char s[2] = {1, 1}; strlen(s);", Class::Bounds),
    ("strlen(0);", Class::Null),
    ("char d[2]; strcpy(d, \"ab\");", Class::Bounds),
    ("char d[8] = \"abc\"; strcpy(d + 1, d);", Class::Library),
    ("char d[8] = \"abc\"; strncpy(d + 1, d, 3);", Class::Library),
    ("char d[4] = \"ab\"; strcat(d, \"cd\");", Class::Bounds),
    ("char d[4] = \"ab\"; strncat(d, \"cdef\", 2);", Class::Bounds),
    ("char d[2]; strncpy(d, \"a\", 3);", Class::Bounds),
    ("char d[2] = {1, 2}; memcmp(d, \"\\1\\2\\3\", 3);", Class::Bounds),
    ("char d[2] = {1, 2}; memchr(d, 3, 3);", Class::Bounds),
    ("char d[2] = {1, 2}; strchr(d, 3);", Class::Bounds),
    ("char d[2] = {'a', 'b'}; strstr(d, \"c\");", Class::Bounds),
    ("strstr(\"abc\", 0);", Class::Null),
    ("strcmp(\"a\", 0);", Class::Null),
    ("strspn(\"a\", 0);", Class::Null),
    ("strtok(\"a,b\", \",\");", Class::Bounds),
    ("strtok(0, \",\");", Class::Null),
    ("char *s; strtok_r(\"\", \",\", 0);", Class::Null),
    ("char s[2] = {'a', 'b'}; strdup(s);", Class::Bounds),
    ("strdup(0);", Class::Null),
    ("char *p = malloc(2); free(p); strlen(p);", Class::Dangling),
    ("char *p = malloc(2); free(p); p = realloc(p, 4);", Class::Free),
    ("int x; realloc(&x, 4);", Class::Free),
    ("char *p = malloc(4); free(p + 1);", Class::Free),
    ("char *p = getenv(\"X\"); free(p + 1);", Class::Free),
    ("atoi(0);", Class::Null),
    ("char s[2] = {'1', '2'}; atoi(s);", Class::Bounds),
    ("strtol(\"1\", 0, 1);", Class::Library),
    ("strtol(\"1\", (char **)8, 10);", Class::Null),
    ("abs(-2147483647 - 1);", Class::Overflow),
    ("div(1, 0);", Class::Div),
    ("ldiv(1, 0);", Class::Div),
    ("div(-2147483647 - 1, -1);", Class::Overflow),
    ("aligned_alloc(3, 6);", Class::Library),
    ("qsort(0, 2, 1, order);", Class::Null),
    ("bsearch(\"a\", 0, 2, 1, order);", Class::Null),
    ("char s[2]; fgets(s, 10, stdin);", Class::Bounds),
    ("char s[2]; fread(s, 1, 3, stdin);", Class::Bounds),
    ("fgetc(0);", Class::Null),
    ("FILE *f = fopen(\"x\", \"r\"); fclose(f); fgetc(f);", Class::Dangling),
    ("FILE *f = fopen(\"x\", \"r\"); fclose(f); fclose(f);", Class::Dangling),
    ("fclose(stdin); getchar();", Class::Library),
    ("fopen(\"x\", \"q\");", Class::Library),
    ("fopen(0, \"r\");", Class::Null),
    ("char d[4]; sprintf(d, \"%d\", 12345);", Class::Bounds),
    ("char d[4]; snprintf(d, 8, \"%s\", \"abcdefgh\");", Class::Bounds),
    ("char d[4]; sprintf(d, \"%s\", (char *)0);", Class::Null),
    ("printf(\"%s\", (char *)0);", Class::Null),
    ("char s[2] = {'a', 'b'}; printf(\"%s\", s);", Class::Bounds),
    ("printf(\"%d %d\", 1);", Class::Library),
    ("printf(\"%s\", 1);", Class::Library),
    ("printf(\"%d\", 1.5);", Class::Library),
    ("printf(\"%ld\", 1);", Class::Library),
    ("fprintf(0, \"x\");", Class::Null),
    ("char s[2] = {'a', 'b'}; puts(s);", Class::Bounds),
    ("char s[2] = {'a', 'b'}; fputs(s, stdout);", Class::Bounds),
    ("char s[2] = {'a', 'b'}; fwrite(s, 1, 3, stdout);", Class::Bounds),
    ("char s[2]; sscanf(\"abc\", \"%s\", s);", Class::Bounds),
    ("sscanf(\"1\", \"%d\", (int *)0);", Class::Null),
    ("char s[2]; read(0, s, 3);", Class::Bounds),
    ("char s[2] = {1, 2}; write(1, s, 3);", Class::Bounds),
    ("localtime(0);", Class::Null),
    ("int k; frexp(1.0, 0);", Class::Null),
];

#[test]
fn calls_that_break_a_rule_are_reported() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut missed = Vec::new();
    for (at, (call, class)) in VIOLATIONS.iter().enumerate() {
        let source = folder.join(format!("violation{at}.c"));
        let text = format!(
            "{BEFORE}#include <unistd.h>\nint main(void) {{\n#line 1000\n{call}\nreturn 0; }}\n"
        );
        std::fs::write(&source, text).unwrap();
        let classes =
            Class::ALL.into_iter().filter(|it| !(it.is_of_heap() || *it == Class::Uninit));
        let options = Options { classes: classes.collect(), ..Options::default() };
        let loaded = load(&[source.as_path()], &SystemLoader::default(), &options)
            .unwrap_or_else(|it| panic!("{call}: {:?}", it.diagnostics));
        let stdin = Some(b"abcdefghijklmnop\n".to_vec());
        let config = Config { stdin, classes: options.classes.clone(), ..Config::default() };
        let result = run(&loaded.program, &config);
        let fatal = match result.ending {
            Ending::Violation(check) => Some(check),
            _ => None,
        };
        let checks = result.violations.iter().copied().chain(fatal);
        let mut found = checks.map(|it| &loaded.program.checks[it]);
        let is_there = |span| loaded.sources.position(span).line == 1000;
        if !found.any(|it| it.class == *class && is_there(it.span)) {
            missed.push(format!("{call} {class}: {:?}", result.ending));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
