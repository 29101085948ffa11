//! Small programs with known verdicts, through the C front end.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_bmc::check;
use hardbop_cir::Class;
use hardbop_engine::{Horizon, Reason};
use hardbop_engine_c::{Finding, Options};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void *malloc(unsigned long); extern void free(void *); extern void abort(void);
void check(int c) { if (!c) reach_error(); }\n";

fn verdict_with(text: &str, property: &str, unwind: Option<u32>) -> Finding {
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(10));
    let options = Options { classes, unwind, stop_at_first: true };
    check(&loaded.program, &options, &budget).overall()
}

#[track_caller]
fn safe(text: &str, property: &str) {
    assert_eq!(verdict_with(text, property, None), Finding::Safe, "{text}");
}

/// Returns the inputs.
#[track_caller]
fn violated(text: &str, property: &str) -> Vec<u128> {
    match verdict_with(text, property, None) {
        Finding::Unsafe(it) => it.inputs,
        other => panic!("{other:?} for {text}"),
    }
}

#[test]
fn numbers_branches_and_calls() {
    let max = "int max(int a, int b) { return a > b ? a : b; }
        int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            check(max(x, y) >= x); check(max(x, y) OP); return 0; }";
    safe(&max.replace("OP", ">= y"), "unreach-call");
    let inputs = violated(&max.replace("OP", "!= 12345"), "unreach-call");
    assert!(inputs.contains(&12345), "{inputs:?}");
}

#[test]
fn loops_that_end_are_proved_and_others_named() {
    safe(
        "int main() { int n = __VERIFIER_nondet_int(), s = 0; if (n < 0 || n > 6) return 0;
            for (int i = 0; i < n; i++) s += 2; check(s == 2 * n); }",
        "unreach-call",
    );
    violated(
        "int main() { int n = __VERIFIER_nondet_int(), s = 0;
            for (int i = 0; i < n; i++) s++; check(s != 9); }",
        "unreach-call",
    );
    let endless = "int main() { int x = 0; while (__VERIFIER_nondet_int()) x = !x; check(x < 2); }";
    let verdict = verdict_with(endless, "unreach-call", Some(5));
    assert!(
        matches!(verdict, Finding::Unknown(Reason::Bounded(Horizon::Loop { rounds: 5, .. }))),
        "{verdict:?}"
    );
}

#[test]
fn recursion_is_unrolled() {
    let sum = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
        int main() { int n = __VERIFIER_nondet_int(); if (n > 5) return 0;
            int s = sum(n); check(n < 0 || 2 * s OP n * (n + 1)); }";
    safe(&sum.replace("OP", "=="), "unreach-call");
    violated(&sum.replace("OP", "<"), "unreach-call");
}

#[test]
fn arrays_structs_and_pointers() {
    let text = "struct P { int a; char c[4]; int *q; };
        int main() { int x = 1, y = 2; struct P p; int v[5] = {0, 1, 2, 3, 4};
            int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0;
            p.q = i > 2 ? &x : &y; *p.q = 7; v[i] = 9; p.c[i & 3] = 5; p.a = v[i];
            check(p.a == 9 && (x == 7 || y == 7)); check(v[(i + 1) % 5] OP); check(p.c[i & 3] == 5); }";
    safe(&text.replace("OP", "!= 9"), "unreach-call");
    violated(&text.replace("OP", "!= 3"), "unreach-call");
    safe(&text.replace("OP", "!= 3"), "valid-deref");
    violated(&text.replace("OP", "!= 3").replace("i > 4", "i > 5"), "valid-deref");
}

/// As CIL writes it, and where the place in a large object is not known.
#[test]
fn addresses_as_numbers_and_large_objects() {
    let text = "struct P { int a; int b; }; struct P p; int main() {
        struct P *q = __VERIFIER_nondet_int() ? &p : malloc(8); q->b = 1;
        unsigned long n = (unsigned long)q; *(int *)(n + 4UL) = 7; check(q->b OP 7); }";
    safe(&text.replace("OP", "=="), "unreach-call");
    violated(&text.replace("OP", "!="), "unreach-call");
    let large =
        "char t[100000]; int main() { unsigned n = __VERIFIER_nondet_int() & 65535; int x = 1;
        t[n] = 1; x = t[n] ? x : 1; check(OP); }";
    safe(&large.replace("OP", "x == 1"), "unreach-call");
    safe(&large.replace("OP", "1"), "valid-deref");
    safe(&large.replace("OP", "t[n] == 1"), "unreach-call");
    violated(&large.replace("OP", "t[n] != 1"), "unreach-call");
    safe(&large.replace("OP", "t[99999] == 0").replace("t[n] = 1;", ""), "unreach-call");
}

#[test]
fn what_is_alive_together_does_not_overlap() {
    let numbers = "typedef unsigned long ul; int g[3];
        int main() { int *p = malloc(8); ul a = (ul)p; BETWEEN int *q = malloc(4); ul b = (ul)q;
            check(AFTER); return 0; }";
    let program = |between, after| numbers.replace("BETWEEN", between).replace("AFTER", after);
    safe(&program("", "a != b"), "unreach-call");
    safe(&program("", "a + 7 != b && (ul)&g[2] != b + 1"), "unreach-call");
    // What is freed may be given out again, and behind the one may come the other, at the next multiple of 16.
    safe(&program("", "a + 8 != b"), "unreach-call");
    for (between, after) in [("free(p);", "a != b"), ("", "a + 16 != b")] {
        let verdict = verdict_with(&program(between, after), "unreach-call", None);
        assert_ne!(verdict, Finding::Safe, "{between} {after}");
    }
}

#[test]
fn heap_and_its_properties() {
    let list = "struct N { int v; struct N *n; };
        int main() { struct N *h = 0; int k = __VERIFIER_nondet_int(); if (k > 3) return 0;
            for (int i = 0; i < k; i++) { struct N *t = malloc(sizeof *t); t->v = i; t->n = h; h = t; }
            while (h) { struct N *t = h->n; check(!t || t->v == h->v - 1); LAST; h = t; } return 0; }";
    let freed = list.replace("LAST", "free(h)");
    safe(&freed, "unreach-call");
    safe(&freed, "valid-memsafety");
    violated(&list.replace("LAST", ""), "valid-memtrack");
    violated(&list.replace("LAST", "free(h); free(h)"), "valid-free");
    violated(&list.replace("LAST", "free(h); h->v = 1"), "valid-deref");
}

#[test]
fn overflow_is_a_question_of_its_own() {
    let text = "int main() { int x = __VERIFIER_nondet_int(); if (x > MAX) return 0;
        int y = x + 1; check(y > x); }";
    violated(&text.replace("MAX", "2147483647"), "no-overflow");
    safe(&text.replace("MAX", "2147483646"), "no-overflow");
}

/// What is not modelled is reached: never safe.
#[test]
fn doubt_is_not_safety() {
    let text = "int main() { int *p = (int *)(unsigned long)__VERIFIER_nondet_int();
        int x = *p; check(x != 0 || x == 0); }";
    let verdict = verdict_with(text, "unreach-call", None);
    assert!(matches!(verdict, Finding::Unknown(_) | Finding::Unsafe(_)), "{verdict:?}");
    // A number that was made of a pointer is one.
    let text = "int main() { int x = 0; unsigned long n = (unsigned long)&x;
        n += __VERIFIER_nondet_int() ? 0 : 4; int *p = (int *)(n - 0); *p = 3; check(x == 0); }";
    let verdict = verdict_with(text, "unreach-call", None);
    assert!(!matches!(verdict, Finding::Safe), "{verdict:?}");
    // An invalid access that nobody asked for: what follows is anything.
    let text = "int main() { char t = 50; unsigned *p = (unsigned *)(void *)&t; check(*p == 50); }";
    let verdict = verdict_with(text, "unreach-call", None);
    assert!(matches!(verdict, Finding::Unknown(Reason::Unsupported(_))), "{verdict:?}");
}

#[test]
fn after_the_first_violation_the_rest_is_open() {
    let text = "int main() { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error();
        if (x == 4) reach_error(); return 0; }";
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    for stop_at_first in [true, false] {
        let options = Options { classes: classes.clone(), unwind: None, stop_at_first };
        let report = check(&loaded.program, &options, &Budget::unlimited());
        let count =
            |wanted: fn(&Finding) -> bool| report.checks.values().filter(|it| wanted(it)).count();
        let n_unsafe = count(|it| matches!(it, Finding::Unsafe(_)));
        let n_open = count(|it| matches!(it, Finding::Unknown(Reason::Stopped)));
        assert_eq!(n_unsafe, if stop_at_first { 1 } else { 2 }, "{report:?}");
        assert_eq!(n_open > 0, stop_at_first, "{report:?}");
    }
}

/// A string without an end is only there if memory that was never written is not 0.
#[test]
fn memory_without_a_value_may_hold_anything() {
    let length = "int main() { char *text = malloc(3); int n = 0; if (!text) return 0;
            while (n < LAST && text[n]) n++; return n; }";
    violated(&length.replace("LAST", "9"), "valid-deref");
    safe(&length.replace("LAST", "2"), "valid-deref");
}

#[test]
fn floating_point_is_exact() {
    let head =
        "extern float __VERIFIER_nondet_float(void); extern double __VERIFIER_nondet_double(void);";
    let program = |text: &str| format!("{head} int main() {{ {text} return 0; }}");
    let single = "float x = __VERIFIER_nondet_float(); if (!(x > 0.0f && x < 10.0f)) return 0; ";
    safe(&program(&format!("{single} check(x + 1.0f >= 1.0f);")), "unreach-call");
    // So small that the sum is rounded to one.
    violated(&program(&format!("{single} check(x + 1.0f > 1.0f);")), "unreach-call");
    safe(
        &program(&format!("{single} check((double)x + 1.0 > 1.0 || x < 1e-15f);")),
        "unreach-call",
    );
    safe(&program(&format!("{single} check((int)x >= 0 && (int)x <= 9);")), "unreach-call");
    violated(&program(&format!("{single} check((int)(x * 2.0f) != 7);")), "unreach-call");
    let double = "double x = __VERIFIER_nondet_double(); ";
    violated(&program(&format!("{double} check(x == x);")), "unreach-call");
    safe(&program(&format!("{double} check(!(x < 1.0) || !(x > 1.0));")), "unreach-call");
    violated(&program(&format!("{double} check(x + 0.1 != 0.3);")), "unreach-call");
    safe(
        &program("float f = 0.1f; double d = 0.1; check(f != d && (float)d == f);"),
        "unreach-call",
    );
    let integer = "int n = __VERIFIER_nondet_int(); ";
    safe(&program(&format!("{integer} check((int)(double)n == n);")), "unreach-call");
    let inputs = violated(
        &program(&format!("{integer} if (n > 0 && n < 17000000) check((int)(float)n == n);")),
        "unreach-call",
    );
    assert!(inputs[0] > 1 << 24, "{inputs:?}");
    // Through memory and a join.
    let stored = "float a[2]; int i = __VERIFIER_nondet_int() & 1; a[0] = 1.5f; a[1] = -0.25f;
        float s = i ? a[1] * 2.0f : a[0]; check(s == 1.5f || s == -0.5f); check(s OP 0.0f);";
    violated(&program(&stored.replace("OP", "<")), "unreach-call");
    safe(&program(&stored.replace("OP", "!=")), "unreach-call");
}

/// What the passes have proved stands although the search was not finished.
#[test]
fn what_is_proved_survives_a_bound() {
    let text = "int main() { int i = 2; if (i == 3) reach_error(); unsigned s = 0;
        while (__VERIFIER_nondet_int()) s++; if (s == 77) reach_error(); return 0; }";
    let classes = vec![Class::Assert];
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let options = Options { classes, unwind: Some(3), stop_at_first: true };
    let report = check(&loaded.program, &options, &Budget::unlimited());
    let count =
        |wanted: fn(&Finding) -> bool| report.checks.values().filter(|it| wanted(it)).count();
    let n_open = count(|it| matches!(it, Finding::Unknown(Reason::Bounded(_))));
    let n_safe = count(|it| *it == Finding::Safe);
    assert!(n_open == 1 && n_safe + n_open == report.checks.len() && n_safe > 0, "{report:?}");
}

/// What is not modelled does not count in a function that nothing calls; where something does, it does.
#[test]
fn what_is_never_called_is_no_doubt() {
    let text = "int unused(int *p) { int y; asm(\"rdtsc\" : \"=r\"(y)); return y + *p; }
        void never(int c) { check(c); }
        int main() { while (__VERIFIER_nondet_int()) { BODY } return 0; }";
    safe(&text.replace("BODY", ""), "unreach-call");
    let verdict =
        verdict_with(&text.replace("BODY", "int x = 1; unused(&x);"), "unreach-call", None);
    assert!(matches!(verdict, Finding::Unknown(_)), "{verdict:?}");
    let by_pointer = "int (*f)(int *) = unused; int x = 1; f(&x);";
    let verdict = verdict_with(&text.replace("BODY", by_pointer), "unreach-call", None);
    assert!(matches!(verdict, Finding::Unknown(_)), "{verdict:?}");
}
