//! `contexts` against the reference: every error it finds replays, and with enough switches it finds
//! the errors that there are.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_evidence::Trace;
use hardbop_gen::random::{self, Profile};
use hardbop_interp::{Explicit, replay};
use hardbop_threads::contexts::Contexts;

fn load(text: &str) -> Program {
    hardbop_bp::load(&SourceFile::new("t.bp", text)).0.expect("the program is right")
}

/// How often the run goes over from one thread to another.
fn n_switches(trace: &Trace) -> u32 {
    let threads: Vec<_> = trace.steps.iter().map(|step| step.thread).collect();
    threads.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// The switches of the replayed trace of an unsafe claim; `None` if there is no error up to the bound.
fn judged(task: &Task<'_>, claim: &Claim, what: &str) -> Option<u32> {
    match &claim.answer {
        Verdict::Safe | Verdict::Unknown(Reason::Bounded(_)) => None,
        Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
            replay(task.program, &task.goal, task.threads, task.initial_threads, trace)
                .unwrap_or_else(|error| panic!("{what}: {error}\n{trace:#?}"));
            Some(n_switches(trace))
        }
        other => panic!("{what}: {other:?}"),
    }
}

fn short() -> RunCtx {
    RunCtx::new(Budget::unlimited().with_time(Duration::from_millis(300)))
}

/// Errors found by both, by the reference only (it needs more switches), and none.
fn compare(profile: &Profile, seeds: std::ops::Range<u64>, most: u32) -> [usize; 3] {
    let mut compared = [0; 3];
    for seed in seeds {
        let text = hardbop_bp::print(&random::program(seed, profile));
        let program = load(&text);
        let what = format!("seed {seed} of {}\n{text}", profile.name);
        let bound = 1 + seed as u32 % 3;
        let label = program.all_locs().flat_map(|(_, info)| &info.labels).last();
        let goal = match label {
            Some(label) if seed % 2 == 0 => Goal::Label(label.clone()),
            _ => Goal::Assert,
        };
        let task = Task {
            goal,
            threads: Threads::AtMost(bound),
            initial_threads: InitialThreads::Count(1 + (seed as u32 / 3) % bound),
            contexts: Some(most),
            ..Task::new(&program)
        };
        if Contexts::BDD.accepts(&task).is_err() {
            continue;
        }
        let reference = Explicit.check(&task, &short());
        if matches!(reference.answer, Verdict::Unknown(Reason::Exhausted(_))) {
            continue;
        }
        let claim = Contexts::BDD.check(&task, &RunCtx::default());
        let expected = judged(&task, &reference, &what);
        match (judged(&task, &claim, &what), expected) {
            (Some(found), Some(expected)) => {
                assert!(found <= most && found <= expected, "{found}, {expected}: {what}");
                compared[0] += 1;
            }
            (None, Some(expected)) => {
                // A shortest run may switch more often than needed, not less.
                assert!(expected > most, "missed with {expected} switches: {what}");
                compared[1] += 1;
            }
            (None, None) => compared[2] += 1,
            (Some(_), None) => panic!("the reference says safe: {what}"),
        }
    }
    compared
}

#[test]
fn random_threads_without_recursion() {
    let found = compare(&Profile::threads(), 0..100, 3);
    assert!(found[0] > 20 && found[2] > 5, "{found:?}");
}

/// The reference may never end here; but what is found must be a run, with and without a bound on the
/// threads.
#[test]
fn random_threads_with_recursion() {
    let profile = Profile { name: "recursive threads", recursion: true, ..Profile::threads() };
    let found = compare(&profile, 0..80, 2);
    assert!(found[0] > 15, "{found:?}");
    let mut n_unsafe = 0;
    for seed in 0..80 {
        let text = hardbop_bp::print(&random::program(seed, &profile));
        let program = load(&text);
        let initial_threads = match seed % 3 {
            0 => InitialThreads::Unbounded,
            n => InitialThreads::Count(n as u32),
        };
        let threads = Threads::Unbounded;
        let task = Task { threads, initial_threads, contexts: Some(2), ..Task::new(&program) };
        let claim = Contexts::BDD.check(&task, &RunCtx::default());
        let what = format!("seed {seed}\n{text}");
        n_unsafe += usize::from(judged(&task, &claim, &what).is_some());
    }
    assert!(n_unsafe > 20, "{n_unsafe}");
}

#[test]
fn any_number_of_threads_is_no_obstacle() {
    let program = load(
        "decl a := F, b := F; void main() begin start_thread set(); start_thread check(); end \
         void set() begin a := T; b := T; end void check() begin assert(!a | b); end",
    );
    let task = Task { contexts: Some(2), ..Task::new(&program) };
    assert_eq!(task.threads, Threads::Unbounded);
    let claim = Contexts::BDD.check(&task, &RunCtx::default());
    assert_eq!(judged(&task, &claim, "unbounded"), Some(2));
    let once = Task { contexts: Some(1), ..Task::new(&program) };
    let claim = Contexts::BDD.check(&once, &RunCtx::default());
    assert!(matches!(claim.answer, Verdict::Unknown(Reason::Bounded(_))), "{:?}", claim.answer);
    assert_eq!(claim.scope.contexts, Some(1));
}

/// Both threads recurse, and each waits for the other.
const HANDSHAKE: &str = "
decl turn := F, done := F, deep := F;
void main() begin start_thread ping(); pong(); assert(!deep | !done); end
void ping() begin
  if (*) then ping(); else deep := T; fi
  assume(turn);
  turn := F;
end
void pong() begin
  assume(!turn);
  turn := T;
  assume(!turn);
  if (*) then pong(); else done := T; fi
end";

#[test]
fn recursive_threads() {
    let program = load(HANDSHAKE);
    let task = Task { threads: Threads::AtMost(2), contexts: Some(3), ..Task::new(&program) };
    for engine in [Contexts::BDD, Contexts::PDR] {
        let claim = engine.check(&task, &RunCtx::default());
        assert_eq!(judged(&task, &claim, engine.name()), Some(2), "{}", engine.name());
    }
    let fewer = Task { contexts: Some(1), ..task };
    let claim = Contexts::BDD.check(&fewer, &RunCtx::default());
    assert_eq!(judged(&fewer, &claim, "fewer"), None);
}

#[test]
fn what_the_engine_cannot_take() {
    let program = load("decl g; void main() begin decl x; x$ := T; start_thread main(); end");
    let refusal = Contexts::BDD.accepts(&Task::new(&program)).unwrap_err();
    assert!(refusal.contains("x$"), "{refusal}");
    let alone = load("void main() begin skip; end");
    assert!(Contexts::BDD.accepts(&Task::new(&alone)).is_err());
}
