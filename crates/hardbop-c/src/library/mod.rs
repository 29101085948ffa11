//! The C library in C: the functions programs use, lowered like the program itself.
//!
//! Only what a program uses is taken. A function the program defines itself is left out.

use rustc_hash::FxHashSet;

use crate::syntax::Unit;
use crate::syntax::ast::External;

mod math;

/// Its name, the names it calls, its text.
type Function = (&'static str, &'static [&'static str], &'static str);

const FUNCTIONS: &[Function] = &[
    (
        "strlen",
        &[],
        "unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }",
    ),
    (
        "strcpy",
        &[],
        "char *strcpy(char *d, const char *s) { unsigned long i = 0; while (s[i]) { d[i] = s[i]; i++; } d[i] = 0; return d; }",
    ),
    (
        "strncpy",
        &[],
        "char *strncpy(char *d, const char *s, unsigned long n) { unsigned long i = 0; while (i < n && s[i]) { d[i] = s[i]; i++; } while (i < n) { d[i] = 0; i++; } return d; }",
    ),
    (
        "strcat",
        &[],
        "char *strcat(char *d, const char *s) { unsigned long n = 0, i = 0; while (d[n]) n++; while (s[i]) { d[n + i] = s[i]; i++; } d[n + i] = 0; return d; }",
    ),
    (
        "strncat",
        &[],
        "char *strncat(char *d, const char *s, unsigned long m) { unsigned long n = 0, i = 0; while (d[n]) n++; while (i < m && s[i]) { d[n + i] = s[i]; i++; } d[n + i] = 0; return d; }",
    ),
    (
        "strcmp",
        &[],
        "int strcmp(const char *a, const char *b) { unsigned long i = 0; while (a[i] && a[i] == b[i]) i++; return (int)(unsigned char)a[i] - (int)(unsigned char)b[i]; }",
    ),
    (
        "strncmp",
        &[],
        "int strncmp(const char *a, const char *b, unsigned long n) { unsigned long i = 0; while (i < n && a[i] && a[i] == b[i]) i++; if (i == n) return 0; return (int)(unsigned char)a[i] - (int)(unsigned char)b[i]; }",
    ),
    (
        "strchr",
        &[],
        "char *strchr(const char *s, int c) { while (*s != (char)c) { if (!*s) return 0; s++; } return (char *)s; }",
    ),
    (
        "strrchr",
        &[],
        "char *strrchr(const char *s, int c) { char *r = 0; for (;; s++) { if (*s == (char)c) r = (char *)s; if (!*s) return r; } }",
    ),
    (
        "strstr",
        &[],
        "char *strstr(const char *a, const char *b) { unsigned long i = 0, j; for (;; i++) { j = 0; while (b[j] && a[i + j] == b[j]) j++; if (!b[j]) return (char *)a + i; if (!a[i]) return 0; } }",
    ),
    (
        "memcmp",
        &[],
        "int memcmp(const void *a, const void *b, unsigned long n) { const unsigned char *x = a, *y = b; unsigned long i = 0; for (; i < n; i++) if (x[i] != y[i]) return (int)x[i] - (int)y[i]; return 0; }",
    ),
    (
        "memchr",
        &[],
        "void *memchr(const void *a, int c, unsigned long n) { const unsigned char *x = a; unsigned long i = 0; for (; i < n; i++) if (x[i] == (unsigned char)c) return (void *)(x + i); return 0; }",
    ),
    (
        "strdup",
        &["strlen", "strcpy"],
        "char *strdup(const char *s) { char *d = malloc(strlen(s) + 1); if (d) strcpy(d, s); return d; }",
    ),
    ("isdigit", &[], "int isdigit(int c) { return c >= '0' && c <= '9'; }"),
    ("isalpha", &[], "int isalpha(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; }"),
    (
        "isalnum",
        &[],
        "int isalnum(int c) { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'; }",
    ),
    ("isspace", &[], "int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }"),
    ("isupper", &[], "int isupper(int c) { return c >= 'A' && c <= 'Z'; }"),
    ("islower", &[], "int islower(int c) { return c >= 'a' && c <= 'z'; }"),
    (
        "isxdigit",
        &[],
        "int isxdigit(int c) { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'; }",
    ),
    ("isprint", &[], "int isprint(int c) { return c >= 32 && c <= 126; }"),
    ("toupper", &[], "int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }"),
    ("tolower", &[], "int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }"),
    ("abs", &[], "int abs(int x) { return x < 0 ? -x : x; }"),
    ("labs", &[], "long labs(long x) { return x < 0 ? -x : x; }"),
    ("llabs", &[], "long long llabs(long long x) { return x < 0 ? -x : x; }"),
    (
        "atoi",
        &[],
        "int atoi(const char *s) { int n = 0, neg = 0; while (*s == ' ' || *s >= 9 && *s <= 13) s++; if (*s == '-') { neg = 1; s++; } else if (*s == '+') s++; while (*s >= '0' && *s <= '9') { n = n * 10 + (*s - '0'); s++; } return neg ? -n : n; }",
    ),
    (
        "__builtin_bswap32",
        &[],
        "unsigned __builtin_bswap32(unsigned x) { return x >> 24 | x >> 8 & 0xff00 | x << 8 & 0xff0000 | x << 24; }",
    ),
    (
        "__builtin_bswap16",
        &[],
        "unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x >> 8 | x << 8); }",
    ),
    (
        "__builtin_bswap64",
        &["__builtin_bswap32"],
        "unsigned long long __builtin_bswap64(unsigned long long x) { return (unsigned long long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32)); }",
    ),
];

/// Builtins on bits, each for `int`, `long` (suffix `l`) and `long long` (`ll`): `TYPE` is the type,
/// `BITS` its width. Without a meaning for 0 in C, `clz` and `ctz` count all bits.
const BIT_FUNCTIONS: &[(&str, &str)] = &[
    (
        "__builtin_popcount",
        "(unsigned TYPE x) { int n = 0, i = 0; for (; i < BITS; i++) n += (int)(x >> i & 1); return n; }",
    ),
    (
        "__builtin_parity",
        "(unsigned TYPE x) { int n = 0, i = 0; for (; i < BITS; i++) n ^= (int)(x >> i & 1); return n; }",
    ),
    (
        "__builtin_ctz",
        "(unsigned TYPE x) { int n = 0; while (n < BITS && !(x >> n & 1)) n++; return n; }",
    ),
    (
        "__builtin_clz",
        "(unsigned TYPE x) { int n = 0; while (n < BITS && !(x >> (BITS - 1 - n) & 1)) n++; return n; }",
    ),
    (
        "__builtin_ffs",
        "(TYPE x) { int n = 0; while (n < BITS && !(x >> n & 1)) n++; return x ? n + 1 : 0; }",
    ),
    (
        "__builtin_clrsb",
        "(TYPE x) { int n = 0; while (n < BITS - 1 && (x >> (BITS - 2 - n) & 1) == (x < 0)) n++; return n; }",
    ),
];

fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().chain(math::FUNCTIONS)
}

/// Whether a function of this name is one of ours.
pub(crate) fn has(name: &str) -> bool {
    all().any(|it| it.0 == name)
}

/// The text of the functions the units use and do not define.
pub(crate) fn needed(units: &[Unit]) -> Option<String> {
    let mut defined: FxHashSet<&str> = FxHashSet::default();
    for item in units.iter().flat_map(|unit| &unit.items) {
        if let External::Func(def) = item {
            defined.extend(def.declarator.name.as_deref());
        }
    }
    let mut wanted: FxHashSet<&str> =
        units.iter().flat_map(|unit| &unit.uses).map(|name| &**name).collect();
    // `__builtin_strlen` is `strlen`.
    let stripped: Vec<&str> =
        wanted.iter().filter_map(|name| name.strip_prefix("__builtin_")).collect();
    wanted.extend(stripped);
    let mut grew = true;
    while grew {
        grew = false;
        for (name, calls, _) in all() {
            if wanted.contains(name) && !defined.contains(name) {
                calls.iter().for_each(|call| grew |= wanted.insert(call));
            }
        }
    }
    let mut chosen: Vec<String> = all()
        .filter(|(name, ..)| wanted.contains(name) && !defined.contains(name))
        .map(|(_, _, text)| text.to_string())
        .collect();
    for (name, text) in BIT_FUNCTIONS {
        for (suffix, ctype) in [("", "int"), ("l", "long"), ("ll", "long long")] {
            let name = format!("{name}{suffix}");
            if wanted.contains(&*name) && !defined.contains(&*name) {
                let text = text.replace("TYPE", ctype).replace("BITS", "(int)(8 * sizeof x)");
                chosen.push(format!("int {name}{text}"));
            }
        }
    }
    (!chosen.is_empty()).then(|| chosen.join("\n"))
}
