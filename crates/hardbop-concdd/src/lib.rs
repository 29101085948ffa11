//! Threads, at most so many alive at once, over decision diagrams.
//!
//! Reading order: [`layout`], [`template`], [`relation`]; for the engine `counter`: [`cut`],
//! [`sets`], [`history`], [`counter_search`]; traces: [`backtrack`], [`concretize`].

pub mod backtrack;
pub mod concretize;
pub mod counter;
pub mod counter_rings;
pub mod counter_search;
pub mod cut;
pub mod history;
pub mod layout;
pub mod relation;
pub mod run;
pub mod sets;
pub mod template;

pub use counter::Counter;
