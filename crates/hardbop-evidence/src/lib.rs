//! What a claim brings with it, so that other code can check it.
//!
//! A [`Trace`] names every step and every value; replaying it needs no search. A [`Certificate`]
//! gives an invariant for every location; checking it needs no fixpoint.

pub mod certificate;
pub mod formula;
mod trace;

pub use certificate::{Certificate, ProcInvariant};
pub use formula::{Formula, FormulaId, FormulaPool};
pub use trace::{Event, FrameUpdate, Initial, Step, ThreadIx, Trace};
