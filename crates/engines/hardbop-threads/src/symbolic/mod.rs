//! Threads, at most so many alive at once, over decision diagrams.
//!
//! Reading order: [`layout`], [`arrangement`], [`step`], [`relation`], [`template`]. The engine [`counter`]: [`cut`], [`sets`],
//! [`set_moves`], `set_broadcast`, `set_rest`, `set_section`, [`history`], [`counter_search`]. The
//! engine [`symbolic`](mod@plain): [`placed`], [`symbolic_search`]. The engine [`symbolic_pc`]: [`pc_bits`], [`pc_search`], `pc_moves`. Traces: [`backtrack`], [`concretize`],
//! [`counter_rings`]. All: [`run`].

pub mod arrangement;
pub mod backtrack;
pub mod concretize;
pub mod counter;
pub mod counter_rings;
pub mod counter_search;
pub mod cut;
pub mod history;
pub mod layout;
pub mod pc_bits;
mod pc_moves;
pub mod pc_search;
pub mod placed;
pub mod plain;
pub mod relation;
pub mod run;
mod set_broadcast;
pub mod set_moves;
mod set_rest;
mod set_section;
pub mod sets;
pub mod step;
pub mod symbolic_pc;
pub mod symbolic_search;
pub mod template;

pub use counter::Counter;
pub use plain::Symbolic;
pub use symbolic_pc::SymbolicPc;
