//! The reference meaning of programs, and what rests on it directly.
//!
//! [`semantics`] is design section 2 written out; the engine [`Explicit`] enumerates it, by
//! [`tabulate`] for one thread and by [`search`] for several; [`replay()`] checks a trace step by step
//! without enumerating anything; [`relevance()`] says which values of a trace are worth showing.
//! Slow and obvious: every other engine is tested against this crate.
//!
//! Reading order: [`semantics`], [`tabulate`], [`shortest`], [`search`], [`identify`], [`explicit`],
//! [`replay`](mod@replay), [`relevance`](mod@relevance).

pub mod semantics;

pub mod explicit;
pub mod goals;
pub mod graph;
pub mod identify;
pub mod relevance;
pub mod replay;
pub mod search;
pub mod shortest;
pub mod tabulate;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod testing;

pub use explicit::Explicit;
pub use relevance::{Relevant, news_only, relevance};
pub use replay::{ReplayError, Replayed, Shown, replay};
