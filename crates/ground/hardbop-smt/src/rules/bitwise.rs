//! Negation, conjunction, exclusive or.

use hardbop_base::fault::{Fault, is_on};

use super::{BinaryRule, Rule, UnaryRule, table};
use crate::pool::Terms;
use crate::term::{BinaryOp, TermId};
use crate::word;

pub(super) const NOT: &[Rule<UnaryRule>] = table![not_not, not_concat_constant];

pub(super) const AND: &[Rule<BinaryRule>] = table![
    and_zero,
    and_ones,
    and_same,
    and_complement,
    and_constants,
    and_absorbed,
    and_contradicted,
    and_with_disjunction,
    and_concat_constant,
];

pub(super) const XOR: &[Rule<BinaryRule>] =
    table![xor_zero, xor_ones, xor_same, xor_not, xor_constants, xor_cancels];

fn not_not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_not(a)
}

/// Keeps the constant part of an extended value visible.
fn not_concat_constant(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (high, low) = terms.as_op(BinaryOp::Concat, a)?;
    if terms.as_const(high).is_none() && terms.as_const(low).is_none() {
        return None;
    }
    let (high, low) = (terms.not(high), terms.not(low));
    Some(terms.concat(high, low))
}

fn and_zero(terms: &mut Terms, _: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(b)
}

fn and_ones(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_ones(b).then_some(a)
}

fn and_same(_: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then_some(a)
}

fn and_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.are_complements(a, b).then(|| terms.constant(terms.width(a), 0))
}

fn and_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let outer = terms.as_const(b)?;
    let (x, inner) = terms.as_op_const(BinaryOp::And, a)?;
    let mask = terms.constant(terms.width(a), outer & inner);
    Some(terms.and(x, mask))
}

/// `a & (a & y)` is `a & y`.
fn and_absorbed(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.other_operand(BinaryOp::And, b, a).map(|_| b)
}

/// `a & (~a & y)` is 0.
fn and_contradicted(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = terms.as_op(BinaryOp::And, b)?;
    (terms.are_complements(a, x) || terms.are_complements(a, y))
        .then(|| terms.constant(terms.width(a), 0))
}

/// `a & ~(a & y)` is `a & ~y`; `a & ~(~a & y)`, which is `a & (a | ~y)`, is `a`.
fn and_with_disjunction(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let inner = terms.as_not(b)?;
    if let Some(y) = terms.other_operand(BinaryOp::And, inner, a) {
        let y = terms.not(y);
        return Some(if is_on(Fault::Absorbed) { a } else { terms.and(a, y) });
    }
    let (x, y) = terms.as_op(BinaryOp::And, inner)?;
    (terms.are_complements(a, x) || terms.are_complements(a, y)).then_some(a)
}

fn and_concat_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let mask = terms.as_const(b)?;
    let (high, low) = terms.as_op(BinaryOp::Concat, a)?;
    let (n_high, n_low) = (terms.width(high), terms.width(low));
    let (above, below) = (terms.constant(n_high, mask >> n_low), terms.constant(n_low, mask));
    let (high, low) = (terms.and(high, above), terms.and(low, below));
    Some(terms.concat(high, low))
}

fn xor_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(a)
}

fn xor_ones(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_ones(b).then(|| terms.not(a))
}

fn xor_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.constant(terms.width(a), 0))
}

/// Negations go outside, where two of them meet.
fn xor_not(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let inner = terms.as_not(a)?;
    let xor = terms.xor(inner, b);
    Some(terms.not(xor))
}

fn xor_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let outer = terms.as_const(b)?;
    let (x, inner) = terms.as_op_const(BinaryOp::Xor, a)?;
    let width = terms.width(a);
    let mask = terms.constant(width, (outer ^ inner) & word::ones(width));
    Some(terms.xor(x, mask))
}

/// `a ^ (a ^ y)` is `y`.
fn xor_cancels(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.other_operand(BinaryOp::Xor, b, a)
}
