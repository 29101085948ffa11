//! A run of the program, written out in full.
//!
//! All valuations are over scopes (see `hardbop_cfg::program`): bit `v` is the value of variable
//! `v` of the procedure at hand, shared variables first.

use hardbop_base::{Bits, define_id};
use hardbop_cfg::EdgeRef;

define_id!(
    /// A thread, counted in order of creation. The first threads run `main`.
    ThreadIx, "thread"
);

/// A run from an initial state to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub initial: Initial,
    /// The last step reaches the goal: it fails an assertion ([`Event::Violate`]), or its thread
    /// arrives at the label asked for. Empty if the goal is the entry of `main`.
    pub steps: Vec<Step>,
}

/// The values before the first step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial {
    pub shared: Bits,
    /// The locals of each initial thread, at the entry of `main` (bits from `n_shared` on).
    pub locals: Vec<Bits>,
}

/// One thread moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub thread: ThreadIx,
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
    /// Leaves the exit of a procedure for its caller, or ends with its last frame. No statement.
    Return,
    /// Fails the assertion on this edge. The last step; `after` is the state it fails in.
    Violate(EdgeRef),
}

/// The locals a frame of another thread has after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameUpdate {
    pub thread: ThreadIx,
    /// Position in the thread's stack; 0 is the bottom.
    pub frame: usize,
    /// Bits from `n_shared` on.
    pub locals: Bits,
}

impl Trace {
    /// The number of statements executed, the failing one included: returns do not count.
    pub fn n_statements(&self) -> usize {
        self.steps.iter().filter(|step| step.event != Event::Return).count()
    }
}
