//! Programs from text, and verdicts that were checked before anyone looks at them.

#![allow(dead_code, reason = "each test file uses its part")]

use hardbop_base::SourceFile;
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{Claim, Engine, InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
use hardbop_evidence::Trace;
use hardbop_interp::{Explicit, Replayed, replay};

pub fn load(text: &str) -> Program {
    let (program, diagnostics) = hardbop_bp::load(&SourceFile::new("test.bp", text));
    program.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"))
}

/// A body of `main` with its globals, as most tests need it.
pub fn main_with(globals: &str, body: &str) -> String {
    format!("{globals} void main() begin {body} end")
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Safe,
    Unsafe,
    Unknown,
}

/// Runs the engine and replays its trace.
#[track_caller]
pub fn claim(task: &Task<'_>, ctx: &RunCtx) -> (Said, Claim) {
    Explicit.accepts(task).expect("the task is one for this engine");
    let claim = Explicit.check(task, ctx);
    let verdict = match &claim.answer {
        Verdict::Safe => Said::Safe,
        Verdict::Unknown(_) => Said::Unknown,
        Verdict::Unsafe(Reached { trace, .. }) => {
            confirm(task, trace.as_ref().expect("a trace was asked for"));
            Said::Unsafe
        }
    };
    (verdict, claim)
}

#[track_caller]
pub fn confirm(task: &Task<'_>, trace: &Trace) -> Replayed {
    let (threads, initial) = (task.threads, task.initial_threads);
    replay(task.program, &task.goal, threads, initial, trace)
        .unwrap_or_else(|error| panic!("{error}\n{trace:#?}"))
}

/// The verdict on a text for which nothing else is asked.
#[track_caller]
pub fn verdict(text: &str) -> Said {
    let program = load(text);
    claim(&Task::new(&program), &RunCtx::default()).0
}

#[track_caller]
pub fn verdict_with(text: &str, threads: u32, initial: u32) -> Said {
    let program = load(text);
    let task = Task {
        threads: Threads::AtMost(threads),
        initial_threads: InitialThreads::Count(initial),
        ..Task::new(&program)
    };
    claim(&task, &RunCtx::default()).0
}

#[track_caller]
pub fn reaches(text: &str, label: &str) -> Said {
    let program = load(text);
    let task = Task { goal: Goal::Label(label.into()), ..Task::new(&program) };
    claim(&task, &RunCtx::default()).0
}
