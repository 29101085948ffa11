//! Why a program with threads is safe: a set of global states, threads counted by their state.
//!
//! **What a value means.** A state fixes the values of *some* variables: which ones is said once for
//! the shared variables, and once for each stack (the places of a thread's frames) for its locals. A
//! variable that is not fixed may have either value: the set contains the states with both. So an
//! engine that forgets values which cannot matter any more leaves them open, and whoever checks the
//! certificate needs no trust in that analysis: the set must be closed whatever an open value is.
//!
//! Three kinds of set:
//!
//! * [`ThreadSet::Bounded`]: at most N threads alive, every state listed.
//! * [`ThreadSet::Cover`]: any number of threads, every state below a listed one, whose counts may
//!   be ω. *Below* means: the same shared values, the same holder of the atomic flag, no more
//!   threads of any state.
//! * [`ThreadSet::Views`]: any number of threads, every state all of whose views are listed and
//!   that is above no state listed as never reached. A view is what one thread sees: the shared
//!   values, whether the flag is held, and its own state.

mod states;
mod text;

use hardbop_cfg::Goal;

pub use states::{FrameAt, FrameShape, SharedValues, StackShape, ThreadState, ThreadStates};

/// An inductive set of global states.
#[derive(Clone, Debug)]
pub struct ThreadProof {
    /// What it excludes.
    pub goal: Goal,
    /// The threads that run `main` in the beginning; ω stands for any number.
    pub initial: Count,
    /// The thread states that the set mentions.
    pub states: ThreadStates,
    /// The set.
    pub set: ThreadSet,
}

/// The set, in terms of a table of thread states.
#[derive(Clone, Debug)]
pub enum ThreadSet {
    /// Counts are finite.
    Bounded {
        /// Threads alive at once.
        bound: u32,
        /// The states of the set, one by one.
        states: Vec<Counted>,
    },
    /// All states below listed ones.
    Cover {
        /// The listed ones.
        states: Vec<Counted>,
    },
    /// All states that consist of listed views and are above no state listed as never reached.
    Views {
        /// What a thread may see.
        views: Vec<View>,
        /// The minimal elements of an upward-closed set; counts are finite.
        never: Vec<Counted>,
    },
}

impl ThreadSet {
    /// As in the version line.
    pub fn kind(&self) -> &'static str {
        match self {
            ThreadSet::Bounded { .. } => "bounded",
            ThreadSet::Cover { .. } => "cover",
            ThreadSet::Views { .. } => "views",
        }
    }
}

/// A global state up to the order of threads.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Counted {
    /// Values of the shared variables.
    pub shared: SharedValues,
    /// The thread inside `atomic_begin … atomic_end`; it is not among the counted.
    pub holder: Option<ThreadState>,
    /// Sorted by state, each at most once; no count is 0.
    pub counts: Vec<(ThreadState, Count)>,
}

/// A number of threads: finite, or ω for any number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Count(u32);

impl Count {
    /// Larger than every finite number.
    pub const OMEGA: Count = Count(u32::MAX);
    /// One thread.
    pub const ONE: Count = Count(1);

    /// The largest number there is stands for ω: nobody can count so many threads.
    pub fn finite(n: u32) -> Self {
        Count(n)
    }

    /// `None` for ω.
    pub fn as_finite(self) -> Option<u32> {
        (self != Count::OMEGA).then_some(self.0)
    }

    /// Whether it is no thread.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// One less; ω stays ω, 0 stays 0.
    pub fn minus_one(self) -> Self {
        if self == Count::OMEGA { self } else { Count(self.0.saturating_sub(1)) }
    }
}

impl std::ops::Add for Count {
    type Output = Count;
    /// A sum beyond all numbers is ω.
    fn add(self, other: Count) -> Count {
        Count(self.0.saturating_add(other.0))
    }
}

/// What one thread sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct View {
    /// Values of the shared variables.
    pub shared: SharedValues,
    /// Who holds the atomic flag.
    pub flag: Flag,
    /// The thread.
    pub thread: ThreadState,
}

/// Who holds the atomic flag, as one thread sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Flag {
    /// Nobody.
    Free,
    /// This thread.
    Mine,
    /// Another one.
    Others,
}
