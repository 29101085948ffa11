//! Nets as input: thread-transition systems (`.tts` with `.prop`) and Petri nets (mist `.spec`).
//!
//! Both are one model, [`net::Net`]: a control state and counted places, rules that take, move and
//! put tokens. [`tts`] and [`spec`] read the two formats, [`query`] the notation `shared|local,local/local`
//! for states; [`replay`](mod@replay) walks through a run step by step, by simpler code than any engine's.
//!
//! Reading order: [`net`], [`query`], [`tts`], [`spec`], [`replay`](mod@replay).

pub mod net;
pub mod query;
pub mod replay;
pub mod spec;
pub mod tts;

pub use net::{Initial, Marking, Net, Question, Range, Rule, Transfer};
pub use replay::{NetStep, NetTrace, replay};
