//! The engines for any number of threads against each other and against runs with few threads, on
//! random thread programs.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify;
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::graph::unreachable_in_graph;
use hardbop_interp::{Explicit, replay};
use hardbop_threads::cover::{BackwardSearch, Cutoff, KarpMillerExplicit};

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

fn limited(milliseconds: u64) -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(milliseconds)))
}

/// Whether a claim is unsafe, its trace replayed; `None` if time ran out.
fn judged(task: &Task<'_>, claim: &Claim, what: &str) -> Option<bool> {
    match &claim.answer {
        Verdict::Safe => {
            match &claim.certificate {
                Some(certificate) => {
                    certify(task.program, certificate, &Budget::unlimited())
                        .unwrap_or_else(|rejected| panic!("{what}: {rejected}"));
                }
                // Time was up, and the graph alone excludes the goal.
                None => assert!(unreachable_in_graph(task.program, &task.goal), "{what}"),
            }
            Some(false)
        }
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            Some(true)
        }
        // The verdict was there in time, the trace was not.
        Verdict::Unsafe(Reached { trace: None, .. })
            if matches!(claim.lacks, Some(Reason::Exhausted(_))) =>
        {
            Some(true)
        }
        Verdict::Unknown(Reason::Exhausted(_)) => None,
        other => panic!("{what}: {other:?}"),
    }
}

/// `backward` always ends; the others need not, with broadcasts or with many threads.
fn patience(engine: &dyn Engine) -> u64 {
    if engine.name() == "backward" { 5000 } else { 50 }
}

/// Safe, unsafe and undecided answers.
fn compare(profile: &Profile, seeds: std::ops::Range<u64>) -> [usize; 3] {
    let engines: [&dyn Engine; 3] = [&BackwardSearch, &KarpMillerExplicit, &Cutoff];
    let mut compared = [0; 3];
    for seed in seeds {
        let program = random_program(seed, profile);
        for goal in goals(&program) {
            let initial_threads = match seed % 3 {
                0 => InitialThreads::Unbounded,
                n => InitialThreads::Count(n as u32),
            };
            let threads = Threads::Unbounded;
            let task = Task { goal, threads, initial_threads, ..Task::new(&program) };
            if KarpMillerExplicit.accepts(&task).is_err() {
                continue;
            }
            let mut verdict = None;
            for engine in engines {
                let what = format!("seed {seed}, {}, {}", task.goal, engine.name());
                let claim = engine.check(&task, &limited(patience(engine)));
                let Some(said) = judged(&task, &claim, &what) else { continue };
                assert!(verdict.is_none_or(|before| before == said), "{what} disagrees: {said}");
                verdict = Some(said);
            }
            match verdict {
                None => compared[2] += 1,
                Some(is_unsafe) => compared[usize::from(is_unsafe)] += 1,
            }
            // The reference follows all runs with 1, 2, … threads as far as it gets.
            let reference = Explicit.check(&task, &limited(20));
            let found = matches!(reference.answer, Verdict::Unsafe(_));
            assert!(!found || verdict != Some(false), "seed {seed}, {}: missed", task.goal);
        }
    }
    compared
}

#[test]
fn random_thread_programs_get_one_verdict() {
    let [safe, unsafe_, open] = compare(&Profile::threads(), 0..n_seeds(400));
    println!("{safe} safe, {unsafe_} unsafe, {open} undecided");
    assert!(safe > 100 && unsafe_ > 100, "{safe} safe, {unsafe_} unsafe, {open} undecided");
    assert!(open * 100 <= safe + unsafe_, "{open} undecided");
}

#[test]
fn random_programs_with_broadcasts_get_one_verdict() {
    let [safe, unsafe_, open] = compare(&Profile::broadcast(), 0..n_seeds(200));
    println!("{safe} safe, {unsafe_} unsafe, {open} undecided");
    assert!(safe > 30 && unsafe_ > 30, "{safe} safe, {unsafe_} unsafe, {open} undecided");
    assert!(open * 50 <= safe + unsafe_, "{open} undecided");
}

/// `HARDBOP_SEEDS` asks for another number of programs.
fn n_seeds(usual: u64) -> u64 {
    std::env::var("HARDBOP_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
