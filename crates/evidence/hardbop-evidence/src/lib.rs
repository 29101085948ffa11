//! What a claim brings with it, so that other code can check it.
//!
//! A [`Trace`] names every step and every value; replaying it needs no search. A [`Certificate`]
//! gives a set of states that no step leaves; checking it needs no fixpoint.
#![warn(missing_docs)]

mod certificate;
pub mod formula;
mod lines;
mod nets;
mod sequential;
pub mod threads;
mod trace;

pub use certificate::Certificate;
pub use formula::{Formula, FormulaId, FormulaPool};
pub use nets::{NetBound, NetProof, NetSet, NetState};
pub use sequential::{Invariants, ProcInvariant};
pub use threads::{ThreadProof, ThreadSet};
pub use trace::{Event, FrameUpdate, Initial, Passage, PassageId, Step, ThreadIx, Trace};
