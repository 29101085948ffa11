//! The C library in brief may do all that the library does: for each function what it really does is asserted not to be,
//! and the program with the library in brief may go wrong at every one of these.

use std::collections::BTreeSet;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine::Reason;
use hardbop_engine_c::{Finding, Options};

const HEAD: &str = "typedef unsigned long size_t; typedef struct __hardbop_file FILE;
extern FILE *stdin; extern int __VERIFIER_nondet_int(void);
void abort(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
void *malloc(size_t); void free(void *); int *__errno_location(void);
size_t strlen(const char *); char *strcpy(char *, const char *); char *stpcpy(char *, const char *);
char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t); int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t); char *strchr(const char *, int);
char *strrchr(const char *, int); char *strchrnul(const char *, int);
char *strstr(const char *, const char *); char *strcasestr(const char *, const char *);
size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *); char *strdup(const char *);
char *strndup(const char *, size_t); char *strtok(char *, const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
int atoi(const char *); double strtod(const char *, char **); double atof(const char *);
char *fgets(char *, int, FILE *); size_t fread(void *, size_t, size_t, FILE *);
int fgetc(FILE *); FILE *fopen(const char *, const char *); int fclose(FILE *); int feof(FILE *);
";

/// What is asserted not to be, and is: what comes before it, and the condition.
const CASES: &[(&str, &str)] = &[
    ("", "strlen(\"\") == 0"),
    ("", "strlen(s) == 4"),
    ("strcpy(t, s);", "t[0] == 'a' && t[3] == 'a' && t[4] == 0 && t[5] == 'z'"),
    ("char *e = stpcpy(t, s);", "e == t + 4 && t[2] == 'c'"),
    ("strncpy(t, s, 2);", "t[0] == 'a' && t[1] == 'b' && t[2] == 'z'"),
    ("strncpy(t, s, 7);", "t[3] == 'a' && t[4] == 0 && t[6] == 0 && t[7] == 'z'"),
    ("strncpy(t, s, 0);", "t[0] == 'z'"),
    ("t[1] = 0; strcat(t, s);", "t[0] == 'z' && t[1] == 'a' && t[4] == 'a' && t[5] == 0"),
    ("t[1] = 0; strncat(t, s, 2);", "t[0] == 'z' && t[2] == 'b' && t[3] == 0 && t[4] == 'z'"),
    ("t[1] = 0; strncat(t, s, 9);", "t[4] == 'a' && t[5] == 0"),
    ("", "strcmp(s, \"abca\") == 0"),
    ("", "strcmp(s, \"abd\") < 0"),
    ("", "strncmp(s, \"abd\", 2) == 0"),
    ("", "strncmp(s, \"abb\", 3) > 0"),
    ("", "strncmp(s, \"x\", 0) == 0"),
    ("", "strcasecmp(s, \"ABCA\") == 0"),
    ("", "strncasecmp(s, \"ABD\", 3) < 0"),
    ("", "memcmp(s, \"abd\", 3) < 0"),
    ("", "memcmp(s, \"x\", 0) == 0"),
    ("", "memchr(s, 'c', 4) == s + 2"),
    ("", "memchr(s, 'x', 4) == 0"),
    ("", "memchr(s, 'a', 0) == 0"),
    ("", "strchr(s, 'a') == s"),
    ("", "strchr(s, 0) == s + 4"),
    ("", "strchr(s, 'x') == 0"),
    ("", "strchr(\"\", 'x') == 0"),
    ("", "strrchr(s, 'a') == s + 3"),
    ("", "strrchr(s, 0) == s + 4"),
    ("", "strchrnul(s, 'c') == s + 2"),
    ("", "strchrnul(s, 'x') == s + 4"),
    ("", "strstr(s, \"ca\") == s + 2"),
    ("", "strstr(s, \"\") == s"),
    ("", "strstr(s, \"abcab\") == 0"),
    ("", "strcasestr(s, \"BC\") == s + 1"),
    ("", "strspn(s, \"ab\") == 2"),
    ("", "strspn(s, \"\") == 0"),
    ("", "strcspn(s, \"c\") == 2"),
    ("", "strcspn(s, \"x\") == 4"),
    ("", "strpbrk(s, \"xc\") == s + 2"),
    ("", "strpbrk(s, \"x\") == 0"),
    ("char *d = strdup(s);", "d[0] == 'a' && d[4] == 0"),
    ("char *d = strndup(s, 2);", "d[1] == 'b' && d[2] == 0"),
    ("char *d = strndup(s, 9);", "d[3] == 'a' && d[4] == 0"),
    ("char *w = strtok(s, \"b\"), *v = strtok(0, \"b\");", "w == s && s[1] == 0 && v == s + 2"),
    ("char *w = strtok(s, \"abc\");", "w == 0"),
    ("char *e; long n = strtol(\" -12x\", &e, 10);", "n == -12 && *e == 'x'"),
    ("char *e; long n = strtol(\"x\", &e, 10);", "n == 0 && *e == 'x'"),
    (
        "long n = strtol(\"99999999999999999999\", 0, 10);",
        "n == 9223372036854775807 && *__errno_location() == 34",
    ),
    (
        "long n = strtol(\"-99999999999999999999\", 0, 10);",
        "n < -9223372036854775807 && *__errno_location() == 34",
    ),
    ("", "strtoul(\"-1\", 0, 10) == ~0UL"),
    ("", "atoi(\"0x12\") == 0"),
    ("", "atoi(\"17\") == 17"),
    ("char *e; double x = strtod(\"2.5e\", &e);", "x == 2.5 && *e == 'e'"),
    ("", "atof(\"-0.5\") == -0.5"),
    ("char *r = fgets(t, 6, stdin);", "r == 0 && t[0] == 'z'"),
    (
        "char *r = fgets(t, 6, stdin);",
        "r == t && t[0] == 'q' && t[1] == '\\n' && t[2] == 0 && t[3] == 'z'",
    ),
    (
        "char *r = fgets(t, 4, stdin);",
        "r == t && t[0] == 0 && t[1] == 'q' && t[2] == 'r' && t[3] == 0",
    ),
    ("char *r = fgets(t, 1, stdin);", "r == t && t[0] == 0"),
    ("char *r = fgets(t, 0, stdin);", "r == 0"),
    ("fgets(t, 6, stdin);", "fgetc(stdin) == -1 && feof(stdin)"),
    ("fgets(t, 6, stdin);", "fgetc(stdin) == 255"),
    ("size_t n = fread(t, 2, 3, stdin);", "n == 0"),
    ("size_t n = fread(t, 2, 3, stdin);", "n == 3 && t[0] == 'q' && t[5] == 'r' && t[6] == 'z'"),
    ("FILE *f = fopen(s, \"r\");", "f == 0"),
    ("FILE *f = fopen(s, \"r\"); int r = f ? fclose(f) : 1;", "r == 0"),
    ("FILE *f = fopen(s, \"r\"); int r = f ? fclose(f) : 1;", "r == -1"),
    ("FILE *f = fopen(s, \"r\"); int c = f ? fgetc(f) : 0;", "c == 'q'"),
];

#[test]
fn what_functions_do_they_may_do_in_brief() {
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let asked = Options { classes, unwind: None, stop_at_first: true };
    let mut missed = BTreeSet::new();
    for (before, condition) in CASES {
        let text = format!(
            "{HEAD}int main(void) {{ char s[] = \"abca\", t[10] = \"zzzzzzzzz\"; {before}
               if ({condition}) __assert_fail(\"\", \"\", 0, \"\"); return 0; }}"
        );
        let loaded = hardbop_c::load_text(vec![("t.c".into(), text.clone())], &options)
            .unwrap_or_else(|why| panic!("{}: {text}", why.message()));
        let brief = loaded.brief.expect("functions of the library are used");
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        // What is asserted must be what happens. In brief no run may show it: bytes that may be any are not chosen.
        let really = hardbop_bmc::check(&loaded.program, &asked, &budget).overall();
        let in_brief = hardbop_bmc::check(&brief, &asked, &budget).overall();
        let may = in_brief.is_unsafe() || in_brief == Finding::Unknown(Reason::NotShown);
        for (is_found, who) in [(really.is_unsafe(), "the library"), (may, "the library in brief")]
        {
            if !is_found {
                missed.insert(format!("{who}: {before} {condition}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
