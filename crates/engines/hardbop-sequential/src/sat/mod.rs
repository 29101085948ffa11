//! Sequential programs with recursion by SAT and QBF.
//!
//! Reading order: [`rails`], [`state`], [`sim`], [`concretize`]; [`unroll`](mod@unroll) and the
//! engine [`universal`], with [`recursion`], and the engine [`lazy`]; [`context`], [`history`], [`tabulate`] and the engine [`qbf`];
//! the engine [`pdr`](mod@pdr); certificates of the others: [`project`](crate::project), [`write`](mod@write), [`proof`].

pub mod accept;
pub mod concretize;
pub mod context;
pub mod facts;
pub mod history;
pub mod lazy;
pub mod outcome;
pub mod pdr;
pub mod proof;
pub mod qbf;
pub mod rails;
pub mod recursion;
pub mod sim;
pub mod state;
pub mod tabulate;
pub mod universal;
pub mod unroll;
pub mod write;

pub use lazy::Lazy;
pub use pdr::Pdr;
pub use qbf::QbfSummaries;
pub use universal::{Universal, Unrolled};
