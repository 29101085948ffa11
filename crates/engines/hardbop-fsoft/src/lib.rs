//! Engine `fsoft` for C: F-SOFT's model of a program, a transition system over basic blocks with
//! program counter and range-reduced words (Ivančić et al., "Model checking C programs using F-SOFT",
//! ICCD 2005; FS sections III, IV and VI-A), kept as an experiment that users can run.
//!
//! ```text
//! Program ─► inline ─► model (words; one step per block) ─► circuit ─┬─► depths: SAT, depth by depth
//!                                                                    └─► reach: decision diagrams
//! ```
//! A violation is believed when the interpreter shows it. A program is safe when the diagrams have
//! reached everything, or when no execution goes on at some depth, and nothing that was given up
//! can be reached.
//!
//! Reading order: [`options`], [`inline`], [`word`], [`latch`], [`model`], [`groups`], [`circuit`],
//! [`depths`], [`reach`], [`engine`].

pub mod circuit;
pub mod depths;
pub mod engine;
pub mod groups;
pub mod inline;
pub mod latch;
pub mod model;
pub mod options;
pub mod reach;
pub mod word;

pub use engine::check;
pub use options::{Encoding, Method, Options};
