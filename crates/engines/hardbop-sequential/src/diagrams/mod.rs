//! Reachability of sequential programs with recursion, over decision diagrams.
//!
//! Reading order: the crate `hardbop_encode`, [`graph`], [`calls`], [`fixpoint`], and
//! [`bdd`], the engine. Traces: [`past`], [`rings`],
//! [`sweep`], [`backtrack`], [`concretize`]. Proofs: [`invariants`].

pub mod backtrack;
pub mod bdd;
pub mod calls;
pub mod concretize;
pub mod fixpoint;
pub mod graph;
pub mod invariants;
pub mod past;
pub mod rings;
pub mod sweep;

pub use bdd::Bdd;
