//! Engines for sequential programs with recursion: path edges and summaries.
//!
//! [`diagrams`] is the engine `bdd`, over decision diagrams (Bebop). [`sat`] has those over SAT and QBF:
//! `qbf`, `universal`, `lazy` and `pdr`.

pub mod diagrams;
pub mod sat;

pub use diagrams::Bdd;
pub use sat::{Lazy, Pdr, QbfSummaries, Universal, Unrolled};
