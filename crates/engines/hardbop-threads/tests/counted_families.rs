//! `counter-explicit` on generated families whose verdicts are known.

use hardbop_base::SourceFile;
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reduction, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::families;
use hardbop_interp::replay;
use hardbop_threads::counted::CounterExplicit;

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
        Verdict::Safe => false,
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(&program, &task.goal, task.threads, task.initial_threads, trace)
                .expect("the trace is a run");
            true
        }
        other => panic!("{other:?}"),
    };
    (is_unsafe, claim)
}

/// Every family of threads has the verdict it was written for, with every reduction.
#[test]
fn families_have_their_verdicts() {
    let sizes: [(&str, &[&str]); 7] = [
        ("spin-lock", &["1", "2"]),
        ("ticket-lock", &["1", "3"]),
        ("readers-writers", &["1", "3"]),
        ("work-queue", &["2", "3"]),
        ("cas-stack", &["2", "3"]),
        ("barrier", &["3"]),
        ("token-ring", &["3"]),
    ];
    for (name, size) in sizes {
        for expected in ["safe", "unsafe"] {
            let family = families::find(name).expect("the family exists");
            // The variant stands behind the first number.
            let mut args: Vec<String> = size.iter().map(|it| it.to_string()).collect();
            args.insert(1, expected.into());
            let text = (family.generate)(&args).expect("the sizes fit");
            let program =
                hardbop_bp::load(&SourceFile::new(name, text)).0.expect("families are right");
            for reduction in Reduction::ALL {
                let threads = Threads::AtMost(4);
                let task = Task { threads, reduction, ..Task::new(&program) };
                let verdict = match CounterExplicit.check(&task, &RunCtx::default()).answer {
                    Verdict::Safe => "safe",
                    Verdict::Unsafe(_) => "unsafe",
                    other => panic!("{name}: {other:?}"),
                };
                assert_eq!(verdict, expected, "{name}, {reduction}");
            }
        }
    }
}

/// The driver in the sizes of BOOM table 7.1, exhaustively. Six threads took BOOM 88.8 s; the states
/// grow with a power of the number of threads, and slower from thread to thread.
#[test]
fn the_states_of_the_bluetooth_driver_are_polynomial() {
    let family = families::find("bluetooth").expect("the family exists");
    let text = (family.generate)(&[]).expect("the template needs no numbers");
    let program = hardbop_bp::load(&SourceFile::new("f.bp", text)).0.expect("families are right");
    let states = |n| {
        let task = Task {
            threads: Threads::AtMost(n),
            initial_threads: InitialThreads::Count(n),
            exhaustive: true,
            want_trace: false,
            ..Task::new(&program)
        };
        let claim = CounterExplicit.check(&task, &RunCtx::default());
        assert_eq!(claim.goals.len(), 4);
        claim.stats.get("states").expect("states are counted") as f64
    };
    let all: Vec<f64> = (2..=7).map(states).collect();
    let growth: Vec<f64> = all.windows(2).map(|pair| pair[1] / pair[0]).collect();
    assert!(growth.windows(2).all(|pair| pair[1] < pair[0]), "{all:?} grow by {growth:?}");
    assert!(all[4] < 30_000.0, "{all:?}");
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
