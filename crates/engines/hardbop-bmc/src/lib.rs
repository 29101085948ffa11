//! Engine `bmc` for C: bounded model checking over the C program IR, complete where loops end.
//!
//! ```text
//! Program ─► Unroller (states merged at joins) ─► terms: where checks fail, what was given up,
//!                                                 what the bound cut ─► Solver ─► replay ─► Report
//! ```
//! Every place where the unrolling knows less than the program does either keeps more behaviours (a
//! fresh variable) or gives the path up, which is remembered. So `Safe` holds of all executions, and
//! `Unsafe` is shown by the interpreter.
//!
//! Reading order: [`value`], [`layout`], [`chunks`], [`state`], [`order`], [`unroll`], `ops`, `objects`, `expr`,
//! `float`, `access`, `conds`, `leak`; [`engine`], [`model`], [`report`], [`counterexample`]; [`induct`] for
//! engine `kind`, [`step`] for engine `fsoft`, [`region`] for engine `cegar`.

mod access;
pub mod chunks;
mod conds;
pub mod counterexample;
pub mod engine;
mod expr;
mod float;
pub mod induct;
pub mod layout;
mod leak;
pub mod model;
mod objects;
mod ops;
pub mod order;
pub mod region;
pub mod report;
pub mod state;
pub mod step;
pub mod unroll;
pub mod value;

pub use counterexample::{Counterexample, Replay};
pub use engine::{Options, check, check_telling, check_with, prepare};
pub use report::{Finding, Report};
pub use unroll::{Bounds, Cut, Unroller};
