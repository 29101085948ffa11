//! Reachability of sequential programs with recursion, over decision diagrams.
//!
//! Reading order: [`slots`], [`encode`], [`transfer`], [`graph`], [`calls`], [`fixpoint`], and
//! [`bdd`], the engine. Traces: [`rings`], [`backtrack`], [`concretize`]. Proofs: [`invariants`].

pub mod backtrack;
pub mod bdd;
pub mod calls;
pub mod concretize;
pub mod encode;
pub mod fixpoint;
pub mod graph;
pub mod invariants;
pub mod rings;
pub mod slots;
pub mod transfer;

pub use bdd::Bdd;
