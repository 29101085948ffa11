//! The control-flow IR every engine reads.
//!
//! A [`Program`] is a set of procedures; a [`Proc`] is a graph whose locations are statements and
//! whose edges carry an [`Action`]. Expressions live in one hash-consed [`ExprPool`].
//!
//! Reading order: [`expr`], [`may`], [`program`], [`build`], [`mod@verify`], [`text`], then the analyses, one
//! file each; [`dot`] draws.

pub mod analysis;
pub mod build;
pub mod dot;
pub mod expr;
pub mod may;
pub mod program;
pub mod text;
pub mod verify;

pub use build::ProcBuilder;
pub use expr::{Expr, ExprId, ExprPool};
pub use may::{Formulas, May, Possible};
pub use program::{
    Action, Assign, Call, Edge, EdgeId, EdgeRef, Goal, Loc, LocInfo, LocRef, Proc, ProcId, Program,
    Spawn, VarId, VarInfo,
};
pub use verify::{VerifyError, expect_verified, verify};
