//! Engines for programs with threads, and for nets.
//!
//! At most so many threads: [`counted`] enumerates how many of them are in which state (`counter-explicit`),
//! [`symbolic`] does it over decision diagrams (`counter`, `symbolic`, `symbolic-pc`). Any number of threads:
//! [`cover`] enumerates (`karp-miller-explicit`, `backward`, `cutoff`), [`cover_symbolic`] uses diagrams
//! (`karp-miller`). Threads with recursion: [`contexts`] up to a number of context switches, [`stacks`] for all where that converges
//! (`contexts-explicit`).

pub mod contexts;
pub mod counted;
pub mod cover;
pub mod cover_symbolic;
pub mod stacks;
pub mod symbolic;

pub use contexts::Contexts;
pub use counted::{CounterExplicit, CounterSteps};
pub use cover::{BackwardSearch, Cutoff, KarpMillerExplicit};
pub use cover_symbolic::KarpMiller;
pub use stacks::ContextsExplicit;
pub use symbolic::{Counter, Symbolic, SymbolicPc};
