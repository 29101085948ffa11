//! Reachability of sequential programs with recursion, over decision diagrams.
//!
//! Reading order: [`slots`], [`encode`], [`transfer`], [`graph`], [`calls`], [`fixpoint`], and
//! [`bdd`], the engine.

pub mod bdd;
pub mod calls;
pub mod encode;
pub mod fixpoint;
pub mod graph;
pub mod slots;
pub mod transfer;

pub use bdd::Bdd;
