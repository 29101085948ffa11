//! The word-level simplifier: what a constructor tries before it makes a node.
//!
//! Each rule is one named function from operands to a term that means the same, or `None`. Rules
//! look at most two levels deep and never at the whole of a term: they run at every construction.
//! The rules of a commutative operator are asked for both orders of the operands.
//! `rules/tests.rs` runs every rule on its own against the meaning of its operator and demands that
//! none of them is dead.

mod arithmetic;
mod array;
mod bitwise;
mod choice;
mod compare;
mod divide;
mod generic;
mod shift;
mod slice;
#[cfg(test)]
mod tests;
mod view;

pub use array::{select, store};

use crate::pool::Terms;
use crate::term::{BinaryOp, TermId, UnaryOp};

/// A rewrite rule and its name.
pub struct Rule<F> {
    #[cfg_attr(not(test), expect(dead_code, reason = "names are for the tests and for people"))]
    pub name: &'static str,
    pub apply: F,
}

type UnaryRule = fn(&mut Terms, TermId) -> Option<TermId>;
type BinaryRule = fn(&mut Terms, TermId, TermId) -> Option<TermId>;
type AnyBinaryRule = fn(&mut Terms, BinaryOp, TermId, TermId) -> Option<TermId>;
type IteRule = fn(&mut Terms, TermId, TermId, TermId) -> Option<TermId>;
type ExtractRule = fn(&mut Terms, TermId, u32, u32) -> Option<TermId>;
type SignExtendRule = fn(&mut Terms, TermId, u32) -> Option<TermId>;

/// A table of rules under their own names.
macro_rules! table {
    ($($rule:ident),* $(,)?) => {
        &[$($crate::rules::Rule { name: stringify!($rule), apply: $rule }),*]
    };
}
use table;

fn unary_table(op: UnaryOp) -> &'static [Rule<UnaryRule>] {
    match op {
        UnaryOp::Not => bitwise::NOT,
        UnaryOp::Neg => arithmetic::NEG,
    }
}

fn binary_table(op: BinaryOp) -> &'static [Rule<BinaryRule>] {
    match op {
        BinaryOp::And => bitwise::AND,
        BinaryOp::Xor => bitwise::XOR,
        BinaryOp::Add => arithmetic::ADD,
        BinaryOp::Mul => arithmetic::MUL,
        BinaryOp::Udiv => divide::UDIV,
        BinaryOp::Urem => divide::UREM,
        BinaryOp::Shl => shift::SHL,
        BinaryOp::Lshr => shift::LSHR,
        BinaryOp::Ashr => shift::ASHR,
        BinaryOp::Eq => compare::EQ,
        BinaryOp::Ult => compare::ULT,
        BinaryOp::Slt => compare::SLT,
        BinaryOp::Concat => slice::CONCAT,
    }
}

pub fn unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> Option<TermId> {
    generic::fold_unary(terms, op, a)
        .or_else(|| unary_table(op).iter().find_map(|rule| (rule.apply)(terms, a)))
}

pub fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(answer) = generic::BINARY.iter().find_map(|rule| (rule.apply)(terms, op, a, b)) {
        return Some(answer);
    }
    binary_table(op).iter().find_map(|rule| {
        (rule.apply)(terms, a, b)
            .or_else(|| op.is_commutative().then(|| (rule.apply)(terms, b, a)).flatten())
    })
}

pub fn ite(terms: &mut Terms, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    choice::ITE.iter().find_map(|rule| (rule.apply)(terms, c, then, otherwise))
}

pub fn extract(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    slice::EXTRACT.iter().find_map(|rule| (rule.apply)(terms, term, high, low))
}

pub fn sign_extend(terms: &mut Terms, term: TermId, width: u32) -> Option<TermId> {
    slice::SIGN_EXTEND.iter().find_map(|rule| (rule.apply)(terms, term, width))
}
