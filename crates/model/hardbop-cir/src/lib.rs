//! The IR of C programs: what the front end makes and the engines `bmc`, `kind` and `cegar` read.
//!
//! Reading order: [`ty`], [`expr`], [`fold`], [`eval`], [`program`], [`check`], [`assumption`], [`thread`], [`mod@verify`],
//! [`text`], [`interp`] (the reference meaning), [`analysis`], [`pass`].

pub mod analysis;
pub mod assumption;
pub mod check;
pub mod eval;
pub mod expr;
pub mod fold;
pub mod interp;
pub mod pass;
pub mod program;
pub mod scan;
pub mod text;
pub mod thread;
pub mod ty;
pub mod verify;

pub use assumption::Assumption;
pub use check::{Check, CheckId, Class, Cond, Holder};
pub use expr::{BinOp, CastOp, Expr, ExprId, ExprPool, UnOp};
pub use program::{
    Block, BlockId, Callee, Func, FuncId, Init, Inst, ObjId, ObjInfo, ObjKind, Op, PrintKind,
    Program, Shape, Source, Stop, Stream, Term, TextPart, VarId, VarInfo, VarKind,
};
pub use scan::{Ahead, Numeral, Scan};
pub use thread::ThreadOp;
pub use ty::{FloatTy, Ty};
pub use verify::{VerifyError, expect_verified, verify};
