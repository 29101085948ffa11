//! Engine `bmc` for C: bounded model checking over the C program IR, complete where loops end.
//!
//! ```text
//! Program ─► Walk by bounds (states merged at joins) ─► where checks fail, what was given up,
//!                                                       what the bound cut ─► Solver ─► replay ─► Report
//! ```
//! Every place where the walk knows less than the program does either keeps more behaviours (a
//! fresh variable) or gives the path up, which is remembered. So `Safe` holds of all executions, and
//! `Unsafe` is shown by the interpreter.
//!
//! Reading order: [`engine`], [`unroll`]; then `hardbop-symbolic`.

pub mod engine;
pub mod unroll;

pub use engine::{check, check_telling, check_with};
