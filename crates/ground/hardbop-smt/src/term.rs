//! What a term is: a small kernel of operators of SMT-LIB's QF_ABV, everything else is derived.
//!
//! A Boolean is a bit-vector of width 1. One sort less means one `and`, one `not` and one `ite`
//! instead of two each, and a C condition that is also a value needs no conversion.
//! Disjunction, subtraction, signed division and the other comparisons are built from the kernel
//! (see `derived.rs`), so that the rules and the circuits have few cases.

use hardbop_base::define_id;

define_id!(
    /// A term of one [`Terms`](crate::Terms) pool. Equal ids are equal terms.
    TermId,
    "t"
);

define_id!(
    /// A free variable of one pool: a bit-vector or an array.
    VarId,
    "v"
);

/// The widest bit-vector.
pub const MAX_WIDTH: u32 = 128;

/// What a term denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Width 1 to 128.
    Bits(u32),
    /// A total function from `index` bits to `element` bits.
    Array { index: u32, element: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnaryOp {
    Not,
    /// Two's complement.
    Neg,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BinaryOp {
    And,
    Xor,
    Add,
    Mul,
    /// By zero: all ones.
    Udiv,
    /// By zero: the dividend.
    Urem,
    /// By the width or more: zero.
    Shl,
    Lshr,
    /// By the width or more: copies of the sign.
    Ashr,
    Eq,
    Ult,
    Slt,
    /// The left operand is the more significant one.
    Concat,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 13] = [
        BinaryOp::And,
        BinaryOp::Xor,
        BinaryOp::Add,
        BinaryOp::Mul,
        BinaryOp::Udiv,
        BinaryOp::Urem,
        BinaryOp::Shl,
        BinaryOp::Lshr,
        BinaryOp::Ashr,
        BinaryOp::Eq,
        BinaryOp::Ult,
        BinaryOp::Slt,
        BinaryOp::Concat,
    ];

    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, And | Xor | Add | Mul | Eq)
    }

    /// The width of the result for operands of these widths.
    pub fn width(self, lhs: u32, rhs: u32) -> u32 {
        match self {
            BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt => 1,
            BinaryOp::Concat => lhs + rhs,
            _ => lhs,
        }
    }
}

/// One node of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// The bits above `width` are zero.
    Const {
        width: u32,
        value: u128,
    },
    Var(VarId),
    Unary(UnaryOp, TermId),
    Binary(BinaryOp, TermId, TermId),
    /// The condition has width 1; the branches are bit-vectors or arrays of one sort.
    Ite(TermId, TermId, TermId),
    /// Bits `high` down to `low`, both included.
    Extract {
        term: TermId,
        high: u32,
        low: u32,
    },
    /// To a strictly greater width.
    SignExtend {
        term: TermId,
        width: u32,
    },
    /// The array that holds `value` at each index of `index` bits.
    ConstArray {
        index: u32,
        value: TermId,
    },
    Store {
        array: TermId,
        index: TermId,
        value: TermId,
    },
    Select {
        array: TermId,
        index: TermId,
    },
}

impl Term {
    /// The operands, left to right.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        let operands = match *self {
            Term::Const { .. } | Term::Var(_) => [None; 3],
            Term::Unary(_, term)
            | Term::Extract { term, .. }
            | Term::SignExtend { term, .. }
            | Term::ConstArray { value: term, .. } => [Some(term), None, None],
            Term::Binary(_, a, b) | Term::Select { array: a, index: b } => [Some(a), Some(b), None],
            Term::Ite(a, b, c) | Term::Store { array: a, index: b, value: c } => {
                [Some(a), Some(b), Some(c)]
            }
        };
        operands.into_iter().flatten()
    }
}
