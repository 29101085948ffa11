//! The decision procedure for C: bit-vectors of width 1 to 128 and arrays of them.
//!
//! ```text
//! Terms (hash-consed, simplified as they are built) ─► Solver: arrays expanded ─► bits ─► SAT
//!        ├─► Evaluator: the value under a Model            ▲ assumptions, cores, Budget
//!        └─► smtlib: the same query for any outside solver
//! ```
//! The meaning of every operator is SMT-LIB's, division by zero included; what C calls undefined is
//! a question to ask before (`overflow`), not a meaning of its own.
//!
//! Reading order: [`term`], [`word`], [`pool`], [`derived`], `rules`, [`eval`], [`vector`],
//! [`overflow`], [`smtlib`]; then `arrays`, `circuit`, `blast`, `backend`, [`solver`], [`audit`].

mod arrays;
pub mod audit;
mod backend;
mod blast;
mod circuit;
pub mod derived;
pub mod eval;
pub mod float;
pub mod overflow;
pub mod pool;
pub mod random;
mod rules;
pub mod smtlib;
pub mod solver;
pub mod term;
pub mod vector;
pub mod word;

pub use backend::Backend;
pub use blast::Blaster;
pub use eval::{ArrayValue, Evaluator, Model};
pub use pool::Terms;
pub use solver::{Answer, Solver};
pub use term::{BinaryOp, Sort, Term, TermId, UnaryOp, VarId};
