//! Design section 2, item by item: a small program and its verdict.

mod common;

use Said::{Safe, Unsafe};
use common::{Said, main_with, reaches, verdict, verdict_with};

#[track_caller]
fn check(text: &str, expected: Said) {
    assert_eq!(verdict(text), expected, "{text}");
}

#[track_caller]
fn body(globals: &str, body: &str, expected: Said) {
    check(&main_with(globals, body), expected);
}

#[test]
fn item_1_everything_uninitialised_is_any_value() {
    body("decl g;", "assert(g);", Unsafe);
    body("decl g;", "assert(!g);", Unsafe);
    body("decl g := T;", "assert(g);", Safe);
    body("decl g, h := g;", "assert(g = h);", Safe);
    body("decl g := *;", "assert(g);", Unsafe);
    body("", "decl x; assert(x);", Unsafe);
    body("", "decl x := T; assert(x);", Safe);
    // A call starts with fresh locals, even after one that left them true.
    let fresh = "decl g; void f() begin decl x; assert(!g | x); x := T; g := T; end";
    check(&format!("{fresh} void main() begin g := F; f(); f(); end"), Unsafe);
    let returned = "bool f() begin skip; end void main() begin decl x; x := f(); assert(x); end";
    check(returned, Unsafe);
    check(&returned.replace("assert(x)", "assert(!x)"), Unsafe);
}

#[test]
fn item_2_every_choice_is_its_own() {
    body("decl g;", "g := (* = *); assert(g);", Unsafe);
    body("decl a, b;", "a, b := *, *; assert(a = b);", Unsafe);
    body("", "assert(* | !*);", Unsafe);
    body("", "if (*) then assert(F); fi", Unsafe);
}

#[test]
fn item_2_schoose() {
    for (p, n, may_be_true, may_be_false) in [
        ("F", "F", true, true),
        ("F", "T", false, true),
        ("T", "F", true, false),
        ("T", "T", true, false),
    ] {
        let expect = |reachable| if reachable { Unsafe } else { Safe };
        let choose = format!("decl x; x := schoose[{p},{n}];");
        body("", &format!("{choose} assert(!x);"), expect(may_be_true));
        body("", &format!("{choose} assert(x);"), expect(may_be_false));
    }
}

#[test]
fn item_3_an_assertion_may_fail_and_execution_goes_on() {
    body("decl g;", "assert(*);", Unsafe);
    let goes_on = main_with("decl g;", "g := T; assert(* & g); L: skip;");
    assert_eq!(reaches(&goes_on, "L"), Unsafe);
    let stops = main_with("decl g;", "g := F; assert(g); L: skip;");
    assert_eq!(reaches(&stops, "L"), Safe);
    // Where it goes on, its condition held.
    assert_eq!(reaches(&main_with("decl g;", "assert(g); if (!g) then L: skip; fi"), "L"), Safe);
    body("decl g;", "assume(g); assert(g);", Safe);
    body("decl g;", "assume(*); assert(g);", Unsafe);
    body("decl g;", "while (g) do g := *; od assert(!g);", Safe);
    body("decl g;", "if (g) then skip; elsif (!g) then skip; else assert(F); fi", Safe);
}

#[test]
fn item_4_assignments_are_parallel_and_constrained() {
    body("decl a := T, b := F;", "a, b := b, a; assert(!a & b);", Safe);
    body("decl a;", "a := * constrain 'a; assert(a);", Safe);
    body("decl a;", "a := * constrain a'; assert(a);", Safe);
    body("decl a := F;", "a := * constrain a; L: assert(F);", Safe);
    body("decl a, b;", "a, b := *, * constrain ('a = 'b); assert(a = b);", Safe);
    body("decl a, b;", "a, b := *, * constrain (a = 'b); assert(a = b);", Unsafe);
    // The next value of what is not assigned is the value it has.
    body("decl a := F, b;", "b := * constrain 'a; assert(F);", Safe);
    // Also where nobody reads the value afterwards.
    for constraint in ["'a", "!'a"] {
        let text = main_with("decl a;", &format!("a := * constrain {constraint}; L: skip;"));
        assert_eq!(reaches(&text, "L"), Unsafe);
    }
    // A choice in the constraint may make it hold.
    body("decl a;", "a := * constrain ('a & *); assert(a);", Safe);
}

#[test]
fn item_5_enforce_abortif_dead_print() {
    body("decl g;", "enforce g; assert(g);", Safe);
    body("decl g;", "abortif g; assert(!g);", Safe);
    body("decl g;", "enforce g; g := *; assert(g);", Safe);
    body("decl g;", "enforce *; assert(g);", Unsafe);
    // It holds in its own procedure only, and again when control is back.
    let elsewhere = "decl g; void f() begin g := F; R: skip; if (*) then g := T; fi end
        void main() begin enforce g; f(); assert(g); L: skip; end";
    check(elsewhere, Safe);
    assert_eq!(reaches(elsewhere, "R"), Unsafe);
    assert_eq!(reaches(elsewhere, "L"), Unsafe);
    body("decl g := T;", "dead g; assert(g);", Unsafe);
    body("decl g := T;", "print(g); assert(g);", Safe);
}

#[test]
fn item_5_enforce_at_the_start_of_a_thread() {
    let start = |value| {
        format!(
            "decl g := {value}; void f() begin enforce g; skip; end
             void main() begin start_thread f(); assert(F); end"
        )
    };
    check(&start("T"), Unsafe);
    check(&start("F"), Safe);
    // At the bound nothing is started, so nothing is in the way.
    assert_eq!(verdict_with(&start("F"), 1, 1), Unsafe);
    assert_eq!(verdict_with(&start("F"), 2, 1), Safe);
}

#[test]
fn item_5_enforce_where_a_thread_is_left_waiting() {
    // Only a step from a state without g could set b, and f has none there.
    let text = "decl g := T, b := F; void f() begin enforce g; g, b := T, !g; end
        void main() begin start_thread f(); g := F; assert(!b); g := F; assert(!b); end";
    check(text, Safe);
    check(&text.replace("enforce g;", ""), Unsafe);
}

#[test]
fn item_6_goto_chooses() {
    let choose = main_with("", "goto 1, L; 1: goto E; L: K: skip; E: skip;");
    for (label, expected) in [("1", Unsafe), ("L", Unsafe), ("K", Unsafe), ("E", Unsafe)] {
        assert_eq!(reaches(&choose, label), expected, "{label}");
    }
    let over = main_with("", "goto E; L: skip; E: skip;");
    assert_eq!(reaches(&over, "L"), Safe);
}

#[test]
fn item_7_three_ways_to_start_a_thread() {
    // A copy of the locals, not the locals.
    let copy = "decl done := F;
        void main() begin decl x; x := T; start_thread goto L; x := F; assume(done); assert(!x);
        goto E; L: assert(x); x := *; done := T; E: skip; end";
    check(copy, Safe);
    let copied = "void main() begin decl x; start_thread goto L; end_thread; L: assert(x); end";
    check(copied, Unsafe);
    check(&copied.replace("assert(x)", "assert(!x)"), Unsafe);
    let call = "decl g := F; void f(a) begin g := a; end
        void main() begin start_thread f(T); assert(!g); end";
    check(call, Unsafe);
    let label = "decl g := F; void f(a) begin g := a; end
        void main() begin ASYNC_1: f(T); assert(!g); end";
    check(label, Unsafe);
    check(&label.replace("f(T)", "f(F)"), Safe);
    // The new thread ends with its call: nothing after the call runs in it.
    let ends = "decl g := F; void f() begin skip; end
        void main() begin start_thread f(); assume(g); assert(F); end";
    check(ends, Safe);
    let end_thread = "void f() begin end_thread; end void main() begin f(); assert(F); end";
    check(end_thread, Safe);
    assert_eq!(
        reaches("void main() begin start_thread goto L; end_thread; L: skip; end", "L"),
        Unsafe
    );
}

/// Two other threads must be alive at once for the assertion to fail.
const TWO_AT_ONCE: &str = "decl a := F, b := F;
    void f() begin a := T; assume(b); assert(F); end
    void g() begin assume(a); b := T; assume(F); end
    void main() begin start_thread f(); start_thread g(); end";

#[test]
fn item_8_at_the_bound_a_start_is_skip() {
    check(TWO_AT_ONCE, Unsafe);
    assert_eq!(verdict_with(TWO_AT_ONCE, 1, 1), Safe);
    assert_eq!(verdict_with(TWO_AT_ONCE, 3, 1), Unsafe);
    let skip = "void f() begin skip; end void main() begin start_thread f(); assert(F); end";
    assert_eq!(verdict_with(skip, 1, 1), Unsafe);
}

#[test]
fn item_8_a_thread_that_ends_frees_its_place() {
    // `main` ends after its starts, so f and g fit into two places only if main's is freed.
    let staying = TWO_AT_ONCE.replace("start_thread g(); end", "start_thread g(); assume(F); end");
    assert_eq!(verdict_with(&staying, 2, 1), Safe);
    assert_eq!(verdict_with(&staying, 3, 1), Unsafe);
    // Three in a row through one free place.
    let relay = "decl n0 := F, n1 := F;
        void f() begin n0, n1 := n0 != n1, T; end
        void main() begin start_thread f(); start_thread f(); start_thread f(); assert(!(n1 & !n0)); end";
    assert_eq!(verdict_with(relay, 2, 1), Unsafe);
}

#[test]
fn item_9_only_the_holder_runs() {
    let race = |begin: &str, end: &str| {
        format!(
            "decl g := F; void f() begin g := T; end
             void main() begin start_thread f(); {begin} g := F; assert(!g); {end} end"
        )
    };
    check(&race("", ""), Unsafe);
    check(&race("atomic_begin;", "atomic_end;"), Safe);
    // One flag, not nested: the first end gives it back.
    check(&race("atomic_begin; atomic_begin; atomic_end;", ""), Unsafe);
    check(&race("atomic_begin; atomic_begin;", ""), Safe);
    // An end without a begin does nothing.
    check(&race("atomic_end;", ""), Unsafe);
}

#[test]
fn item_9_the_end_of_the_holder_releases() {
    let hold = |last: &str| {
        format!(
            "decl g := F; void f() begin assume(g); assert(F); end
             void main() begin start_thread f(); atomic_begin; g := T; {last} end"
        )
    };
    check(&hold(""), Unsafe);
    check(&hold("end_thread;"), Unsafe);
    // A holder that cannot go on stops everything.
    check(&hold("assume(F);"), Safe);
}

#[test]
fn item_9_the_holder_is_like_no_other_thread() {
    // Two threads at M that differ only in who holds the flag; the other one has to be first.
    let text = "decl a := F, b := F; void main() begin goto A, B;
        B: atomic_begin; b := T; goto M;
        A: a := T; M: assume(a & b); assert(F); end";
    assert_eq!(verdict_with(text, 2, 2), Unsafe);
    assert_eq!(verdict_with(text, 1, 1), Safe);
}

#[test]
fn item_10_initial_threads() {
    let two = "decl a := F; void main() begin decl x; x, a := a, T; assert(!x); end";
    assert_eq!(verdict_with(two, 1, 1), Safe);
    assert_eq!(verdict_with(two, 2, 2), Unsafe);
}

#[test]
fn item_10_getafix() {
    let text = |expected: &str| {
        format!(
            "decl atomic, b; void init() begin b := F; end
             void one() begin b := T; end
             void two() begin if ({expected}) then SLIC_ERROR: skip; fi end"
        )
    };
    check(&text("b"), Unsafe);
    check(&text("F"), Safe);
    check(&text("b & !b"), Safe);
}

#[test]
fn item_11_broadcast_reaches_all_other_threads() {
    // x is true in the moving thread and false in the other.
    let text = |value: &str| {
        format!(
            "decl go := F; void main() begin decl x; x := T; start_thread goto L; assume(go);
             x$ := {value}; go := F; assert(x); goto E;
             L: go := T; assume(!go); M: assert(x); E: skip; end"
        )
    };
    check(&text("T"), Safe);
    check(&text("F"), Unsafe);
    check(&text("*"), Unsafe);
    check(&text("x"), Safe);
    // Every other thread gets its own choice.
    let own = "decl n0 := F, n1 := F, go := F; void main() begin decl x; x := F;
        start_thread goto L; start_thread goto L; x$ := *; go := T; goto E;
        L: assume(go); if (!x) then n0 := T; else n1 := T; fi assert(!(n0 & n1)); E: skip; end";
    check(own, Unsafe);
}

#[test]
fn item_11_broadcast_reaches_every_frame_of_the_procedure() {
    // The other thread is in f, called by main, or waits in f for h.
    for waits in ["skip;", "h();"] {
        let text = format!(
            "decl go := F, done := F; void h() begin go := T; assume(done); end
             void f(who) begin decl x; x := T;
             if (who) then {waits} go := T; assume(done); assert(x); else assume(go); x$ := F;
             done := T; assert(x); fi end
             void g() begin f(T); end
             void main() begin start_thread g(); f(F); end"
        );
        check(&text, Unsafe);
        check(&text.replace("x$ := F", "x$ := x"), Safe);
    }
}

#[test]
fn item_12_the_goal_of_a_file() {
    body("", "SLIC_ERROR: skip;", Unsafe);
    body("", "goto E; ERROR: skip; E: skip;", Safe);
    // With an assertion the label is a label like others.
    body("", "ERROR: assert(T);", Safe);
    body("", "OTHER: skip;", Safe);
}
