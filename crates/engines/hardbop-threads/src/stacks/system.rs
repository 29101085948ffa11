//! Threads with a stack each: what a search over stacks has to know of them.
//!
//! A configuration is a shared state and a stack for each thread, a word of symbols with the top first. One
//! step looks at the shared state and at the top of one stack; a return looks at the symbol below, too. So the
//! *visible* part of a configuration, the shared state and all tops, says which steps there are, except where a
//! return leads.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, define_id};

define_id!(
    /// A state of what all threads see.
    Shared,
    "q"
);
define_id!(
    /// What stands on stacks.
    Symbol,
    "s"
);
define_id!(
    /// What a return hands down.
    Value,
    "v"
);

/// The part of a configuration that a thread has besides its stack, while it runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Control {
    pub shared: Shared,
    /// Whether it is inside an atomic section, so that nobody else can move.
    pub held: bool,
}

/// What the running thread can do.
#[derive(Clone, Debug)]
pub enum Step<G> {
    /// Another top.
    Go(Control, Symbol),
    /// The old top becomes `below`, and `top` comes above it.
    Call { to: Control, top: Symbol, below: Symbol },
    /// The top goes; [`System::resume`] says what becomes of the one below.
    Return(Control, Value),
    /// The thread is gone, whatever stood on its stack.
    End(Shared),
    /// Another top, and a new thread with this one symbol on its stack.
    Start { to: Control, top: Symbol, started: Symbol },
    /// It would start a thread, one more than are followed.
    Cut,
    /// It reaches a goal.
    Goal(G),
}

/// A configuration to begin with: a stack for each thread, top first.
#[derive(Clone, Debug)]
pub struct Initial {
    pub shared: Shared,
    pub stacks: Vec<Vec<Symbol>>,
}

/// Threads with stacks. Threads with equal stacks are interchangeable.
pub trait System {
    /// Where an error is.
    type Goal: Clone;

    fn initial(&mut self, meter: &mut Meter<'_>) -> Result<Vec<Initial>, Exhausted>;

    /// Every step of a thread with this top while `n_alive` threads are there, itself included.
    fn steps(
        &mut self,
        at: Control,
        top: Symbol,
        n_alive: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[Step<Self::Goal>]>, Exhausted>;

    /// Where a return leads with `below` under the symbol that went; `None` if it cannot be there, or if there is
    /// no way on.
    fn resume(&mut self, shared: Shared, value: Value, below: Symbol) -> Option<(Shared, Symbol)>;

    /// Whether such a return may be that of the last symbol of a stack; the thread is gone then.
    fn may_be_last(&self, value: Value) -> bool;

    /// The goal that a thread with this top has reached.
    fn goal_at(&self, top: Symbol) -> Option<Self::Goal>;

    /// A shared state and all tops that are an error together, and what it is called.
    fn target(&self) -> Option<(Visible, Self::Goal)> {
        None
    }
}

/// The visible part of a configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visible {
    pub shared: Shared,
    /// The top of the thread inside an atomic section, which is not among the others.
    pub holder: Option<Symbol>,
    /// Sorted: the order of threads does not matter.
    pub tops: Vec<Symbol>,
}

impl Visible {
    pub fn new(shared: Shared, holder: Option<Symbol>, mut tops: Vec<Symbol>) -> Self {
        tops.sort_unstable();
        Visible { shared, holder, tops }
    }
}
