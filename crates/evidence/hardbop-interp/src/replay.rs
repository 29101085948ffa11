//! Whether a trace is a run of the program that reaches the goal.
//!
//! Design section 5: `unsafe` is printed only after this. The trace names every value, so nothing
//! is searched: each step is *checked* against its action. Nothing of the enumeration in
//! `semantics` is used but the shape of frames, so that a mistake there cannot confirm itself.
//!
//! A passage is checked once, before the steps that go over a call by it: each of these only has to enter it as
//! it begins, and goes on with what it leaves.

mod check;

use hardbop_base::{Bits, Idx, IndexVec};
use hardbop_cfg::{Goal, LocRef, Program};
use hardbop_engine::{InitialThreads, Threads};
use hardbop_evidence::{Event, Passage, PassageId, Step, ThreadIx, Trace};

use check::Machine;

/// A trace that was confirmed, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// One for each statement executed, and for a label the arrival there.
    pub shown: Vec<Shown>,
    /// The same for each passage.
    pub passages: IndexVec<PassageId, Vec<Shown>>,
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
    /// How a call that is gone over goes.
    pub over: Option<PassageId>,
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
    let passages = check_passages(program, trace).map_err(at_start)?;
    let mut machine = Machine::start(program, bound, &trace.initial).map_err(at_start)?;
    let mut shown = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let fault = |why| ReplayError { step: Some(index), why };
        do_step(&mut machine, step, trace.passages.as_slice(), &mut shown).map_err(fault)?;
        if is_violation(step.event) && index + 1 != trace.steps.len() {
            return Err(fault("the run goes on after a violation".into()));
        }
    }
    check_end(program, goal, trace, &machine, &mut shown).map_err(at_start)?;
    Ok(Replayed { shown, passages })
}

/// Checks a step, does it, and shows what it executes.
fn do_step(
    machine: &mut Machine<'_>,
    step: &Step,
    passages: &[Passage],
    shown: &mut Vec<Shown>,
) -> Result<(), String> {
    if step.event != Event::Return {
        let over = match step.event {
            Event::Over(_, passage) => Some(passage),
            _ => None,
        };
        shown.push(Shown { over, ..machine.show(step.thread)? });
    }
    machine.step(step, passages)
}

/// Checks all passages, the inner ones first.
fn check_passages(
    program: &Program,
    trace: &Trace,
) -> Result<IndexVec<PassageId, Vec<Shown>>, String> {
    let mut all = IndexVec::new();
    // Soundness: the only thread of a passage is the only one of the run.
    if !trace.passages.is_empty() && (program.starts_threads() || trace.initial.locals.len() != 1) {
        return Err("only a program of one thread goes over calls".into());
    }
    for (id, passage) in trace.passages.iter_enumerated() {
        // Soundness: no passage goes by itself, because it sees earlier ones only.
        let earlier = &trace.passages.as_slice()[..id.index()];
        let shown = check_passage(program, passage, earlier);
        all.push(shown.map_err(|why| format!("in {id}: {why}"))?);
    }
    Ok(all)
}

fn check_passage(
    program: &Program,
    passage: &Passage,
    earlier: &[Passage],
) -> Result<Vec<Shown>, String> {
    let mut machine = Machine::at_entry(program, passage.proc, &passage.entry)?;
    let mut shown = Vec::new();
    for (index, step) in passage.steps.iter().enumerate() {
        let done = if is_violation(step.event) {
            Err("a violation returns to nobody".into())
        } else {
            do_step(&mut machine, step, earlier, &mut shown)
        };
        done.map_err(|why| format!("step {}: {why}", index + 1))?;
    }
    let end = machine.show(ThreadIx::new(0))?;
    if end.depth != 0 || end.at.loc != program.procs[passage.proc].exit {
        return Err("it does not end at the exit".into());
    }
    Ok(shown)
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
