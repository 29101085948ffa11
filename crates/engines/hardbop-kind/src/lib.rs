//! Engine `kind` for C: k-induction over loops, strengthened by invariants.
//!
//! ```text
//! Program ─► loops, what each changes ─► candidates (templates, ranges, runs) ─► Houdini: drop what is
//!            not inductive ─► do the checks hold? no: k + 1 ─► yes: Proof ─► re-check ─► Report
//! ```
//! Reading order: [`loops`], [`candidates`], [`points`], [`linear`], [`sample`], [`facts`], [`induct`], [`houdini`], [`engine`], [`partial`],
//! [`recheck`], [`mod@print`], then [`cells`] for arrays, [`walks`] for pointers, [`texts`] for texts, [`contracts`] and
//! [`recursion`].

pub mod candidates;
pub mod cells;
pub mod contracts;
pub mod engine;
pub mod facts;
mod houdini;
pub mod induct;
pub mod linear;
pub mod loops;
pub mod partial;
pub mod points;
pub mod print;
pub mod recheck;
pub mod recursion;
pub mod sample;
pub mod texts;
pub mod walks;

pub use engine::{Proof, check, check_telling};
