//! The campaign against the engines for any number of threads.
//!
//! For each program and goal: the engines agree, a trace replays, a certificate is accepted, and where
//! an engine says safe, `explicit` finds no error with 1, 2, … threads, as far as its time goes. A bound
//! turns `start_thread` into `skip`, which no run without a bound does, so an error with a bound counts
//! only if it replays without one. Seeds take turns with one, two and any number of initial threads.

use std::time::Duration;

use hardbop_base::{Budget, SourceFile};
use hardbop_bp::ast;
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{Engine, InitialThreads, Order, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_gen::random::{self, Profile};
use hardbop_interp::{Explicit, replay};

use crate::campaign::{Failure, FailureKind, Outcome};
use crate::engines::{EngineRef, Said, run};
use crate::small::shrunk_text;

/// What a campaign compares.
pub struct Setup {
    pub engines: Vec<EngineRef>,
    /// Threads of the largest brute-force run.
    pub most: u32,
    /// For each run of an engine.
    pub limit: Duration,
    /// For all brute-force runs of a goal together.
    pub brute_force: Duration,
    /// The variable order to begin with.
    pub order: Option<Order>,
    /// Context switches at most, for engines that bound them.
    pub contexts: Option<u32>,
}

pub fn check(setup: &Setup, profile: &Profile, seed: u64) -> Outcome {
    compare(setup, &random::program(seed, profile), initial_threads(seed))
}

pub fn shrunk(setup: &Setup, profile: &Profile, seed: u64, kind: FailureKind) -> String {
    let program = random::program(seed, profile);
    let initial = initial_threads(seed);
    shrunk_text(&program, kind, &|candidate| compare(setup, candidate, initial).map(|_| ()))
}

fn initial_threads(seed: u64) -> InitialThreads {
    match seed % 3 {
        0 => InitialThreads::Unbounded,
        n => InitialThreads::Count(n as u32),
    }
}

fn compare(setup: &Setup, program: &ast::Program, initial: InitialThreads) -> Outcome {
    let file = SourceFile::new("random.bp", hardbop_bp::print(program));
    let fail = |kind, what: &str| {
        let detail = format!("initial threads {initial:?}: {what}\n\n{}", file.text);
        Err(Failure::new(kind, detail))
    };
    let (Some(program), _) = hardbop_bp::load(&file) else {
        return fail(FailureKind::Rejected(""), "the program is rejected");
    };
    let mut words = Vec::new();
    for goal in goals(&program) {
        let task = Task {
            goal,
            threads: Threads::Unbounded,
            initial_threads: initial,
            want_certificate: true,
            order: setup.order,
            contexts: setup.contexts,
            ..Task::new(&program)
        };
        let mut verdict: Option<(&str, Said)> = None;
        for &engine in &setup.engines {
            let judgement = match run(setup.limit, true, engine, &task) {
                Ok(judgement) => judgement,
                Err(failure) => return fail(failure.kind, &failure.detail),
            };
            words.extend(judgement.words(engine));
            let (name, said) = (engine.0.name(), judgement.said);
            match verdict {
                _ if !said.is_decided() => {}
                None => verdict = Some((name, said)),
                Some((_, before)) if before == said => {}
                Some((other, before)) => {
                    let what = format!("{}: {name} {said:?}, {other} {before:?}", task.goal);
                    return fail(FailureKind::Disagree, &what);
                }
            }
        }
        if let Some((name, Said::Safe)) = verdict {
            match errors_with_few(setup, &task) {
                Ok(most) => words.push(format!("safe, brute force with up to {most} threads")),
                Err(n) => {
                    let what = format!("{}: {name} safe, but wrong with {n} threads", task.goal);
                    return fail(FailureKind::Disagree, &what);
                }
            }
        }
    }
    Ok(words)
}

/// The asserts, and the last label of the program if it has one.
fn goals(program: &Program) -> Vec<Goal> {
    let label = program.all_locs().flat_map(|(_, info)| &info.labels).last();
    let label = label.map(|label| Goal::Label(label.clone()));
    std::iter::once(Goal::Assert).chain(label).collect()
}

/// How many threads were tried without an error; `Err` with how many there is one.
fn errors_with_few(setup: &Setup, task: &Task<'_>) -> Result<u32, u32> {
    let budget = Budget::unlimited().with_time(setup.brute_force);
    let least = match task.initial_threads {
        InitialThreads::Count(n) => n,
        InitialThreads::Unbounded => 1,
    };
    for n in least..=setup.most {
        let initial_threads = match task.initial_threads {
            InitialThreads::Unbounded => InitialThreads::Count(n),
            count => count,
        };
        let bounded = Task { threads: Threads::AtMost(n), initial_threads, ..task.clone() };
        match Explicit.check(&bounded, &RunCtx::new(budget.clone())).answer {
            Verdict::Safe => {}
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                let Task { program, goal, threads, initial_threads, .. } = task;
                if replay(program, goal, *threads, *initial_threads, &trace).is_ok() {
                    return Err(n);
                }
            }
            _ => return Ok(n - 1),
        }
    }
    Ok(setup.most)
}
