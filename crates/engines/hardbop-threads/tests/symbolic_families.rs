//! Generated families whose verdicts are known.

use hardbop_base::SourceFile;
use hardbop_engine::{Claim, Engine, InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_gen::families;
use hardbop_interp::replay;
use hardbop_threads::symbolic::{Counter, Symbolic, SymbolicPc};

/// Whether the template, begun by `n` threads, is unsafe; its claim.
fn check(engine: &dyn Engine, family: &str, n: u32, exhaustive: bool) -> (bool, Claim) {
    let family = families::find(family).expect("the family exists");
    let text = (family.generate)(&[]).expect("the template needs no numbers");
    let program = hardbop_bp::load(&SourceFile::new("f.bp", text)).0.expect("families are right");
    let task = Task {
        threads: Threads::AtMost(n),
        initial_threads: InitialThreads::Count(n),
        exhaustive,
        want_trace: !exhaustive,
        want_certificate: false,
        ..Task::new(&program)
    };
    engine.accepts(&task).expect("threads without recursion");
    let claim = engine.check(&task, &RunCtx::default());
    let is_unsafe = match &claim.answer {
        Verdict::Safe => false,
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(&program, &task.goal, task.threads, task.initial_threads, trace)
                .expect("the trace is a run");
            true
        }
        Verdict::Unsafe(Reached { trace: None, .. }) => exhaustive,
        other => panic!("{other:?}"),
    };
    (is_unsafe, claim)
}

/// BOOM appendix A.3: three threads are needed.
#[test]
fn the_bluetooth_driver_fails_with_three_threads() {
    for engine in [&Counter as &dyn Engine, &Symbolic, &SymbolicPc] {
        assert!(!check(engine, "bluetooth", 2, false).0, "{}", engine.name());
        assert!(check(engine, "bluetooth", 3, false).0, "{}", engine.name());
        assert!(!check(engine, "bluetooth-fixed", 3, false).0, "{}", engine.name());
    }
}

/// Polynomial growth: with each thread the factor falls.
#[test]
fn product_states_grow_ever_slower() {
    let states = |n| {
        let (is_unsafe, claim) = check(&Counter, "bluetooth", n, true);
        assert!(is_unsafe);
        claim.stats.get("states").expect("states are counted") as f64
    };
    let factors: Vec<f64> = (4..8).map(|n| states(n) / states(n - 1)).collect();
    assert!(factors.windows(2).all(|pair| pair[1] < pair[0]), "{factors:?}");
}
