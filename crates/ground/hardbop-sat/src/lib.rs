//! Propositional reasoning for the engines.
//!
//! * [`solver`]: what we ask of a SAT solver, and [`batsat`], [`cadical`] behind it; [`cdcl`] is one
//!   of our own that can be told what to decide first, and log proofs; [`lrat`] checks these.
//! * [`aig`]: formulas as a hash-consed and-inverter graph; [`copy`] substitutes, [`eval`] evaluates.
//! * [`encode`]: the graph in a solver, on demand; [`oracle`]: satisfiability of formulas.
//! * [`qbf`]: ∀∃ queries; [`qdimacs`] writes them down for other solvers.

pub mod aig;
pub mod batsat;
#[cfg(feature = "cadical")]
pub mod cadical;
pub mod cdcl;
pub mod copy;
pub mod encode;
pub mod eval;
pub mod lrat;
pub mod oracle;
pub mod qbf;
pub mod qdimacs;
pub mod solver;

pub use aig::{Aig, Term};
pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use cdcl::Cdcl;
pub use copy::{Copy, Unmapped};
pub use encode::Encoder;
pub use eval::Eval;
pub use lrat::Checked;
pub use oracle::{Model, Oracle};
pub use qbf::{ForallExists, Qbf};
pub use solver::{Lit, Solver};
