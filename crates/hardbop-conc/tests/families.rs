//! `counter-explicit` on generated families whose verdicts are known.

use hardbop_base::SourceFile;
use hardbop_conc::CounterExplicit;
use hardbop_engine::{Answer, Claim, Engine, InitialThreads, RunCtx, Task, Threads};
use hardbop_gen::families;
use hardbop_interp::replay;

/// Whether the template, begun by `n` threads, is unsafe; its claim.
fn check(family: &str, n: u32) -> (bool, Claim) {
    let family = families::find(family).expect("the family exists");
    let text = (family.generate)(&[]).expect("the template needs no numbers");
    let program = hardbop_bp::load(&SourceFile::new("f.bp", text)).0.expect("families are right");
    let task = Task {
        threads: Threads::AtMost(n),
        initial_threads: InitialThreads::Count(n),
        ..Task::new(&program)
    };
    CounterExplicit.accepts(&task).expect("threads without recursion");
    let claim = CounterExplicit.check(&task, &RunCtx::default());
    let is_unsafe = match &claim.answer {
        Answer::Safe => false,
        Answer::Unsafe { trace: Some(trace), .. } => {
            replay(&program, &task.goal, task.threads, task.initial_threads, trace)
                .expect("the trace is a run");
            true
        }
        other => panic!("{other:?}"),
    };
    (is_unsafe, claim)
}

/// BOOM appendix A.3: one stopper and two adders are needed.
#[test]
fn the_bluetooth_driver_fails_with_three_threads() {
    assert!(!check("bluetooth", 2).0);
    assert!(check("bluetooth", 3).0);
    assert!(!check("bluetooth-fixed", 3).0);
}

/// Threads in equal states are counted: a thread more does not multiply the states by those of a
/// thread.
#[test]
fn states_grow_slower_than_the_product_of_threads() {
    let states = |n| check("bluetooth-fixed", n).1.stats.get("states").expect("states are counted");
    let (two, three) = (states(2), states(3));
    let locals = check("bluetooth-fixed", 3).1.stats.get("thread_states").expect("counted");
    assert!(three < two * locals / 2, "{two}, {three} states, {locals} of a thread");
}
