//! Loops without a bound are proved, and nothing that is wrong is.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};
use hardbop_kind::{Proof, check, print::c_expr};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_assume(int);
extern void *malloc(unsigned long); extern void free(void *);
void check(int c) { if (!c) reach_error(); }\n";

fn prove(text: &str, property: &str) -> (Finding, Option<Proof>) {
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let options = Options { classes, unwind: None, stop_at_first: true };
    let (report, proof) = check(&loaded.program, &options, &budget);
    (report.overall(), proof)
}

/// The invariants, as text.
#[track_caller]
fn proved(text: &str, property: &str) -> String {
    let (verdict, proof) = prove(text, property);
    assert_eq!(verdict, Finding::Safe, "{text}");
    let proof = proof.expect("a safe verdict has a proof");
    let exprs = proof.invariants.values().flatten();
    exprs.map(|&it| c_expr(&proof.program, it) + "\n").collect()
}

#[track_caller]
fn open(text: &str, property: &str) {
    let (verdict, proof) = prove(text, property);
    assert!(matches!(verdict, Finding::Unknown(_)), "{verdict:?} for {text}");
    assert!(proof.is_none());
}

#[test]
fn bounds_orders_and_remainders() {
    let said = proved(
        "int main() { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0) return 0;
            while (i < n) i++; check(i == n); }",
        "unreach-call",
    );
    assert!(said.contains("(i <= n)"), "{said}");
    proved(
        "int main() { unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2; check(x % 2 == 0); }",
        "unreach-call",
    );
    proved(
        "int main() { int a = 1, b = 1; while (__VERIFIER_nondet_int()) { a = -a; b = -b; }
            check(a == b); }",
        "unreach-call",
    );
}

#[test]
fn laws_of_several_variables_come_from_runs() {
    let said = proved(
        "int main() { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
            while (x > 0) { x--; y++; } check(y == n); }",
        "unreach-call",
    );
    assert!(said.contains("x"), "{said}");
    proved(
        "int main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r = a, c = b;
            if (a > 1000 || b > 1000 || b < 0) return 0;
            while (c > 0) { c--; r++; } check(r == a + b); }",
        "unreach-call",
    );
}

#[test]
fn states_of_a_machine_need_histories() {
    // Only with two rounds of history is the lock known to be taken.
    proved(
        "int main() { int lock = 0, turn = 0;
            while (__VERIFIER_nondet_int()) {
                if (turn == 0) { check(lock == 0); lock = 1; turn = 1; }
                else { check(lock == 1); lock = 0; turn = 0; } } }",
        "unreach-call",
    );
}

#[test]
fn loops_in_loops_and_calls() {
    proved(
        "int g; void step(int n) { for (int j = 0; j < n; j++) if (g < 100) g++; }
        int main() { while (__VERIFIER_nondet_int()) { step(__VERIFIER_nondet_int());
            check(g <= 100); if (__VERIFIER_nondet_int()) g = 0; } check(g >= 0); }",
        "unreach-call",
    );
}

#[test]
fn memory_that_a_loop_writes_is_forgotten() {
    let text = "int a[4]; int main() { int i = 0, k = __VERIFIER_nondet_int();
        a[3] = 7;
        while (__VERIFIER_nondet_int()) { a[i & 3] = k; i++; }
        check(OP); }";
    open(&text.replace("OP", "a[3] == 7"), "unreach-call");
    proved(&text.replace("OP", "sizeof a == 16"), "unreach-call");
    proved(&text.replace("OP", "1"), "valid-deref");
    open(
        "int main() { int *p = 0, x = 0; while (__VERIFIER_nondet_int()) p = &x; x = *p; }",
        "valid-deref",
    );
    open(
        "int main() { while (__VERIFIER_nondet_int()) { int *p = malloc(4); *p = 1; } return 0; }",
        "valid-memtrack",
    );
    open(
        "int main() { int *p = malloc(4); while (__VERIFIER_nondet_int()) free(p); return 0; }",
        "valid-free",
    );
}

/// In the first visit all is known, in an arbitrary one it is not: paths that cannot be followed there
/// must not vanish.
#[test]
fn what_cannot_be_followed_is_no_proof() {
    open(
        "int a[100000]; int main() { int i = 0; while (i < 100000) { a[i] = 42; i++; }
            for (i = 0; i < 100000; i++) check(a[i] == 43); }",
        "unreach-call",
    );
    open(
        "extern void ext(int *); int main() { int x = 1, *p = 0;
            while (__VERIFIER_nondet_int()) { if (p) ext(p); p = &x; } check(x == 1); }",
        "unreach-call",
    );
    let walk = "int main() { int x = 1, y = 2, n = 0, *p = &x;
        while (__VERIFIER_nondet_int()) { *p = 1; check(n < 2); n++; p = &y; } }";
    open(walk, "unreach-call");
    let classes = "all";
    open(walk, classes);
    open(
        "int main() { int n = 0; int *p = malloc(4);
            while (__VERIFIER_nondet_int()) { free(p); p = malloc(4); check(n < 2); n++; } }",
        classes,
    );
}

#[test]
fn what_is_wrong_is_not_proved() {
    for wrong in [
        "int main() { int i = 0; while (__VERIFIER_nondet_int()) i++; check(i != 1000000); }",
        "int main() { int i = 0; while (i < 10) { i++; check(i < 10); } }",
        "int main() { int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) { s = 1; break; } }
            check(s == 0); }",
        "int f(int n) { return n == 0 ? 0 : f(n - 1); }
            int main() { unsigned i = 0; while (__VERIFIER_nondet_int()) i++; f(i & 63); check(i < 50); }",
        "int main() { int x = 0; L: x++; if (__VERIFIER_nondet_int()) goto L; check(x < 3); }",
        // Entered in the middle.
        "int main() { int x = 0; if (__VERIFIER_nondet_int()) goto M;
            L: x = 5; M: check(x != 5); if (__VERIFIER_nondet_int()) goto L; }",
    ] {
        open(wrong, "unreach-call");
    }
}

/// Laws that hold where a flag is set, or under a condition that the loop does not change.
#[test]
fn facts_under_a_condition() {
    let said = proved(
        "int main() { int flag = __VERIFIER_nondet_int(), i = flag ? 0 : 1, j = 1, a = 0, b = 0;
            while (__VERIFIER_nondet_int()) { a++; b += j - i; i += 2; if (i % 2 == 0) j += 2; else j++; }
            if (flag) check(a == b); }",
        "unreach-call",
    );
    assert!(said.contains("||"), "{said}");
    open(
        "int main() { int flag = __VERIFIER_nondet_int(), i = flag ? 0 : 1, j = 1, a = 0, b = 0;
            while (__VERIFIER_nondet_int()) { a++; b += j - i; i += 2; if (i % 2 == 0) j += 2; else j++; }
            check(a == b); }",
        "unreach-call",
    );
}
