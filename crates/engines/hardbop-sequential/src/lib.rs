//! Engines for sequential programs with recursion: path edges and summaries.
//!
//! [`diagrams`] is the engine `bdd`, over decision diagrams (Bebop). [`sat`] has those over SAT and QBF:
//! `qbf`, `universal`, `lazy` and `pdr`. The two meet in [`project`] only, where formulas of SAT lose their quantifiers by diagrams.

pub mod diagrams;
pub mod project;
pub mod sat;

pub use diagrams::Bdd;
pub use sat::{Lazy, Pdr, QbfSummaries, Universal, Unrolled};
