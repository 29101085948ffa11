//! Rules that every operator has: constants are folded, also under a choice.

use hardbop_base::fault::{Fault, is_on};

use super::{AnyBinaryRule, Rule, table};
use crate::pool::Terms;
use crate::term::{BinaryOp, TermId, UnaryOp};
use crate::word;

pub(super) const BINARY: &[Rule<AnyBinaryRule>] =
    table![fold_binary, choice_of_constants_left, choice_of_constants_right];

pub(super) fn fold_unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if let Some((condition, then, otherwise)) = terms.as_ite_const(a) {
        let then = terms.constant(width, word::unary(op, width, then));
        let otherwise = terms.constant(width, word::unary(op, width, otherwise));
        return Some(terms.ite(condition, then, otherwise));
    }
    let value = terms.as_const(a)?;
    Some(terms.constant(width, word::unary(op, width, value)))
}

fn fold_binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_const(a)?, terms.as_const(b)?);
    Some(folded(terms, op, (a, x), (b, y)))
}

/// `ite(c, 1, 2) + 3` is `ite(c, 4, 5)`.
fn choice_of_constants_left(
    terms: &mut Terms,
    op: BinaryOp,
    a: TermId,
    b: TermId,
) -> Option<TermId> {
    let (condition, then, otherwise) = terms.as_ite_const(a)?;
    let y = terms.as_const(b)?;
    let then = folded(terms, op, (a, then), (b, y));
    let otherwise = folded(terms, op, (a, otherwise), (b, y));
    Some(terms.ite(condition, then, otherwise))
}

fn choice_of_constants_right(
    terms: &mut Terms,
    op: BinaryOp,
    a: TermId,
    b: TermId,
) -> Option<TermId> {
    let x = terms.as_const(a)?;
    let (condition, then, otherwise) = terms.as_ite_const(b)?;
    let then = folded(terms, op, (a, x), (b, then));
    let otherwise = folded(terms, op, (a, x), (b, otherwise));
    Some(terms.ite(condition, then, otherwise))
}

/// The constant for operands of these sorts with these values.
fn folded(terms: &mut Terms, op: BinaryOp, a: (TermId, u128), b: (TermId, u128)) -> TermId {
    let (lhs, rhs) = (terms.width(a.0), terms.width(b.0));
    let is_plain = op == BinaryOp::Ashr && is_on(Fault::FoldedShift);
    let op = if is_plain { BinaryOp::Lshr } else { op };
    terms.constant(op.width(lhs, rhs), word::binary(op, lhs, rhs, a.1, b.1))
}
