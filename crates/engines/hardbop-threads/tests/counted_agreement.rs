//! `counter-explicit` against the reference on random thread programs: same verdicts, equally short
//! traces that replay, same goals in exhaustive runs.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, Reduction, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::{Explicit, replay};
use hardbop_threads::counted::CounterExplicit;

/// The asserts, and the last label of the program if it has one.
fn goals(program: &Program) -> Vec<Goal> {
    let mut goals = vec![Goal::Assert];
    let label = program.all_locs().flat_map(|(_, info)| &info.labels).last();
    goals.extend(label.map(|label| Goal::Label(label.clone())));
    goals
}

fn random_program(seed: u64, profile: &Profile) -> Program {
    let text = hardbop_bp::print(&random::program(seed, profile));
    hardbop_bp::load(&SourceFile::new("random.bp", text)).0.expect("random programs are right")
}

/// The number of statements of the trace of an unsafe claim, replayed; `None` for a safe one.
fn judged(task: &Task<'_>, claim: &Claim, seed: u64) -> Option<u64> {
    match &claim.answer {
        Verdict::Safe => None,
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            let (threads, initial) = (task.threads, task.initial_threads);
            replay(task.program, &task.goal, threads, initial, trace)
                .unwrap_or_else(|error| panic!("seed {seed}, {threads:?}: {error}"));
            Some(trace.n_statements())
        }
        other => panic!("seed {seed}: {other:?}"),
    }
}

/// Safe and unsafe answers compared.
fn compare(profile: &Profile, seeds: std::ops::Range<u64>) -> [usize; 2] {
    let mut compared = [0, 0];
    for seed in seeds {
        let program = random_program(seed, profile);
        let bound = 1 + seed as u32 % 3;
        for goal in goals(&program) {
            let task = Task {
                goal,
                threads: Threads::AtMost(bound),
                initial_threads: InitialThreads::Count(1 + (seed as u32 / 3) % bound),
                ..Task::new(&program)
            };
            if CounterExplicit.accepts(&task).is_err() {
                continue;
            }
            let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(150)));
            let reference = Explicit.check(&task, &ctx);
            if matches!(reference.answer, Verdict::Unknown(Reason::Exhausted(_))) {
                continue;
            }
            let task = Task { want_certificate: false, ..task };
            let claim = CounterExplicit.check(&task, &RunCtx::default());
            assert_eq!(claim.scope.threads, Some(bound));
            let length = judged(&task, &claim, seed);
            assert_eq!(length, judged(&task, &reference, seed), "seed {seed}, {:?}", task.threads);
            compared[usize::from(length.is_some())] += 1;

            // A reduction changes neither answer nor goals; its traces replay, but may be longer.
            for reduction in Reduction::ALL {
                let task = Task { reduction, ..task.clone() };
                let claim = CounterExplicit.check(&task, &RunCtx::default());
                let reduced = judged(&task, &claim, seed);
                assert_eq!(reduced.is_some(), length.is_some(), "seed {seed}, {reduction}");
                assert!(reduced >= length, "seed {seed}, {reduction}");
            }
            let task = Task { exhaustive: true, want_trace: false, ..task };
            let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(150)));
            let reference = Explicit.check(&task, &ctx);
            if reference.goals.is_empty() {
                continue;
            }
            for reduction in Reduction::ALL {
                let task = Task { reduction, ..task.clone() };
                let claim = CounterExplicit.check(&task, &RunCtx::default());
                assert_eq!(claim.goals, reference.goals, "seed {seed}, {reduction}");
            }
        }
    }
    compared
}

#[test]
fn random_thread_programs_have_the_verdicts_of_the_reference() {
    let [safe, unsafe_] = compare(&Profile::threads(), 0..250);
    assert!(safe > 40 && unsafe_ > 40, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn random_programs_with_broadcasts_have_the_verdicts_of_the_reference() {
    let [safe, unsafe_] = compare(&Profile::broadcast(), 0..250);
    assert!(safe > 40 && unsafe_ > 40, "{safe} safe, {unsafe_} unsafe");
}
