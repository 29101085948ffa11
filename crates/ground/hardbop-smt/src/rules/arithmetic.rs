//! Negation, sums and products modulo a power of two.

use hardbop_base::fault::{Fault, is_on};

use super::{BinaryRule, Rule, UnaryRule, table};
use crate::pool::Terms;
use crate::term::{BinaryOp, TermId};

pub(super) const NEG: &[Rule<UnaryRule>] =
    table![neg_bit, neg_neg, neg_not, neg_difference, neg_sum_with_constant];

pub(super) const ADD: &[Rule<BinaryRule>] =
    table![add_bit, add_zero, add_constants, add_opposite, add_complement, add_cancels, add_twice,];

pub(super) const MUL: &[Rule<BinaryRule>] = table![
    mul_bit,
    mul_zero,
    mul_one,
    mul_minus_one,
    mul_power_of_two,
    mul_constants,
    mul_neg_constant,
    mul_sum_with_constant,
];

fn neg_bit(terms: &mut Terms, a: TermId) -> Option<TermId> {
    (terms.width(a) == 1).then_some(a)
}

fn neg_neg(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_neg(a)
}

/// `-~a` is `a + 1`.
fn neg_not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let inner = terms.as_not(a)?;
    let one = terms.constant(terms.width(a), 1);
    Some(terms.add(inner, one))
}

fn neg_difference(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, y) = terms.as_op(BinaryOp::Add, a)?;
    match (terms.as_neg(x), terms.as_neg(y)) {
        (_, Some(y)) => Some(terms.sub(y, x)),
        (Some(x), None) => Some(terms.sub(x, y)),
        (None, None) => None,
    }
}

fn neg_sum_with_constant(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, constant) = terms.as_op_const(BinaryOp::Add, a)?;
    let opposite = terms.constant(terms.width(a), constant.wrapping_neg());
    let x = terms.neg(x);
    Some(terms.add(x, opposite))
}

fn add_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.width(a) == 1).then(|| terms.xor(a, b))
}

fn add_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(a)
}

fn add_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let outer = terms.as_const(b)?;
    let (x, inner) = terms.as_op_const(BinaryOp::Add, a)?;
    let sum = terms.constant(terms.width(a), outer.wrapping_add(inner));
    Some(terms.add(x, sum))
}

fn add_opposite(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.as_neg(b) == Some(a)).then(|| terms.constant(terms.width(a), 0))
}

/// `a + ~a` is all ones.
fn add_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.are_complements(a, b).then(|| terms.constant(terms.width(a), u128::MAX))
}

/// `a + (-a + y)` and `-a + (a + y)` are `y`.
fn add_cancels(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = terms.as_op(BinaryOp::Add, b)?;
    let opposite = |x| terms.as_neg(x) == Some(a) || terms.as_neg(a) == Some(x);
    if opposite(x) { Some(y) } else { opposite(y).then_some(x) }
}

fn add_twice(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.shift_left(a, 1))
}

fn mul_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.width(a) == 1).then(|| terms.and(a, b))
}

fn mul_zero(terms: &mut Terms, _: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(b)
}

fn mul_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.as_const(b)? == 1).then_some(a)
}

fn mul_minus_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_ones(b).then(|| terms.neg(a))
}

fn mul_power_of_two(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let factor = terms.as_const(b)?;
    let less = u32::from(is_on(Fault::PowerOfTwo) && factor > 1);
    factor.is_power_of_two().then(|| terms.shift_left(a, factor.trailing_zeros() - less))
}

fn mul_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let outer = terms.as_const(b)?;
    let (x, inner) = terms.as_op_const(BinaryOp::Mul, a)?;
    let product = terms.constant(terms.width(a), outer.wrapping_mul(inner));
    Some(terms.mul(x, product))
}

fn mul_neg_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, factor) = (terms.as_neg(a)?, terms.as_const(b)?);
    let opposite = terms.constant(terms.width(a), factor.wrapping_neg());
    Some(terms.mul(x, opposite))
}

/// `(x + 1) * 4` is `x * 4 + 4`: addresses of neighbouring elements then differ by a constant.
fn mul_sum_with_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let factor = terms.as_const(b)?;
    let (x, summand) = terms.as_op_const(BinaryOp::Add, a)?;
    let x = terms.mul(x, b);
    let summand = terms.constant(terms.width(a), summand.wrapping_mul(factor));
    Some(terms.add(x, summand))
}
