//! Any number of threads: can a state be covered?
//!
//! A [`system::System`] is a control state and counted local states, with rules computed when they are
//! asked for: a Boolean program whose threads are unrolled on demand, or a net read from a file. The
//! engines over it are [`km`] (forward, Karp–Miller), [`backward`], and [`cutoff`].
//!
//! Reading order: [`counts`], [`system`], [`nets`], [`antichain`], [`km`], [`modular`], [`backward`].

pub mod antichain;
pub mod backward;
pub mod board;
pub mod bounded;
pub mod bounds;
pub mod certificate;
pub mod counterexample;
pub mod counts;
pub mod cutoff;
pub mod engines;
pub mod fewest;
pub mod km;
pub mod modular;
mod net_certificate;
pub mod net_check;
pub mod nets;
pub mod programs;
pub mod run;
pub mod shorten;
pub mod system;
pub mod unroll;

pub use engines::{BackwardSearch, Cutoff, KarpMillerExplicit};
