//! The engines of this crate against the reference on random thread programs: same verdicts, traces
//! that replay, same goals in exhaustive runs.

use std::ops::Range;
use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Order, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::{Explicit, replay};
use hardbop_threads::symbolic::{Counter, Symbolic, SymbolicPc};

/// The asserts, and the last label of the program if it has one.
fn goals(program: &Program) -> Vec<Goal> {
    let mut goals = vec![Goal::Assert];
    let label = program.all_locs().flat_map(|(_, info)| &info.labels).last();
    goals.extend(label.map(|label| Goal::Label(label.clone())));
    goals
}

fn short() -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(150)))
}

/// Whether a claim is unsafe; its trace is replayed.
fn judged(task: &Task<'_>, claim: &Claim, seed: u64) -> bool {
    match &claim.answer {
        Verdict::Safe => false,
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                .unwrap_or_else(|error| panic!("seed {seed}, {task:?}: {error}"));
            true
        }
        other => panic!("seed {seed}, {:?}: {other:?}", task.threads),
    }
}

/// Safe and unsafe answers compared.
fn compare(engine: &dyn Engine, profile: &Profile, seeds: Range<u64>) -> [usize; 2] {
    let mut compared = [0, 0];
    for seed in seeds {
        let text = hardbop_bp::print(&random::program(seed, profile));
        let file = SourceFile::new("random.bp", text);
        let program = hardbop_bp::load(&file).0.expect("random programs are right");
        let bound = 1 + seed as u32 % 3;
        for goal in goals(&program) {
            let task = Task {
                goal,
                threads: Threads::AtMost(bound),
                initial_threads: InitialThreads::Count(1 + (seed as u32 / 3) % bound),
                // Every second program in some other order of variables.
                order: (seed % 2 == 1).then_some(Order::Random(seed)),
                ..Task::new(&program)
            };
            if engine.accepts(&task).is_err() {
                continue;
            }
            let reference = Explicit.check(&task, &short());
            if matches!(reference.answer, Verdict::Unknown(Reason::Exhausted(_))) {
                continue;
            }
            let claim = engine.check(&task, &RunCtx::default());
            assert_eq!(claim.scope.threads, Some(bound));
            let is_unsafe = judged(&task, &claim, seed);
            assert_eq!(is_unsafe, judged(&task, &reference, seed), "seed {seed}, {file:?}");
            compared[usize::from(is_unsafe)] += 1;

            let task = Task { exhaustive: true, ..task };
            let reference = Explicit.check(&task, &short());
            if !reference.goals.is_empty() {
                let claim = engine.check(&task, &RunCtx::default());
                assert_eq!(claim.goals, reference.goals, "seed {seed}, {:?}", task.threads);
            }
        }
    }
    compared
}

fn compare_both(engine: &dyn Engine, seeds: Range<u64>) {
    for profile in [Profile::threads(), Profile::broadcast()] {
        let [safe, unsafe_] = compare(engine, &profile, seeds.clone());
        let n = seeds.clone().count() / 10;
        assert!(safe > n && unsafe_ > n, "{safe} safe, {unsafe_} unsafe");
    }
}

#[test]
fn counter_agrees_with_the_reference() {
    compare_both(&Counter, 0..150);
}

#[test]
fn symbolic_agrees_with_the_reference() {
    compare_both(&Symbolic, 0..150);
}

#[test]
fn symbolic_pc_agrees_with_the_reference() {
    let [safe, unsafe_] = compare(&SymbolicPc, &Profile::threads(), 0..150);
    assert!(safe > 15 && unsafe_ > 15, "{safe} safe, {unsafe_} unsafe");
}
