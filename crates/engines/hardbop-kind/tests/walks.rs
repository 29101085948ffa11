//! Walks through memory of any length are proved, and with one thing wrong they are not.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long); extern void free(void *); extern void *alloca(unsigned long);\n";

fn verdict(text: &str, seconds: u64) -> Finding {
    let classes = Class::select("valid-memsafety").expect("a property there is");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let options = Options { classes, unwind: None, stop_at_first: true };
    hardbop_kind::check(&loaded.program, &options, &budget).0.overall()
}

/// The program is proved; with any of these words replaced it goes wrong for some input, and is not.
#[track_caller]
fn proved_but_not(text: &str, faults: &[(&str, &str)]) {
    assert_eq!(verdict(text, 300), Finding::Safe, "{text}");
    for (right, wrong) in faults {
        let broken = text.replacen(right, wrong, 1);
        assert_ne!(broken, text, "`{right}` is not in the text");
        assert!(matches!(verdict(&broken, 20), Finding::Unknown(_)), "`{wrong}` for `{right}`");
    }
}

const TEXT: &str = "char *text(int *length) {
  int n = __VERIFIER_nondet_int(); if (n < 1) n = 1;
  char *s = malloc(n); s[n - 1] = 0; *length = n; return s; }\n";

#[test]
fn to_the_end_of_a_text() {
    let text = format!(
        "{TEXT}int main(void) {{ int n; char *s = text(&n); char *p = s;
           while (*p != 0) p++;
           free(s); return 0; }}"
    );
    proved_but_not(
        &text,
        &[("s[n - 1] = 0", "s[n - 1] = 1"), ("p++", "p += 2"), ("*p != 0", "*p != 1")],
    );
}

#[test]
fn of_a_copy() {
    let text = "int main(void) {
      int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
      if (n < 1) n = 1; if (m < 1) m = 1; if (m < n) return 0;
      char *to = alloca(m), *from = alloca(n); from[n - 1] = 0;
      char *d = to, *s = from;
      while ((*d++ = *s++) != 0) ;
      return 0; }";
    proved_but_not(
        text,
        &[
            ("m < n)", "m + 1 < n)"),
            ("from[n - 1] = 0", "from[n - 1] = 1"),
            ("from[n - 1]", "to[n - 1]"),
        ],
    );
}

#[test]
fn that_writes_before_the_end() {
    let text = format!(
        "{TEXT}int main(void) {{ int n; char *s = text(&n); char *p = s; char c = __VERIFIER_nondet_char();
           while (*p != 0) {{ if (*p == c) *p = 'x'; p++; }}
           for (p = s; *p; p++) ;
           free(s); return 0; }}"
    );
    proved_but_not(&text, &[("*p = 'x'", "p[1] = 'x'"), ("*p = 'x'", "s[n - 1] = 'x'")]);
}

#[test]
fn with_a_counter_of_what_is_left() {
    let text = "int main(void) {
      int n = __VERIFIER_nondet_int(); if (n < 1) n = 1;
      char *to = alloca(n); char *d = to; unsigned long left = n;
      do { *d++ = 1; } while (--left != 0);
      return 0; }";
    proved_but_not(text, &[("--left", "left--"), ("left = n", "left = n + 1")]);
}

#[test]
fn that_begins_again() {
    let text = format!(
        "{TEXT}int main(void) {{ int n, m; char *s = text(&n), *t = text(&m); char *p, *q;
           for (p = s; *p; p++) for (q = t; *q && *q != *p; q++) ;
           free(s); free(t); return 0; }}"
    );
    proved_but_not(&text, &[("*q && *q != *p", "*q != *p"), ("q = t", "q = t + m")]);
}
