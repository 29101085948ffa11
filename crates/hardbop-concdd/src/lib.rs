//! Threads, at most so many alive at once, over decision diagrams.
//!
//! Reading order: [`layout`], [`step`], [`relation`], [`template`]. The engine [`counter`]: [`cut`], [`sets`],
//! [`history`], [`counter_search`], `counter_moves`, `counter_broadcast`, `counter_rest`, `counter_section`. The engine [`symbolic`]: [`placed`], [`symbolic_search`]. The
//! engine [`symbolic_pc`]: [`pc_bits`], [`pc_search`], `pc_moves`. Traces: [`backtrack`], [`concretize`],
//! [`counter_rings`]. All: [`run`].

pub mod backtrack;
pub mod concretize;
pub mod counter;
mod counter_broadcast;
mod counter_moves;
mod counter_rest;
pub mod counter_rings;
pub mod counter_search;
mod counter_section;
pub mod cut;
pub mod history;
pub mod layout;
pub mod pc_bits;
mod pc_moves;
pub mod pc_search;
pub mod placed;
pub mod relation;
pub mod run;
pub mod sets;
pub mod step;
pub mod symbolic;
pub mod symbolic_pc;
pub mod symbolic_search;
pub mod template;

pub use counter::Counter;
pub use symbolic::Symbolic;
pub use symbolic_pc::SymbolicPc;
