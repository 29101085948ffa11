//! `karp-miller` against the engines that enumerate, on random thread programs: one verdict, traces that
//! replay, certificates that are accepted, the same goals in exhaustive runs.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_certify::certify;
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::graph::unreachable_in_graph;
use hardbop_interp::replay;
use hardbop_threads::cover::{BackwardSearch, KarpMillerExplicit};
use hardbop_threads::cover_symbolic::KarpMiller;

/// The asserts, and the last label of the program if it has one.
fn goals(program: &Program) -> Vec<Goal> {
    let label = program.all_locs().flat_map(|(_, info)| &info.labels).last();
    let label = label.map(|label| Goal::Label(label.clone()));
    [Goal::Assert].into_iter().chain(label).collect()
}

fn limited(milliseconds: u64) -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(milliseconds)))
}

/// Milliseconds.
const PATIENCE: u64 = 500;

/// What was counted.
#[derive(Default, Debug)]
struct Tally {
    safe: usize,
    unsafe_: usize,
    /// Safe with a certificate.
    certified: usize,
    /// Not decided by `karp-miller` in its time.
    open: usize,
    /// Of these, decided by `karp-miller-explicit` in as much.
    only_explicit: usize,
    /// Exhaustive runs with the same goals.
    exhaustive: usize,
}

impl Tally {
    /// Whether a claim is unsafe, its evidence checked; `None` if time ran out.
    fn judge(&mut self, task: &Task<'_>, claim: &Claim, what: &str) -> Option<bool> {
        match &claim.answer {
            Verdict::Safe => {
                self.safe += 1;
                if let Some(certificate) = &claim.certificate {
                    certify(task.program, certificate, &Budget::unlimited())
                        .unwrap_or_else(|rejected| panic!("{what}: {rejected}"));
                    self.certified += 1;
                } else if unreachable_in_graph(task.program, &task.goal) {
                    // Time was up, and the graph alone excludes the goal.
                    self.certified += 1;
                }
                Some(false)
            }
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                self.unsafe_ += 1;
                replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                Some(true)
            }
            // The verdict was there in time, the trace was not.
            Verdict::Unsafe(Reached { trace: None, .. })
                if matches!(claim.lacks, Some(Reason::Exhausted(_))) =>
            {
                self.unsafe_ += 1;
                Some(true)
            }
            Verdict::Unknown(Reason::Exhausted(_)) => {
                self.open += 1;
                None
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

/// The verdict of an engine that enumerates; `None` if time ran out.
fn verdict(engine: &dyn Engine, task: &Task<'_>, milliseconds: u64) -> Option<bool> {
    match engine.check(task, &limited(milliseconds)).answer {
        Verdict::Safe => Some(false),
        Verdict::Unsafe(_) => Some(true),
        _ => None,
    }
}

fn compare(profile: &Profile, seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let text = hardbop_bp::print(&random::program(seed, profile));
        let file = SourceFile::new("random.bp", text);
        let program = hardbop_bp::load(&file).0.expect("random programs are right");
        let initial_threads = match seed % 3 {
            0 => InitialThreads::Unbounded,
            n => InitialThreads::Count(n as u32),
        };
        for goal in goals(&program) {
            let threads = Threads::Unbounded;
            let task = Task { goal, threads, initial_threads, ..Task::new(&program) };
            if KarpMiller.accepts(&task).is_err() {
                continue;
            }
            let what = format!("seed {seed}, {}", task.goal);
            let plain = Task { want_trace: false, want_certificate: false, ..task.clone() };
            let claim = KarpMiller.check(&task, &limited(PATIENCE));
            let Some(is_unsafe) = tally.judge(&task, &claim, &what) else {
                let explicit = verdict(&KarpMillerExplicit, &plain, PATIENCE);
                tally.only_explicit += usize::from(explicit.is_some());
                continue;
            };
            for (engine, patience) in
                [(&BackwardSearch as &dyn Engine, 2000), (&KarpMillerExplicit, 50)]
            {
                let said = verdict(engine, &plain, patience);
                let name = engine.name();
                assert!(said.is_none_or(|said| said == is_unsafe), "{what}: {name} disagrees");
            }
            let task = Task { exhaustive: true, ..plain };
            let expected = KarpMillerExplicit.check(&task, &limited(50)).goals;
            let found = KarpMiller.check(&task, &limited(200)).goals;
            if !expected.is_empty() && !found.is_empty() {
                assert_eq!(found, expected, "{what}");
                tally.exhaustive += 1;
            }
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn random_thread_programs_get_one_verdict() {
    let it = compare(&Profile::threads(), 0..n_seeds(250));
    assert!(it.safe > 60 && it.unsafe_ > 60, "{it:?}");
    assert!(it.open * 100 <= it.safe + it.unsafe_ && it.exhaustive > 100, "{it:?}");
    assert!(it.certified * 100 >= it.safe * 95, "{it:?}");
}

#[test]
fn random_programs_with_broadcasts_get_one_verdict() {
    let it = compare(&Profile::broadcast(), 0..n_seeds(60));
    assert!(it.safe > 20 && it.unsafe_ > 20, "{it:?}");
    // With broadcasts neither of the two trees need be finite.
    assert!(it.only_explicit * 50 <= it.safe + it.unsafe_, "{it:?}");
}

/// `HARDBOP_SEEDS` asks for another number of programs.
fn n_seeds(usual: u64) -> u64 {
    std::env::var("HARDBOP_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
