use crate::analysis::live::{Live, Population, never_read};
use crate::analysis::{CallGraph, Effects, Follow, ModRef, Reading};
use crate::program::{Loc, LocRef, Program};
use crate::text::{print, read};

/// Reads a program without its header, and compares the live variables of each location of the
/// procedure `proc`, from `l1` on and the exit `l0` last.
fn check(text: &str, population: Population, proc: &str, expect: &[&str]) {
    let program = read(&format!("hardbop-cfg 1\n{text}")).unwrap();
    let live = Live::of(&program, population);
    compare(&program, &live, proc, expect);
}

fn compare(program: &Program, live: &Live, proc: &str, expect: &[&str]) {
    let proc = program.proc_named(proc).unwrap();
    let n = program.procs[proc].locs.len() as u32;
    let names = |loc| {
        let bits = live.at(LocRef { proc, loc: Loc::from_u32(loc) }).iter();
        let names = bits.map(|i| {
            let var = crate::VarId::from_u32(i as u32);
            program.var_info(proc, var).name.to_string()
        });
        names.collect::<Vec<_>>().join(" ")
    };
    let found: Vec<String> = (1..n).chain([0]).map(names).collect();
    assert_eq!(found, expect, "{}", print(program));
}

/// A straight line of actions as a procedure.
fn proc(head: &str, actions: &[&str]) -> String {
    let n = actions.len();
    let mut text = format!("proc {head}\nentry l{}\nexit l0\nloc l0\n", usize::from(n > 0));
    for (i, action) in actions.iter().enumerate() {
        let to = if i + 1 == n { 0 } else { i + 2 };
        text += &format!("loc l{}\nl{} -> l{to}: {action}\n", i + 1, i + 1);
    }
    text + "end\n"
}

use Population::{Many, One};

/// BEB section 3.3.
#[test]
fn live_ranges_of_bebop() {
    let locals = "main()\nlocal a\nlocal b\nlocal c\nlocal d\nlocal e\nlocal f";
    let body = proc(locals, &["a := b | c", "d := a | e", "e := d | e", "f := d"]);
    check(&format!("main main\n{body}"), One, "main", &["b c e", "a e", "d e", "d", ""]);
}

/// BOOM listing 10.2: `g` is live in `foo`, because `main` reads it afterwards.
#[test]
fn live_after_the_call_is_live_in_the_callee() {
    let text = format!(
        "shared g\nmain main\n{}{}",
        proc("main()", &["g := true", "call foo()", "assert g"]),
        proc("foo()", &["skip"])
    );
    check(&text, One, "main", &["", "g", "g", ""]);
    check(&text, One, "foo", &["g", "g"]);
    check(&text, Many, "main", &["g", "g", "g", "g"]);
    // Where the caller keeps what the callee does not modify, the callee need not carry it.
    let program = read(&format!("hardbop-cfg 1\n{text}")).unwrap();
    let (effects, calls) = (Effects::of(&program, Reading::DataFlow), CallGraph::of(&program));
    let modref = ModRef::of(&program, &effects, &calls, Follow::Calls);
    let framed = Live::framed(&program, &effects, &calls, &modref);
    compare(&program, &framed, "main", &["", "g", "g", ""]);
    compare(&program, &framed, "foo", &["", ""]);
}

#[test]
fn a_callee_that_overwrites_stops_liveness() {
    let text = format!(
        "shared g\nshared h\nmain main\n{}{}",
        proc("main()", &["g, h := *, *", "g := call foo(h)", "assert g & h"]),
        proc("foo(x) returns (r)", &["h := x", "r := !h"])
    );
    check(&text, One, "main", &["", "h", "g h", ""]);
    // At the exit g is overwritten by the result, h is still wanted.
    check(&text, One, "foo", &["x", "h", "h r"]);
}

#[test]
fn dropped_results_are_not_live() {
    let text = format!(
        "shared g\nmain main\n{}{}{}",
        proc("main()", &["g, _ := call foo()", "call foo()"]),
        proc("foo() returns (r, s)", &["r, s := *, *"]),
        proc("bar() returns (r)", &["r := *"])
    );
    check(&text, One, "foo", &["", "r"]);
    check(&text, One, "bar", &["", ""]);
}

#[test]
fn enforce_is_read_everywhere() {
    let text = format!(
        "shared g\nmain main\n{}{}",
        proc("main()", &["g := true", "call foo()", "skip"]),
        proc("foo()\nlocal x\nenforce g | x", &["x := *"])
    );
    check(&text, One, "main", &["", "g", "", ""]);
    check(&text, One, "foo", &["g x", "g x"]);
}

#[test]
fn constrain_reads_next_values_of_what_is_not_assigned() {
    let locals = "main()\nlocal a\nlocal b\nlocal c";
    let text = format!("main main\n{}", proc(locals, &["a := * constrain a' ^ b' ^ c"]));
    check(&text, One, "main", &["b c", ""]);
}

#[test]
fn a_new_thread_takes_the_locals_along() {
    let text = "shared g\nshared h\nmain main\nproc main()\nlocal a\nlocal b\nentry l1\nexit l0\n\
                loc l0\nloc l1\nl1 -> l2: start_thread goto l3\nloc l2\nl2 -> l0: end_thread\n\
                loc l3\nl3 -> l4: assume a & g\nloc l4\nl4 -> l0: b, h := *, *\nend\n";
    // Only g is ever read by someone; h is dead everywhere.
    check(text, One, "main", &["g a", "g", "g a", "g", "g"]);
    let program = read(&format!("hardbop-cfg 1\n{text}")).unwrap();
    let effects = Effects::of(&program, Reading::DataFlow);
    assert_eq!(never_read(&program, &effects), [1].into_iter().collect());
}

#[test]
fn a_broadcast_reads_its_values_and_kills_nothing() {
    let locals = "main()\nlocal a\nlocal b";
    let text = format!("main main\n{}", proc(locals, &["assign broadcast a := b", "assert a"]));
    check(&text, Many, "main", &["a b", "a", ""]);
}

#[test]
fn recursion_settles() {
    let text = "shared g\nshared h\nmain main\n\
        proc main()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l2: call f()\nloc l2\n\
        l2 -> l0: assert h\nend\n\
        proc f()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l2: call f()\nl1 -> l0: skip\nloc l2\n\
        l2 -> l0: assert g\nend\n";
    check(text, One, "main", &["g h", "h", ""]);
    check(text, One, "f", &["g h", "g h", "g h"]);
}

#[test]
fn what_follows_a_call_that_never_returns_is_not_reached() {
    let text = "shared g\nmain main\n\
        proc main()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l2: call spin()\nloc l2\n\
        l2 -> l0: assert g\nend\n\
        proc spin()\nentry l1\nexit l0\nloc l0\nloc l1\nl1 -> l1: skip\nend\n";
    check(text, One, "main", &["", "g", ""]);
    check(text, One, "spin", &["", "g"]);
}
