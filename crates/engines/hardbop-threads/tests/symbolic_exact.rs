//! Ties between the parts of a state that a product must not lose. Each program is safe, and unsafe
//! for an engine that lets the tied values vary freely; its twin is unsafe.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::Program;
use hardbop_engine::{
    Engine, InitialThreads, Reached, Reason, Reduction, RunCtx, Task, Threads, Verdict,
};
use hardbop_interp::replay;
use hardbop_threads::symbolic::{Counter, Symbolic, SymbolicPc};

const ENGINES: [&dyn Engine; 3] = [&Counter, &Symbolic, &SymbolicPc];

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
}

fn task(program: &Program, bound: u32, initial: u32) -> Task<'_> {
    Task {
        threads: Threads::AtMost(bound),
        initial_threads: InitialThreads::Count(initial),
        ..Task::new(program)
    }
}

/// Checks with every engine that takes the program, and with every reduction.
fn check(text: &str, bound: u32, initial: u32, is_safe: bool) {
    let program = load(text);
    let mut n_checked = 0;
    for engine in ENGINES {
        for reduction in Reduction::ALL {
            let task = Task { reduction, ..task(&program, bound, initial) };
            if engine.accepts(&task).is_err() {
                continue;
            }
            n_checked += 1;
            let claim = engine.check(&task, &RunCtx::default());
            let name = engine.name();
            match claim.answer {
                Verdict::Safe => {
                    assert!(is_safe, "{name}, {reduction}: safe\n{text}");
                    assert!(claim.certificate.is_some(), "{name}: few states have a certificate");
                }
                Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                    assert!(!is_safe, "{name}, {reduction}: unsafe\n{text}");
                    replay(&program, &task.goal, task.threads, task.initial_threads, &trace)
                        .expect("the trace is a run");
                }
                other => panic!("{name}, {reduction}: {other:?}"),
            }
        }
    }
    assert!(n_checked >= 2 * Reduction::ALL.len());
}

/// Every text twice: as it is, and with the assertion negated at `@`.
fn check_twins(text: &str, bound: u32, initial: u32) {
    check(&text.replace('@', ""), bound, initial, true);
    check(&text.replace('@', "!"), bound, initial, false);
}

#[test]
fn a_local_read_from_a_shared_variable() {
    check_twins("decl g; void main() begin decl l; l := g; assert(@(l ^ !g)); end", 2, 1);
}

/// BOOM's expansion by the values of the variable that is written does not see the tie of l and h.
#[test]
fn a_shared_variable_tied_to_another_one() {
    let text = "decl g := *, h := g; void main() begin decl l; g := g ^ l; \
                assert(@(g ^ h ^ !l)); end";
    check_twins(text, 1, 1);
}

#[test]
fn a_started_thread_has_the_locals_of_its_creator() {
    let text = "decl g, set := 0; void main() begin decl l; l := *; start_thread goto other; \
                g := l; set := 1; goto done; other: assume(set); assert(@(g ^ !l)); done: skip; end";
    check_twins(text, 2, 1);
}

#[test]
fn a_started_procedure_has_its_arguments() {
    let text = "decl g, set := 0; void main() begin decl l; l := *; start_thread f(l, !l); \
                g := l; set := 1; end \
                void f(a, b) begin assume(set); assert((a ^ b) & (g ^ !a)); end";
    check(text, 2, 1, true);
    check(&text.replace("(a ^ b)", "(a ^ !b)"), 2, 1, false);
}

#[test]
fn a_broadcast_writes_the_same_into_all() {
    let text = "decl g, n := 0; void main() begin decl x; \
                if (*) then g, x$ := x, x; n := 1; else assume(n); assert(@(g ^ !x)); fi end";
    check_twins(text, 3, 3);
}

#[test]
fn a_broadcast_choice_is_made_anew_for_each() {
    let text = "decl g, n := 0, m := 0; void main() begin decl x; x := 0; \
                if (*) then assume(!n); x$ := *; n := 1; \
                else assume(n); if (m) then assert(@(g ^ !x)); fi g, m := x, 1; fi end";
    check(&text.replace('@', ""), 3, 3, false);
    check(&text.replace('@', "!"), 3, 3, false);
}

#[test]
fn initial_threads_share_what_enforce_ties_them_to() {
    let text = "decl g, h, done := 0; void main() begin decl x; enforce (x ^ !g); \
                if (!done) then h := x; done := 1; else assert(@(x ^ !h)); fi end";
    check_twins(text, 3, 3);
}

#[test]
fn a_start_at_the_bound_is_skip() {
    let text = "decl g := 0; void main() begin start_thread goto l; assert(!g); \
                goto done; l: g := 1; done: skip; end";
    check(text, 1, 1, true);
    check(text, 2, 1, false);
}

#[test]
fn nobody_moves_while_another_holds_the_flag() {
    let text = "decl g := 0; void main() begin atomic_begin; g := 1; start_thread goto l; \
                assert(g); goto done; l: g := 0; done: skip; end";
    check(text, 2, 1, true);
    check(&text.replace("atomic_begin;", ""), 2, 1, false);
}

/// A thread in an endless loop of its own must not keep the others from moving.
#[test]
fn local_loops_do_not_hide_what_others_do() {
    let text = "decl g := 0; void main() begin decl x; if (*) then g := 1; \
                while (1) do x := !x; od else assert(!g); fi end";
    check(text, 2, 2, false);
}

/// 2²⁴ initial states and 2¹⁶ outcomes of one statement: not to be enumerated, in traces neither.
#[test]
fn wide_values_stay_sets() {
    let list = |n: usize, name: &str, by: &str| {
        (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(by)
    };
    let (locals, parity) = (list(16, "l", ", "), list(16, "l", " ^ "));
    let text = format!(
        "decl {}; void main() begin decl {locals}, p; {locals} := {}; p := {parity}; \
         if (p ^ ({})) then l5 := l6; assert(l5 ^ !l6); g0 := p; \
         else g1 := !g1; assert(@((p ^ {parity}) = 0)); fi end",
        list(24, "g", ", "),
        vec!["*"; 16].join(", "),
        list(24, "g", " ^ ")
    );
    for (sign, is_safe) in [("", true), ("!", false)] {
        let program = load(&text.replace('@', sign));
        for engine in ENGINES {
            let task = task(&program, 3, 3);
            match engine.check(&task, &RunCtx::default()).answer {
                Verdict::Safe => assert!(is_safe, "{}", engine.name()),
                Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                    assert!(!is_safe, "{}", engine.name());
                    replay(&program, &task.goal, task.threads, task.initial_threads, &trace)
                        .expect("the trace is a run");
                }
                other => panic!("{}: {other:?}", engine.name()),
            }
        }
    }
}

/// 24 bits count up, alone: far more steps than time allows.
#[test]
fn out_of_time_is_unknown() {
    let names: Vec<String> = (0..24).map(|i| format!("b{i}")).collect();
    let up = |i: usize| {
        let below: Vec<_> = (0..i).map(|j| format!("b{j}")).collect();
        if below.is_empty() { "!b0".into() } else { format!("b{i} ^ ({})", below.join(" & ")) }
    };
    let next: Vec<String> = (0..24).map(up).collect();
    let (names, next) = (names.join(", "), next.join(", "));
    let zeros = vec!["0"; 24].join(", ");
    for place in ["decl {}; void main() begin", "void main() begin decl {};"] {
        let text = format!(
            "{} {names} := {zeros}; while (1) do {names} := {next}; od assert(0); end",
            place.replace("{}", &names)
        );
        let program = load(&text);
        for engine in ENGINES {
            let task = Task { exhaustive: true, ..task(&program, 2, 2) };
            let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(200)));
            let claim = engine.check(&task, &ctx);
            let exhausted = matches!(claim.answer, Verdict::Unknown(Reason::Exhausted(_)));
            assert!(exhausted, "{}: {:?}", engine.name(), claim.answer);
            assert!(claim.goals.is_empty());
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let recursive = load("void main() begin main(); assert(0); end");
    let plain = load("decl g; void main() begin decl a, b, c; assert(g); end");
    let broadcast = load("void main() begin decl x; x$ := 1; assert(x); end");
    for engine in ENGINES {
        let refusal = engine.accepts(&task(&recursive, 2, 1)).unwrap_err();
        assert!(refusal.contains("main → main") && refusal.contains("`contexts`"), "{refusal}");
        let sequential = Task { threads: Threads::Sequential, ..task(&plain, 1, 1) };
        assert!(engine.accepts(&sequential).is_err());
        assert!(engine.accepts(&task(&plain, 1, 2)).is_err());
    }
    for engine in [&Symbolic as &dyn Engine, &SymbolicPc] {
        let refusal = engine.accepts(&task(&plain, 1_000_000, 1)).unwrap_err();
        assert!(refusal.contains("1000000 threads with up to 4 variables"), "{refusal}");
    }
    assert!(Counter.accepts(&task(&plain, 1_000_000, 1)).is_ok());
    let refusal = SymbolicPc.accepts(&task(&broadcast, 2, 1)).unwrap_err();
    assert!(refusal.contains("`symbolic`"), "{refusal}");
}
