//! Small programs with known verdicts, and the TCAS rows of the corpus against `bmc`.

use std::path::Path;
use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::{Class, Program};
use hardbop_engine::{Horizon, Reason};
use hardbop_engine_c::{Finding, Options as Task, Report};
use hardbop_fsoft::{Method, Options, check};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void *malloc(unsigned long); extern void free(void *);
void check(int c) { if (!c) reach_error(); }\n";

fn program(text: &str, property: &str) -> (Program, Task) {
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), text.into())], &options)
        .expect("the test's program is C");
    (loaded.program, Task { classes, unwind: None, stop_at_first: true })
}

fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(60))
}

fn by(method: Method, text: &str, property: &str) -> Report {
    let (program, task) = program(&format!("{HEAD}{text}"), property);
    let options = Options { method, depth: Some(300), nodes: 1 << 20, ..Options::default() };
    check(&program, &task, &options, &budget()).0
}

#[track_caller]
fn safe(method: Method, text: &str, property: &str) {
    assert_eq!(by(method, text, property).overall(), Finding::Safe, "{text}");
}

#[track_caller]
fn violated(text: &str, property: &str) {
    for method in [Method::Bmc, Method::Bdd] {
        let verdict = by(method, text, property).overall();
        assert!(matches!(verdict, Finding::Unsafe(_)), "{method:?}: {verdict:?} for {text}");
    }
}

/// The reason, which has a place.
#[track_caller]
fn unsupported(text: &str, property: &str, why: &str) {
    for method in [Method::Bmc, Method::Bdd] {
        match by(method, text, property).overall() {
            Finding::Unknown(Reason::UnsupportedAt(what, _)) => {
                assert!(what.contains(why), "{what} for {text}");
            }
            other => panic!("{method:?}: {other:?} for {text}"),
        }
    }
}

#[test]
fn loops_without_end_are_proved_by_diagrams() {
    let text = "int main() { int x = 0; while (__VERIFIER_nondet_int()) x = x < 5 ? x + 1 : 0;
        check(x <= 5); }";
    safe(Method::Bdd, text, "unreach-call");
    safe(Method::Both, text, "unreach-call");
    let verdict = by(Method::Bmc, text, "unreach-call").overall();
    assert_eq!(verdict, Finding::Unknown(Reason::Bounded(Horizon::Blocks(300))));
    violated(&text.replace("<= 5)", "< 5)"), "unreach-call");
}

#[test]
fn all_executions_end_at_some_depth() {
    let text = "int main() { int n = __VERIFIER_nondet_int(), s = 0; if (n < 0 || n > 6) return 0;
        for (int i = 0; i < n; i++) s += 2; check(s == 2 * n); }";
    safe(Method::Bmc, text, "unreach-call");
    violated(&text.replace("s == 2 * n", "s != 8"), "unreach-call");
}

#[test]
fn a_call_starts_with_any_values() {
    // The second call must not find what the first has left.
    let text = "int f(int set) { int x; if (set) x = 1; return x; }
        int main() { int a = f(1); int b = f(0); check(b == 1); }";
    for method in [Method::Bmc, Method::Bdd] {
        assert_ne!(by(method, text, "unreach-call").overall(), Finding::Safe);
    }
}

#[test]
fn recursion_has_a_limit_that_is_told() {
    let text = "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
        int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > N) return 0;
            check(f(n) == n); }";
    safe(Method::Bdd, &text.replace('N', "3"), "unreach-call");
    unsupported(&text.replace('N', "9"), "unreach-call", "calls itself deeper");
}

#[test]
fn an_object_takes_the_place_of_the_one_before() {
    // Each round has an x of its own; the pointer to that of the round before is dangling.
    let stale = "int main() { int *p = 0;
        for (int i = 0; i < 3; i++) { int x = i; if (p && i == 2) check(*p == 1); p = &x; } }";
    for method in [Method::Bmc, Method::Bdd] {
        assert_ne!(by(method, stale, "valid-deref").overall(), Finding::Safe);
        assert_ne!(by(method, stale, "unreach-call").overall(), Finding::Safe);
    }
    let leak = "int main() { for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i;
        if (i == 1) free(p); } return 0; }";
    for method in [Method::Bmc, Method::Bdd] {
        assert_ne!(by(method, leak, "valid-memtrack").overall(), Finding::Safe);
    }
    let fine = "int main() { for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i;
        check(*p == i); free(p); } return 0; }";
    safe(Method::Bdd, fine, "valid-memsafety");
    safe(Method::Bdd, fine, "unreach-call");
}

#[test]
fn memory_without_a_fixed_size_is_told() {
    let text = "int main() { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0;
        int *p = malloc(n * 4); p[0] = 1; check(p[0] == 1); free(p); }";
    unsupported(text, "unreach-call", "not fixed");
}

#[test]
fn arrays_pointers_and_structures() {
    let text = "struct s { int state; struct s *next; } a, b;
        int table[4] = { 3, 1, 2, 0 };
        int main() { a.next = &b; b.next = &a; struct s *p = &a; unsigned n = 0;
            while (__VERIFIER_nondet_int()) { p = p->next; p->state = table[n & 3]; n = (n + 1) & 3; }
            check(a.state < 4 && b.state < 4 && (p == &a || p == &b)); }";
    safe(Method::Bdd, text, "unreach-call");
    safe(Method::Bdd, text, "valid-deref");
    violated(&text.replace("b.state < 4", "b.state < 3"), "unreach-call");
}

/// The corpus lies beside the repository; without it there is nothing to compare.
#[test]
fn tcas_as_bmc_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/c/tcas");
    let Ok(files) = std::fs::read_dir(&folder) else { return };
    let mut files: Vec<_> = files.filter_map(|it| Some(it.ok()?.path())).collect();
    files.sort();
    let mut n_compared = 0;
    for file in files.iter().filter(|it| it.extension().is_some_and(|it| it == "c")) {
        let classes = vec![Class::Assert];
        let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
        let loader = hardbop_c::SystemLoader::default();
        let loaded = hardbop_c::load(&[file.as_path()], &loader, &options)
            .unwrap_or_else(|it| panic!("{}: {}", file.display(), it.message()));
        let program = loaded.program;
        let task = Task { classes, unwind: None, stop_at_first: true };
        let expected = hardbop_bmc::check(&program, &task, &budget()).overall();
        let options = Options { method: Method::Bmc, ..Options::default() };
        let ours = check(&program, &task, &options, &budget()).0.overall();
        let is_safe = |it: &Finding| match it {
            Finding::Safe => true,
            Finding::Unsafe(_) => false,
            other => panic!("{}: {other:?}", file.display()),
        };
        assert_eq!(is_safe(&ours), is_safe(&expected), "{}", file.display());
        n_compared += 1;
    }
    assert!(n_compared > 0, "{} has no rows", folder.display());
}
