//! Programs with a known answer: violations far away, their safe twins, and what must not be claimed.

use std::sync::Arc;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine::Reason;
use hardbop_engine_c::{Finding, Options, Report};
use hardbop_runs::{Limits, Search};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_assume(int);
extern void *malloc(unsigned long); extern void free(void *); extern int outside(void);
void check(int c) { if (!c) reach_error(); }\n";

fn search(text: &str, property: &str, limits: Limits) -> Report {
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let options = Options { classes, unwind: None, stop_at_first: true };
    let budget = Budget::unlimited().with_time(Duration::from_secs(120));
    let mut search = Search::new(&Arc::new(loaded.program), &options);
    search.go(limits, &budget, &mut || {});
    search.report()
}

const FEW: Limits = Limits { n_runs: 3_000, n_steps: 20_000_000 };

#[track_caller]
fn violated(text: &str, property: &str) {
    let found = search(text, property, FEW).overall();
    assert!(matches!(found, Finding::Unsafe(_)), "{found:?} for {text}");
}

#[track_caller]
fn safe(text: &str, property: &str) {
    assert_eq!(search(text, property, FEW).overall(), Finding::Safe, "{text}");
}

/// Neither a violation nor a proof.
#[track_caller]
fn open(text: &str, property: &str) -> Reason {
    match search(text, property, Limits { n_runs: 300, n_steps: 2_000_000 }).overall() {
        Finding::Unknown(reason) => reason,
        other => panic!("{other:?} for {text}"),
    }
}

#[test]
fn violations_behind_many_rounds() {
    let copy = |last: &str| {
        format!(
            "int a[100000], b[100000];
            int main() {{ for (int i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();
                for (int i = 0; i < 100000; i++) b[i] = a[i];
                {last} for (int i = 0; i < 100000; i++) check(a[i] == b[i]); }}"
        )
    };
    violated(&copy("b[99999]++;"), "unreach-call");
    open(&copy(""), "unreach-call");
    violated(
        "int main() { int n = 0; for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) n++;
            check(n != 1000000); }",
        "unreach-call",
    );
    violated(
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
            int main() { check(fib(22) != 17711); }",
        "unreach-call",
    );
    violated(
        "int main() { int x = 1; while (__VERIFIER_nondet_int() != 77) x++; x--; check(x); }",
        "unreach-call",
    );
}

#[test]
fn violations_that_need_the_right_inputs() {
    violated(
        "int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 4711 && x < 4715); __VERIFIER_assume(y == 815);
            if (x == 4713) { int z = __VERIFIER_nondet_int(); if (z == -3) reach_error(); } }",
        "unreach-call",
    );
    violated("int main() { int x = __VERIFIER_nondet_int(); return x + 1; }", "no-overflow");
    violated(
        "int main() { int *p = malloc(12); p[0] = __VERIFIER_nondet_uint() % 5; p[p[0]] = 1; free(p); }",
        "valid-deref",
    );
    violated(
        "int main() { int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); free(p); }",
        "valid-free",
    );
    violated(
        "int main() { int a[9], b[9]; for (int i = 0; i < 8; i++) a[i] = b[i] = i;
            check(a[8] == b[8]); }",
        "unreach-call",
    );
    violated("int main() { if (outside() == 9) reach_error(); }", "unreach-call");
}

/// After an overflow the execution goes on, here for ever: the violation is told all the same.
#[test]
fn what_never_ends_is_cut_at_the_violation() {
    violated(
        "int main() { int x = __VERIFIER_nondet_int(); x = x + 1; for (;;) x ^= 1; }",
        "no-overflow",
    );
}

#[test]
fn the_only_run_is_a_proof() {
    safe(
        "int a[50000]; int main() { int s = 0, i; for (i = 0; i < 50000; i++) a[i] = i;
            for (i = 0; i < 50000; i++) s ^= a[i]; check(a[49999] == 49999); return s; }",
        "unreach-call",
    );
    safe(
        "int main() { int *p = malloc(8); p[0] = 1; p[1] = p[0]; check(p[1] == 1); free(p); }",
        "valid-memsafety",
    );
}

#[test]
fn what_c_leaves_open_is_no_proof() {
    for text in [
        "int main() { int x; if (x == 12345) reach_error(); }",
        "int main() { int a[2]; a[0] = 1; if (a[1] == 12345678) reach_error(); }",
        "int main() { int *p = malloc(4); if (*p == 12345678) reach_error(); }",
        "int main() { int a, b; check(&a != &b + 4); }",
        "int main() { int a; if ((unsigned long)&a == 12345) reach_error(); }",
        "int main() { int a, b; if (&a < &b) if (&b < &a) reach_error(); }",
        "int main() { if (outside() == 123456) reach_error(); }",
        "int main() { int a, *p = &a; char *c = (char *)&p; check(c[1] != 77); }",
        "int f(int n) { int x; if (n) goto over; x = 1; over: return x; }
            int main() { check(f(1) != 99999); }",
    ] {
        let found = search(text, "unreach-call", FEW).overall();
        assert_ne!(found, Finding::Safe, "{text}");
    }
}

/// The order of two objects in memory is the machine's business.
#[test]
fn a_violation_in_one_order_of_objects_only_is_not_claimed() {
    let rises = "int a[4], b[4]; int main() { check((unsigned long)a < (unsigned long)b); }";
    let falls = "int a[4], b[4]; int main() { check((unsigned long)a > (unsigned long)b); }";
    // The first order tried shows nothing here, and what it shows there the second does not.
    assert!(matches!(open(rises, "unreach-call"), Reason::Runs(_)));
    assert_eq!(open(falls, "unreach-call"), Reason::NotShown);
    // In both orders.
    violated(
        "int a[4], b[4]; int main() { check((unsigned long)a == (unsigned long)b); }",
        "unreach-call",
    );
}

#[test]
fn numbers_say_what_was_done() {
    // No square ends in these two bits, which the passes do not know.
    let text = "int main() { while (1) { unsigned x = __VERIFIER_nondet_uint(); if (x > 5) check(x * x % 4 != 2); } }";
    let Reason::Runs(runs) = open(text, "unreach-call") else { panic!("another reason") };
    assert!(runs.n_runs > 7 && runs.n_steps >= 2_000_000 && runs.limit.is_none(), "{runs:?}");
    assert!(0 < runs.n_covered && runs.n_covered <= runs.n_blocks, "{runs:?}");
}

#[test]
fn the_same_search_finds_the_same() {
    let text = "int main() { unsigned s = 0; for (int i = 0; i < 9; i++) s += __VERIFIER_nondet_uint() % 7;
        check(s != 13); }";
    let once = search(text, "unreach-call", FEW);
    assert!(matches!(once.overall(), Finding::Unsafe(_)));
    assert_eq!(once.checks, search(text, "unreach-call", FEW).checks);
}

/// Commands and numbers come as whole words: as arguments, and from standard input.
#[test]
fn violations_that_need_words() {
    let calculator = "extern int strcmp(const char *, const char *); extern int atoi(const char *);
        int main(int argc, char **argv) { int stack[8]; int n = 0;
            for (int i = 1; i < argc && n < 8; i++)
                if (!strcmp(argv[i], \"add\")) { if (n < 2) return 1; n--; stack[n - 1] += stack[n]; }
                else stack[n++] = atoi(argv[i]); }";
    violated(calculator, "no-overflow");
    let reader = "extern int getchar(void); extern int strcmp(const char *, const char *);
        int main() { char line[16]; int n = 0, c;
            while ((c = getchar()) != -1 && c != '\\n' && n < 15) line[n++] = c;
            line[n] = 0;
            if (!strcmp(line, \"shutdown\")) reach_error(); }";
    violated(reader, "unreach-call");
}
