//! A run of the program, with every value.
//!
//! A run can be exponentially longer than the work that found it, because procedures are gone through again
//! and again. So a step may go over a call (BEB section 3.2): what happens in the call is a [`Passage`], written
//! once however often it happens. A run without such steps is written out in full; see [`unfold`].
//!
//! [`unfold`]: Trace::unfold
//!
//! All valuations are over scopes (see `hardbop_cfg::program`): bit `v` is the value of variable
//! `v` of the procedure at hand, shared variables first.

use hardbop_base::{Bits, IndexVec, define_id};
use hardbop_cfg::{EdgeRef, ProcId};

define_id!(
    /// A thread, counted in order of creation. The first threads run `main`.
    ThreadIx, "thread"
);
define_id!(
    /// A way through a procedure.
    PassageId, "passage"
);

/// A run from an initial state to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Where it begins.
    pub initial: Initial,
    /// The last step reaches the goal: it fails an assertion ([`Event::Violate`]), or its thread
    /// arrives at the label asked for. Empty if the goal is the entry of `main`.
    pub steps: Vec<Step>,
    /// What the steps over calls stand for. A passage goes over calls by earlier passages only.
    pub passages: IndexVec<PassageId, Passage>,
}

/// A way through a procedure, from its entry to its exit, in a program with one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    /// The procedure.
    pub proc: ProcId,
    /// The scope at the entry.
    pub entry: Bits,
    /// By [`Event::Take`], [`Event::Return`] and [`Event::Over`]; the last one arrives at the exit.
    pub steps: Vec<Step>,
}

/// The values before the first step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial {
    /// Of the shared variables.
    pub shared: Bits,
    /// The locals of each initial thread, at the entry of `main` (bits from `n_shared` on).
    pub locals: Vec<Bits>,
}

/// One thread moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which.
    pub thread: ThreadIx,
    /// What it does.
    pub event: Event,
    /// The scope of the thread's top frame afterwards: after a call the callee's, after a return
    /// the caller's. Only the shared variables if the thread has ended.
    pub after: Bits,
    /// New locals of other threads: of the one started by this step, or of those that a broadcast
    /// assignment reached. A frame that is not named keeps its locals.
    pub others: Vec<FrameUpdate>,
}

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Executes an edge of its current location; a call enters the callee.
    Take(EdgeRef),
    /// Executes a call as the passage goes, from before it to where it has returned to.
    Over(EdgeRef, PassageId),
    /// Leaves the exit of a procedure for its caller, or ends with its last frame. No statement.
    Return,
    /// Fails the assertion on this edge. The last step; `after` is the state it fails in.
    Violate(EdgeRef),
}

/// The locals a frame of another thread has after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameUpdate {
    /// Whose frame.
    pub thread: ThreadIx,
    /// Position in the thread's stack; 0 is the bottom.
    pub frame: usize,
    /// Bits from `n_shared` on.
    pub locals: Bits,
}

impl Passage {
    /// The scope at the exit.
    pub fn exit(&self) -> &Bits {
        self.steps.last().map_or(&self.entry, |step| &step.after)
    }
}

impl Trace {
    /// A run that goes over no call.
    pub fn flat(initial: Initial, steps: Vec<Step>) -> Self {
        Trace { initial, steps, passages: IndexVec::new() }
    }

    /// The number of statements executed, the failing one and those in calls gone over included; returns do not
    /// count. Where it is larger than any `u64`, the largest.
    pub fn n_statements(&self) -> u64 {
        n_statements(&self.steps, &self.lengths())
    }

    /// The statements of each passage.
    pub fn lengths(&self) -> IndexVec<PassageId, u64> {
        let mut lengths = IndexVec::new();
        for passage in &self.passages {
            let length = n_statements(&passage.steps, &lengths);
            lengths.push(length);
        }
        lengths
    }

    /// As people read it: written out in full up to [`FLAT`] statements; of longer runs only calls up to
    /// [`SHORT_CALL`] are.
    pub fn readable(self) -> Self {
        let most = if self.n_statements() <= FLAT { u64::MAX } else { SHORT_CALL };
        self.unfold(most)
    }

    /// Writes out each call that is gone over and has at most `most` statements, as it is.
    pub fn unfold(mut self, most: u64) -> Self {
        let lengths = self.lengths();
        let is_short = |id: PassageId| lengths.get(id).is_some_and(|&length| length <= most);
        let mut steps = Vec::with_capacity(self.steps.len());
        // What is still to be written, the next last.
        let mut todo: Vec<Step> = std::mem::take(&mut self.steps).into_iter().rev().collect();
        while let Some(step) = todo.pop() {
            match step.event {
                Event::Over(edge, id) if is_short(id) => {
                    let passage = &self.passages[id];
                    let after = passage.entry.clone();
                    steps.push(Step { event: Event::Take(edge), after, ..step.clone() });
                    todo.push(Step { event: Event::Return, ..step });
                    todo.extend(passage.steps.iter().rev().cloned());
                }
                _ => steps.push(step),
            }
        }
        self.steps = steps;
        if self.steps.iter().all(|step| !matches!(step.event, Event::Over(..))) {
            self.passages = IndexVec::new();
        }
        self
    }
}

/// See [`Trace::readable`].
pub const FLAT: u64 = 1 << 17;
/// See [`Trace::readable`].
pub const SHORT_CALL: u64 = 16;

/// A step over a call that no length is known of counts as one statement.
fn n_statements(steps: &[Step], lengths: &IndexVec<PassageId, u64>) -> u64 {
    let of_step = |step: &Step| match step.event {
        Event::Return => 0,
        Event::Take(_) | Event::Violate(_) => 1,
        Event::Over(_, id) => lengths.get(id).map_or(1, |inside| inside.saturating_add(1)),
    };
    steps.iter().map(of_step).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use hardbop_base::{Bits, Idx, IndexVec};
    use hardbop_cfg::{EdgeId, EdgeRef, ProcId};

    use super::{Event, Initial, Passage, PassageId, Step, ThreadIx, Trace};

    fn step(event: Event) -> Step {
        Step { thread: ThreadIx::new(0), event, after: Bits::new(), others: Vec::new() }
    }

    /// `n` procedures, each of which calls the next one twice.
    fn doubled(n: usize) -> Trace {
        let edge = EdgeRef { proc: ProcId::new(0), edge: EdgeId::new(0) };
        let mut passages = IndexVec::new();
        for level in 0..n {
            let below = level.checked_sub(1).map(PassageId::new);
            let event = below.map_or(Event::Take(edge), |below| Event::Over(edge, below));
            let steps = vec![step(event), step(event)];
            passages.push(Passage { proc: ProcId::new(level), entry: Bits::new(), steps });
        }
        let steps = vec![step(Event::Over(edge, PassageId::new(n - 1)))];
        let initial = Initial { shared: Bits::new(), locals: vec![Bits::new()] };
        Trace { initial, steps, passages }
    }

    #[test]
    fn lengths_grow_without_overflow() {
        // L(1) = 2, L(n) = 2 (L(n-1) + 1), and the call in the run.
        assert_eq!(doubled(3).n_statements(), 15);
        assert_eq!(doubled(60).n_statements(), (1 << 61) - 1);
        assert_eq!(doubled(1000).n_statements(), u64::MAX);
    }

    #[test]
    fn unfolding_keeps_the_length() {
        let trace = doubled(3);
        let flat = trace.clone().unfold(u64::MAX);
        assert!(flat.passages.is_empty());
        assert_eq!(flat.n_statements(), 15);
        assert_eq!(flat.steps.iter().filter(|it| it.event == Event::Return).count(), 7);
        assert_eq!(trace.clone().unfold(13), trace);
        assert_eq!(trace.unfold(14), flat);
    }
}
