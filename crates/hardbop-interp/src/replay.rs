//! Whether a trace is a run of the program that reaches the goal.
//!
//! Design section 5: `unsafe` is printed only after this. The trace names every value, so nothing
//! is searched: each step is *checked* against its action. Nothing of the enumeration in
//! `semantics` is used but the shape of frames, so that a mistake there cannot confirm itself.

mod check;

use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Goal, LocRef, Program};
use hardbop_engine::{InitialThreads, Threads};
use hardbop_evidence::{Event, ThreadIx, Trace};

use check::Machine;

/// A trace that was confirmed, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// One for each statement executed, and for a label the arrival there.
    pub shown: Vec<Shown>,
}

/// A statement about to be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub thread: ThreadIx,
    /// Calls the thread is in: 0 at the bottom of its stack.
    pub depth: usize,
    pub at: LocRef,
    /// The scope before the statement.
    pub before: Bits,
}

/// Where and why a trace is no run of the program to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The step at fault, counted from 0; `None` for the initial state or the end.
    pub step: Option<usize>,
    pub why: String,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {}: {}", step + 1, self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays a trace.
pub fn replay(
    program: &Program,
    goal: &Goal,
    threads: Threads,
    initial: InitialThreads,
    trace: &Trace,
) -> Result<Replayed, ReplayError> {
    let bound = match threads {
        Threads::Sequential => Some(1),
        Threads::AtMost(bound) => Some(bound as usize),
        Threads::Unbounded => None,
    };
    let at_start = |why| ReplayError { step: None, why };
    check_count(initial, bound, trace.initial.locals.len()).map_err(at_start)?;
    let mut machine = Machine::start(program, bound, &trace.initial).map_err(at_start)?;
    let mut shown = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let fault = |why| ReplayError { step: Some(index), why };
        if step.event != Event::Return {
            shown.push(machine.show(step.thread).map_err(fault)?);
        }
        machine.step(step).map_err(fault)?;
        if matches!(step.event, Event::Violate(_)) && index + 1 != trace.steps.len() {
            return Err(fault("the run goes on after a violation".into()));
        }
    }
    check_end(program, goal, trace, &machine, &mut shown).map_err(at_start)?;
    Ok(Replayed { shown })
}

fn check_count(
    initial: InitialThreads,
    bound: Option<usize>,
    n_threads: usize,
) -> Result<(), String> {
    let fits = match initial {
        InitialThreads::Count(count) => n_threads == count as usize,
        InitialThreads::Unbounded => n_threads >= 1,
    };
    if !fits || bound.is_some_and(|bound| n_threads > bound) {
        return Err(format!("{n_threads} initial threads are not what was asked"));
    }
    Ok(())
}

/// Whether the last step reaches the goal; for a label the arrival is shown too.
fn check_end(
    program: &Program,
    goal: &Goal,
    trace: &Trace,
    machine: &Machine<'_>,
    shown: &mut Vec<Shown>,
) -> Result<(), String> {
    let last = trace.steps.last();
    match goal {
        Goal::Assert => match last.map(|step| step.event) {
            Some(Event::Violate(_)) => Ok(()),
            _ => Err("the run ends without a violated assertion".into()),
        },
        Goal::Label(label) => {
            // The thread that moved, or the one it started; before any step the first ones.
            let arrived: Vec<ThreadIx> = match last {
                Some(step) => std::iter::once(step.thread).chain(machine.just_started()).collect(),
                None => (0..trace.initial.locals.len()).map(ThreadIx::new).collect(),
            };
            let there = arrived
                .into_iter()
                .filter_map(|thread| machine.show(thread).ok())
                .find(|it| program.procs[it.at.proc].locs[it.at.loc].has_label(label));
            match there {
                Some(arrival) if !last.is_some_and(|step| is_violation(step.event)) => {
                    shown.push(arrival);
                    Ok(())
                }
                _ => Err(format!("the run does not end at the label {label}")),
            }
        }
    }
}

fn is_violation(event: Event) -> bool {
    matches!(event, Event::Violate(_))
}
