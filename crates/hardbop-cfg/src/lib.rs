//! The control-flow IR every engine reads.
//!
//! A [`Program`] is a set of procedures; a [`Proc`] is a graph whose locations are statements and
//! whose edges carry an [`Action`]. Expressions live in one hash-consed [`ExprPool`].
//!
//! Reading order: [`expr`], [`program`], [`build`], then the analyses, one file each.

pub mod build;
pub mod expr;
pub mod program;

pub use build::ProcBuilder;
pub use expr::{Expr, ExprId, ExprPool};
pub use program::{
    Action, Assign, Call, Edge, EdgeId, EdgeRef, Goal, Loc, LocInfo, LocRef, Proc, ProcId, Program,
    Spawn, VarId, VarInfo,
};
