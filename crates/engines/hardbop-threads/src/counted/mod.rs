//! Threads, at most so many alive at once.
//!
//! [`inline`] makes of a thread one location and one list of values, as if its calls were inlined;
//! [`moves`] says what such a thread can do, taking the meaning of single statements from
//! `hardbop_interp::semantics`; [`counter_explicit`] explores how many threads are in which state;
//! [`identify`] gives its run back to single threads and [`lift`] to the program as it was written.
//!
//! Reading order: [`inline`], [`moves`], [`intern`], [`table`], [`counters`], [`frontier`],
//! [`explore`], [`por`], [`places`], [`leap`], [`stretch`], [`stretches`], [`identify`], [`lift`],
//! [`counter_explicit`].

pub mod certificate;
pub mod counter_explicit;
pub mod counters;
pub mod explore;
pub mod frontier;
pub mod identify;
pub mod inline;
pub mod intern;
pub mod leap;
pub mod lift;
pub mod moves;
pub mod places;
pub mod por;
pub mod stretch;
pub mod stretches;
pub mod table;

pub use counter_explicit::{CounterExplicit, CounterSteps};
