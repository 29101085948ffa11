//! The facade: a program and a request go in, a verdict with its evidence comes out.
//!
//! [`check`] picks an engine, runs it, and turns its claim into an [`Outcome`] only after separate
//! code has confirmed the evidence: a trace is replayed by the reference semantics. Nothing a
//! request can say raises a verdict. No input or output happens here.
#![warn(missing_docs)]

mod contest;
mod engines;
mod explain;
mod fewest;
mod nets;
mod outcome;
mod proof;
mod race;
pub mod render;
mod run;
mod shown;

pub use engines::{all_engines, engine_named};
pub use explain::{Topic, explain};
pub use nets::{NetRequest, check_net};
pub use outcome::{Outcome, Unknown, Verdict, Violation};
pub use race::{Judge, Rival, Worth, race};
pub use run::{Request, check};
pub use shown::{Shown, ShownGoal, ShownStep};
