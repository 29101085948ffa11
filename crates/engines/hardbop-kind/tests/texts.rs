//! Loops over texts are proved, and with one thing wrong they are not.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};

const HEAD: &str =
    "extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long); extern void free(void *);
extern unsigned long strlen(const char *); extern char *strcpy(char *, const char *);
static int line(char *s, int n) {
  if (__VERIFIER_nondet_int()) return 0;
  int i = 0;
  while (i < n - 1) { char c = __VERIFIER_nondet_char(); s[i++] = c; if (c == 10) break; }
  s[i] = 0;
  return 1; }\n";

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
        assert!(matches!(verdict(&broken, 10), Finding::Unknown(_)), "`{wrong}` for `{right}`");
    }
}

#[test]
fn lines_by_their_length() {
    proved_but_not(
        "int main(void) { char s[40]; int n = 0;
           while (line(s, sizeof s)) for (unsigned long i = 0; i < strlen(s); i++) n |= s[i];
           return n; }",
        &[("line(s, sizeof s)", "line(s, sizeof s + 1)"), ("i < strlen(s)", "s[i] != 1")],
    );
}

#[test]
fn lines_by_a_pointer() {
    proved_but_not(
        "int main(void) { char s[40];
           while (line(s, sizeof s)) for (char *p = s; *p; p++) if (*p == 1) *p = 2;
           return 0; }",
        &[("p++", "p += 2"), ("*p;", "*p != 5;")],
    );
}

#[test]
fn lines_are_copied() {
    proved_but_not(
        "int main(void) { char s[40], t[40];
           while (line(s, sizeof s)) strcpy(t, s);
           return 0; }",
        &[("t[40]", "t[39]")],
    );
}

#[test]
fn what_each_round_allocates_is_freed() {
    proved_but_not(
        "int main(void) {
           while (__VERIFIER_nondet_int()) { char *m = malloc(10); m[0] = 1; free(m); }
           return 0; }",
        &[("free(m);", "if (__VERIFIER_nondet_int()) free(m);"), ("malloc(10)", "malloc(0)")],
    );
}
