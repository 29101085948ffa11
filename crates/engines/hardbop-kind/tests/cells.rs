//! Loops over large arrays are proved by following cells; their wrong twins are not.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_cir::Class;
use hardbop_engine_c::{Finding, Options};
use hardbop_kind::print::{for_every_index, is_of_source};
use hardbop_kind::{Proof, check};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void *malloc(unsigned long); extern void *memset(void *, int, unsigned long);
void check(int c) { if (!c) reach_error(); }\n";

fn prove(text: &str, property: &str) -> Option<Proof> {
    let classes = Class::select(property).expect("a property the test names");
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(100));
    let options = Options { classes, unwind: None, stop_at_first: true };
    let (report, proof) = check(&loaded.program, &options, &budget);
    assert_eq!(report.overall() == Finding::Safe, proof.is_some(), "{text}");
    proof
}

#[track_caller]
fn proved(text: &str) -> Proof {
    prove(text, "unreach-call").unwrap_or_else(|| panic!("not proved: {text}"))
}

/// Never proved. The engine gives up after all it knows, which takes longer than a proof, so the cells
/// are asked alone.
#[track_caller]
fn open(text: &str) {
    open_for(text, vec![Class::Assert]);
}

#[track_caller]
fn open_for(text: &str, classes: Vec<Class>) {
    let options = hardbop_c::Options { classes: classes.clone(), ..Default::default() };
    let loaded = hardbop_c::load_text(vec![("t.c".into(), format!("{HEAD}{text}"))], &options)
        .expect("the test's program is C");
    let budget = Budget::unlimited().with_time(Duration::from_secs(4));
    let followable = hardbop_kind::cells::Followable::of(&loaded.program, &classes, 2);
    let found = followable.map(|it| it.prove(&classes, &budget));
    assert!(!matches!(found, Some(Ok(Some(_)))), "proved: {text}");
}

/// A program and what must be replaced by what to make it wrong.
#[track_caller]
fn twins(right: &str, from: &str, to: &str) {
    proved(right);
    assert!(right.contains(from), "{from} is not in {right}");
    open(&right.replace(from, to));
}

#[test]
fn initialised_elements_have_their_value() {
    let text = "int main() { int a[100000], i; for (i = 0; i < 100000; i++) a[i] = 42;
        for (int x = 0; x < 100000; x++) check(a[x] == 42); }";
    let proof = proved(text);
    let said = for_every_index(&proof).join("\n");
    assert!(said.contains("for every index j: "), "{said}");
    assert!(said.contains("implies a[j] == 42"), "{said}");
    let sayable = proof.invariants.values().flatten().filter(|it| is_of_source(&proof, **it));
    for &expr in sayable {
        let text = hardbop_kind::print::c_expr(&proof.program, expr);
        assert!(!text.contains('j') && !text.contains('['), "{text}");
    }
    open(&text.replace("a[x] == 42", "a[x] == 43"));
    // The last element has no value.
    open(&text.replace("i < 100000", "i < 99999"));
    // The access outside is no proof, either.
    open(&text.replace("x < 100000", "x <= 100000"));
}

#[test]
fn values_may_depend_on_the_index() {
    twins(
        "int a[5000]; int main() { int i; for (i = 4999; i >= 0; i--) a[i] = i + 3;
            for (i = 0; i < 5000; i++) check(a[i] == i + 3); }",
        "i >= 0",
        "i > 0",
    );
}

#[test]
fn copies_and_chains_of_copies() {
    twins(
        "int main() { int a[9999], b[9999], c[9999], i;
            for (i = 0; i < 9999; i++) b[i] = a[i];
            for (i = 0; i < 9999; i++) c[i] = b[i];
            for (i = 0; i < 9999; i++) check(c[i] == a[i]); }",
        "c[i] = b[i]",
        "c[i] = b[0]",
    );
}

#[test]
fn largest_and_smallest_elements() {
    twins(
        "int main() { int a[9999], i, max = 0;
            for (i = 0; i < 9999; i++) if (a[i] > max) max = a[i];
            for (i = 0; i < 9999; i++) check(a[i] <= max); }",
        "i = 0; i < 9999; i++) if",
        "i = 1; i < 9999; i++) if",
    );
}

#[test]
fn elements_that_were_picked_out() {
    twins(
        "int main() { int a[9999], b[9999], i, n = 0;
            for (i = 0; i < 9999; i++) if (a[i] >= 0) { b[n] = a[i]; n++; }
            for (i = 0; i < n; i++) check(b[i] >= 0); }",
        "a[i] >= 0",
        "a[i] >= -1",
    );
}

#[test]
fn relations_of_two_places() {
    twins(
        "int main() { int a[10000], i;
            for (i = 0; i < 5000; i++) a[i] = a[9999 - i];
            for (i = 0; i < 5000; i++) check(a[i] == a[9999 - i]); }",
        "a[i] = a[9999 - i]",
        "a[i] = a[9998 - i]",
    );
}

#[test]
fn arrays_of_other_kinds() {
    let end = "for (i = 0; i < 1000; i++) p[i] = 7; for (i = 0; i < 1000; i++) check(p[i] == 7); }";
    for begin in [
        "int main() { int i, n = 1000; int p[n];",
        "int main() { int i; int *p = malloc(1000 * sizeof(int));",
        "void f(int *p) { int i;",
    ] {
        let rest = if begin.contains("main") { "" } else { "int a[1000]; int main() { f(a); }" };
        let text = format!("{begin} {end} {rest}");
        proved(&text);
        open(&text.replace("== 7", "== 8"));
    }
    // Outside, by one.
    open(&format!("int main() {{ int i; int *p = malloc(999 * sizeof(int)); {end}"));
    twins(
        "int main() { short s[4000]; int i; memset(s, 1, sizeof s);
            for (i = 0; i < 4000; i++) check(s[i] == 257); }",
        "sizeof s",
        "sizeof s - 2",
    );
    twins(
        "int g[4000] = { 0, 5 }; int main() { for (int i = 2; i < 4000; i++) check(g[i] == 0); }",
        "i = 2",
        "i = 1",
    );
}

/// Instances that come and go, and addresses that go elsewhere.
#[test]
fn what_is_not_one_array_is_not_followed_as_one() {
    open(
        "int *keep; int main() { int a[1000], i; keep = a;
            for (i = 0; i < 1000; i++) a[i] = 1; keep[5] = 2;
            for (i = 0; i < 1000; i++) check(a[i] == 1); }",
    );
    open(
        "int main() { int i, n = 0, *p = 0, *q; while (n < 2) { q = p; p = malloc(400); n++;
            for (i = 0; i < 100; i++) p[i] = n; }
            for (i = 0; i < 100; i++) check(q[i] == 2); }",
    );
    open(
        "int f(int n) { int a[100], i; for (i = 0; i < 100; i++) a[i] = n;
            if (n > 0) f(n - 1); for (i = 0; i < 100; i++) check(a[i] == 0); return 0; }
        int main() { f(1); }",
    );
    open(
        "int main() { int i, n; for (n = 0; n < 2; n++) { int a[100];
            if (n == 0) for (i = 0; i < 100; i++) a[i] = 1;
            for (i = 0; i < 100; i++) check(a[i] == 1); } }",
    );
}

/// Where bounds are asked for, they are proved with the same cells.
#[test]
fn bounds_are_checks() {
    let text = "int main() { int a[1000], i; for (i = 0; i < 1000; i++) a[i] = i % 10;
        for (i = 0; i < 1000; i++) a[a[i]] = 0; }";
    // The elements are below 10, as is what is stored later.
    let proof = prove(&text.replace("i % 10", "3"), "valid-deref");
    assert!(proof.is_some_and(|it| it.cells.is_some()));
    open_for(&text.replace("i % 10", "1000"), vec![Class::Bounds]);
}

/// An array that is followed is no object any more, but it can still be lost.
#[test]
fn lost_arrays_are_noticed() {
    let text = "int main() { int i, *p = malloc(4000); for (i = 0; i < 1000; i++) p[i] = 1;
        for (i = 0; i < 1000; i++) check(p[i] == 1); p = 0; return 0; }";
    open_for(text, vec![Class::Leak]);
    open_for(text, vec![Class::Assert, Class::Leak]);
}

/// What a flag says of the elements seen so far.
#[test]
fn flags_remember_elements() {
    let text = "int main() { int a[100000], b[100000], same = 1, i;
        for (i = 0; i < 100000; i++) if (a[i] != b[i]) same = FLAG;
        if (same) for (i = 0; i < 100000; i++) check(a[i] == b[i]); }";
    proved(&text.replace("FLAG", "0"));
    open(&text.replace("FLAG", "1"));
    open(&text.replace("FLAG", "same"));
}
