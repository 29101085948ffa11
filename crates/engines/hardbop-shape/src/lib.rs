//! Engine `shape` for C: lists of any length, by abstract interpretation over graphs of memory.
//!
//! ```text
//! Program ─► states (registers, nodes, segments) ─► block after block, unfolding what is accessed ─►
//!            at heads of loops: fold, widen, is it covered by a state that was there? ─► no check fails: safe
//! ```
//! An abstract state is a graph: a *node* is one instance of an object with values at known offsets; a *segment* is a
//! chain of one or more instances that are linked by one field, or by one there and one back, as in symbolic memory graphs (Dudka, Peringer,
//! Vojnar, "Byte-precise verification of low-level list manipulation", SAS 2013). Elements need not be alike: a segment
//! knows which *colours* its elements have (their values apart from the links, and the memory only they lead to), and which colour may follow
//! which, so lists of 1, 2, 1, 2, … are told from others. Departures: states are kept apart and not joined, a segment is never empty.
//!
//! **What a state stands for.** All concrete states with an instance of its own for each node, and a chain of them for each segment, whose
//! registers and fields have the values said. Other instances that are alive are on the heap, and only if the state says that memory was
//! lost. A pointer of which nothing is known may be anything, so using it is never proved.
//!
//! Proofs only: what is not proved may be violated or not. Reading order: [`value`], [`state`], [`eval`], [`conds`], [`unfold`], [`ops`],
//! [`elem`], [`fold`], [`cover`], [`engine`].

pub mod conds;
pub mod cover;
pub mod elem;
pub mod engine;
pub mod eval;
pub mod fold;
pub mod ops;
pub mod state;
pub mod unfold;
pub mod value;

pub use engine::check;
