//! Running out is an answer with numbers, never a crash and never `safe`.

mod common;

use std::time::Duration;

use common::{Said, claim, load, main_with};
use hardbop_base::{Budget, CancelToken, Exhausted};
use hardbop_cfg::Goal;
use hardbop_engine::{Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict};
use hardbop_interp::{Explicit, replay};

fn reason(task: &Task<'_>, budget: Budget) -> Reason {
    match claim(task, &RunCtx::new(budget)).1.answer {
        Verdict::Unknown(reason) => reason,
        answer => panic!("{answer:?}"),
    }
}

/// `a0, a1, …`, each followed by `last`.
fn many(n: usize, last: &str) -> String {
    (0..n).map(|i| format!("a{i}{last}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_is_too_wide_to_enumerate_is_unknown() {
    let reads = format!("assert({} | T);", many(40, "").replace(", ", " | "));
    let shared = main_with(&format!("decl {};", many(40, "")), &reads);
    let local = main_with("", &format!("decl {}; {reads}", many(40, "")));
    let choices = many(40, "").split(", ").map(|_| "*").collect::<Vec<_>>().join(", ");
    let assigned = main_with(
        &format!("decl {};", many(40, " := F")),
        &format!("{} := {choices}; {reads}", many(40, "")),
    );
    for text in [shared, local, assigned] {
        let program = load(&text);
        let reason = reason(&Task::new(&program), Budget::unlimited());
        assert_eq!(reason, Reason::Exhausted(Exhausted::States(1 << 20)), "{text}");
    }
}

#[test]
fn width_that_cannot_matter_is_no_obstacle() {
    // Never read, or overwritten before it is read.
    let unread = format!("decl {0}; {0} := {1};", many(60, ""), vec!["*"; 60].join(", "));
    let program = load(&main_with(
        &format!("decl g; decl {};", many(60, "x")),
        &format!("{unread} assert(g);"),
    ));
    assert_eq!(claim(&Task::new(&program), &RunCtx::default()).0, Said::Unsafe);
    let overwritten = format!("decl {0}; {0} := {1};", many(60, ""), vec!["F"; 60].join(", "));
    let asserts = format!("assert(!({}));", many(60, "").replace(", ", " | "));
    let program = load(&main_with("", &format!("{overwritten} {asserts}")));
    assert_eq!(claim(&Task::new(&program), &RunCtx::default()).0, Said::Safe);
}

/// One thread counts up in a stack that never ends, beside another.
const ENDLESS: &str = "decl g; void f() begin f(); end void idle() begin skip; end
    void main() begin start_thread idle(); f(); assert(F); end";

#[test]
fn time_and_cancellation_end_a_run() {
    let program = load(ENDLESS);
    let task = Task { threads: Threads::AtMost(2), ..Task::new(&program) };
    let limit = Duration::from_millis(50);
    let out_of_time = Reason::Exhausted(Exhausted::Time(limit));
    assert_eq!(reason(&task, Budget::unlimited().with_time(limit)), out_of_time);
    let cancel = CancelToken::default();
    cancel.cancel();
    let cancelled = Reason::Exhausted(Exhausted::Cancelled);
    assert_eq!(reason(&task, Budget::unlimited().with_cancel(cancel.clone())), cancelled);
    let program = load("void main() begin main(); assert(F); end");
    assert_eq!(reason(&Task::new(&program), Budget::unlimited().with_cancel(cancel)), cancelled);
}

#[test]
fn any_number_of_threads_is_bounded_by_the_last_number_finished() {
    // Each thread starts two more, and none ever does harm.
    let text = "decl g := T; void f() begin start_thread f(); start_thread f(); assert(g); end
        void main() begin start_thread f(); end";
    let program = load(text);
    let (verdict, claim) = claim(&Task::new(&program), &RunCtx::default());
    assert_eq!(verdict, Said::Unknown);
    assert!(matches!(claim.answer, Verdict::Unknown(Reason::Bounded(_))));
    assert_eq!(claim.scope.threads, Some(6));
}

#[test]
fn any_number_of_initial_threads_is_never_safe_by_enumeration() {
    let text = "decl a := F; void main() begin decl x; x, a := a, T; assert(T); end";
    let program = load(text);
    let initial_threads = InitialThreads::Unbounded;
    let threads = Threads::Unbounded;
    let task = Task { initial_threads, threads, ..Task::new(&program) };
    assert!(matches!(reason(&task, Budget::unlimited()), Reason::Bounded(_)));
    // Without a place to reach, it is.
    let task = Task { goal: Goal::Label("nowhere".into()), ..task };
    assert_eq!(claim(&task, &RunCtx::default()).0, Said::Safe);
    let unsafe_with_two = load(&text.replace("assert(T)", "assert(!x)"));
    let task = Task { program: &unsafe_with_two, goal: Goal::Assert, ..task };
    let (verdict, claim) = claim(&task, &RunCtx::default());
    assert_eq!(verdict, Said::Unsafe);
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = claim.answer else { unreachable!() };
    assert_eq!(trace.initial.locals.len(), 2);
}

#[test]
fn tasks_that_make_no_sense_are_refused() {
    let program = load(ENDLESS);
    let task = Task::new(&program);
    let one = InitialThreads::Count(1);
    for (threads, initial_threads) in [
        (Threads::Sequential, one),
        (Threads::AtMost(0), one),
        (Threads::AtMost(2), InitialThreads::Count(3)),
        (Threads::AtMost(2), InitialThreads::Count(0)),
        (Threads::AtMost(2), InitialThreads::Unbounded),
    ] {
        let task = Task { threads, initial_threads, ..task.clone() };
        assert!(Explicit.accepts(&task).is_err(), "{threads:?} {initial_threads:?}");
    }
}

#[test]
fn a_run_longer_than_can_be_written_goes_over_calls() {
    // f0 calls f1 twice, f1 calls f2 twice, …: 2^40 statements, found at once.
    let calls = |i: usize| format!("void f{i}() begin f{0}(); f{0}(); end ", i + 1);
    let procs: String = (0..40).map(calls).collect();
    let text = format!("{procs} void f40() begin skip; end void main() begin f0(); assert(F); end");
    let program = load(&text);
    let task = Task::new(&program);
    let claim = Explicit.check(&task, &RunCtx::default());
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = claim.answer else {
        panic!("{claim:?}")
    };
    let (threads, initial) = (task.threads, task.initial_threads);
    assert!(replay(&program, &task.goal, threads, initial, &trace).is_ok());
    assert!(trace.n_statements() > 1 << 40 && trace.passages.len() <= 41);
    assert_eq!(claim.stats.get("trace_statements"), Some(trace.n_statements()));
}
