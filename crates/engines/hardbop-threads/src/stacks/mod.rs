//! Threads with recursion, any number of context switches: stacks as automata.
//!
//! Reading order: [`system`] for what threads with stacks are, [`saturate`] for one context, [`converge`] for the theorem and the
//! loop, [`overapproximation`] for what the theorem needs, [`language`] for sets of stacks, [`programs`] for Boolean
//! programs, [`engine`].

pub mod converge;
pub mod engine;
pub mod language;
pub mod overapproximation;
pub mod programs;
pub mod saturate;
pub mod system;

pub use engine::ContextsExplicit;
