//! Equality and order.

use hardbop_base::fault::{Fault, is_on};

use super::{BinaryRule, Rule, table};
use crate::pool::Terms;
use crate::term::{BinaryOp, TermId};
use crate::word;

pub(super) const EQ: &[Rule<BinaryRule>] = table![
    eq_same,
    eq_bit,
    eq_complement,
    eq_not,
    eq_neg,
    eq_sum_constant,
    eq_sum_summand,
    eq_sums,
    eq_xor_constant,
    eq_odd_multiple,
    eq_concat_constant,
    eq_concats,
    eq_sign_extend_constant,
    eq_sign_extends,
];

pub(super) const ULT: &[Rule<BinaryRule>] = table![
    lt_same,
    ult_bit,
    ult_zero,
    ult_of_ones,
    ult_one,
    ult_ones,
    ult_of_zero,
    ult_of_ones_less_one,
    ult_below_zeros,
    ult_common_prefix,
    ult_sign_extends,
];

pub(super) const SLT: &[Rule<BinaryRule>] = table![
    lt_same,
    slt_bit,
    slt_zero,
    slt_of_minus_one,
    slt_least,
    slt_of_greatest,
    slt_nonnegative,
    slt_sign_extends,
    slt_sign_extend_constant,
    slt_constant_sign_extend,
];

fn eq_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.bool(true))
}

fn eq_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let differ = terms.xor(a, b);
    Some(terms.not(differ))
}

fn eq_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.are_complements(a, b).then(|| terms.bool(false))
}

fn eq_not(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_not(a)?;
    if terms.as_not(b).is_none() && terms.as_const(b).is_none() {
        return None;
    }
    let y = terms.not(b);
    Some(terms.eq(x, y))
}

fn eq_neg(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_neg(a)?;
    if terms.as_neg(b).is_none() && terms.as_const(b).is_none() {
        return None;
    }
    let y = terms.neg(b);
    Some(terms.eq(x, y))
}

/// `x + 3 = 5` is `x = 2`.
fn eq_sum_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, summand) = terms.as_op_const(BinaryOp::Add, a)?;
    let sum = terms.as_const(b)?;
    let is_moved = is_on(Fault::SumMoved);
    let summand = if is_moved { summand.wrapping_neg() } else { summand };
    let difference = terms.constant(terms.width(a), sum.wrapping_sub(summand));
    Some(terms.eq(x, difference))
}

/// `x + y = x` is `y = 0`.
fn eq_sum_summand(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let y = terms.other_operand(BinaryOp::Add, a, b)?;
    let zero = terms.constant(terms.width(a), 0);
    Some(terms.eq(y, zero))
}

/// `x + y = x + z` is `y = z`.
fn eq_sums(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = terms.as_op(BinaryOp::Add, a)?;
    if let Some(z) = terms.other_operand(BinaryOp::Add, b, x) {
        return Some(terms.eq(y, z));
    }
    let z = terms.other_operand(BinaryOp::Add, b, y)?;
    Some(terms.eq(x, z))
}

fn eq_xor_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, mask) = terms.as_op_const(BinaryOp::Xor, a)?;
    let value = terms.as_const(b)?;
    let value = terms.constant(terms.width(a), value ^ mask);
    Some(terms.eq(x, value))
}

/// `x * 3 = 6` is `x = 2`: odd numbers have an inverse modulo a power of two.
fn eq_odd_multiple(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, factor) = terms.as_op_const(BinaryOp::Mul, a)?;
    let product = terms.as_const(b)?;
    if factor.is_multiple_of(2) {
        return None;
    }
    let solution = terms.constant(terms.width(a), product.wrapping_mul(inverse(factor)));
    Some(terms.eq(x, solution))
}

/// Newton's iteration: each step doubles the number of correct low bits, and the first three are
/// correct from the start, since an odd number is its own inverse modulo 8.
fn inverse(odd: u128) -> u128 {
    (0..6)
        .fold(odd, |guess: u128, _| guess.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(guess))))
}

fn eq_concat_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (high, low) = terms.as_op(BinaryOp::Concat, a)?;
    let value = terms.as_const(b)?;
    let split = terms.width(low);
    let (above, below) =
        (terms.constant(terms.width(high), value >> split), terms.constant(split, value));
    let (high, low) = (terms.eq(high, above), terms.eq(low, below));
    Some(terms.and(high, low))
}

/// Concatenations that are split at the same place.
fn eq_concats(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (a_high, a_low) = terms.as_op(BinaryOp::Concat, a)?;
    let (b_high, b_low) = terms.as_op(BinaryOp::Concat, b)?;
    if terms.width(a_low) != terms.width(b_low) {
        return None;
    }
    let (high, low) = (terms.eq(a_high, b_high), terms.eq(a_low, b_low));
    Some(terms.and(high, low))
}

fn eq_sign_extend_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_sign_extend(a)?;
    let value = terms.as_const(b)?;
    let (from, to) = (terms.width(x), terms.width(a));
    let short = value & word::ones(from);
    if word::sign_extend(from, to, short) != value {
        return Some(terms.bool(false));
    }
    let short = terms.constant(from, short);
    Some(terms.eq(x, short))
}

fn eq_sign_extends(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_sign_extend(a)?, terms.as_sign_extend(b)?);
    (terms.width(x) == terms.width(y)).then(|| terms.eq(x, y))
}

fn lt_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.bool(false))
}

fn ult_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let a = terms.not(a);
    Some(terms.and(a, b))
}

fn ult_zero(terms: &mut Terms, _: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then(|| terms.bool(false))
}

fn ult_of_ones(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    terms.is_ones(a).then(|| terms.bool(false))
}

/// `a < 1` is `a = 0`.
fn ult_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.as_const(b)? != 1 {
        return None;
    }
    let zero = terms.constant(terms.width(a), u128::from(is_on(Fault::BelowOne)));
    Some(terms.eq(a, zero))
}

/// `a < 111` is `a ≠ 111`.
fn ult_ones(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_ones(b).then(|| terms.ne(a, b))
}

fn ult_of_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(a).then(|| terms.ne(a, b))
}

/// `110 < b` is `b = 111`.
fn ult_of_ones_less_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if terms.as_const(a)? != word::ones(width) - 1 {
        return None;
    }
    let ones = terms.constant(width, u128::MAX);
    Some(terms.eq(b, ones))
}

fn ult_below_zeros(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (zeros_a, zeros_b) = (terms.leading_zeros(a), terms.leading_zeros(b));
    let common = zeros_a.min(zeros_b).min(terms.width(a) - 1);
    if common > 0 {
        let (a, b) = (terms.without_high(a, common), terms.without_high(b, common));
        return Some(terms.ult(a, b));
    }
    // A constant that needs more bits than the other side has decides the order.
    if terms.as_const(b).is_some() && zeros_a > zeros_b {
        return Some(terms.bool(true));
    }
    (terms.as_const(a).is_some() && zeros_b > zeros_a).then(|| terms.bool(false))
}

fn ult_common_prefix(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (a_high, a_low) = terms.as_op(BinaryOp::Concat, a)?;
    let (b_high, b_low) = terms.as_op(BinaryOp::Concat, b)?;
    (a_high == b_high).then(|| terms.ult(a_low, b_low))
}

/// Sign extension keeps the unsigned order too: it moves the upper half up.
fn ult_sign_extends(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_sign_extend(a)?, terms.as_sign_extend(b)?);
    (terms.width(x) == terms.width(y)).then(|| terms.ult(x, y))
}

fn slt_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let b = terms.not(b);
    Some(terms.and(a, b))
}

/// `a < 0` is the sign.
fn slt_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if is_on(Fault::NeverNegative) {
        return terms.is_zero(b).then(|| terms.bool(false));
    }
    terms.is_zero(b).then(|| terms.sign(a))
}

/// `-1 < b` is the sign negated.
fn slt_of_minus_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if !terms.is_ones(a) {
        return None;
    }
    let sign = terms.sign(b);
    Some(terms.not(sign))
}

fn slt_least(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.as_const(b)? == word::sign_bit(terms.width(a))).then(|| terms.bool(false))
}

fn slt_of_greatest(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    (terms.as_const(a)? == word::ones(terms.width(a)) >> 1).then(|| terms.bool(false))
}

/// Where both sides are visibly not negative, or one is and the other is a negative constant.
fn slt_nonnegative(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    let negative = |term| terms.as_const(term).is_some_and(|value| word::is_negative(width, value));
    let (a_positive, b_positive) = (terms.leading_zeros(a) > 0, terms.leading_zeros(b) > 0);
    if a_positive && b_positive {
        Some(terms.ult(a, b))
    } else if a_positive && negative(b) {
        Some(terms.bool(false))
    } else {
        (b_positive && negative(a)).then(|| terms.bool(true))
    }
}

fn slt_sign_extends(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_sign_extend(a)?, terms.as_sign_extend(b)?);
    if is_on(Fault::OrderWithoutSign) {
        return (terms.width(x) == terms.width(y)).then(|| terms.ult(x, y));
    }
    (terms.width(x) == terms.width(y)).then(|| terms.slt(x, y))
}

fn slt_sign_extend_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_sign_extend(a)?;
    match shortened(terms, x, b)? {
        Ok(short) => Some(terms.slt(x, short)),
        Err(Beyond { negative }) => Some(terms.bool(!negative)),
    }
}

fn slt_constant_sign_extend(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let y = terms.as_sign_extend(b)?;
    match shortened(terms, y, a)? {
        Ok(short) => Some(terms.slt(short, y)),
        Err(Beyond { negative }) => Some(terms.bool(negative)),
    }
}

/// A constant below (`negative`) or above all numbers of a smaller width.
struct Beyond {
    negative: bool,
}

/// The constant at the width of `short`, if it fits; `None` if it is no constant.
fn shortened(terms: &mut Terms, short: TermId, constant: TermId) -> Option<Result<TermId, Beyond>> {
    let value = terms.as_const(constant)?;
    let (from, to) = (terms.width(short), terms.width(constant));
    if word::sign_extend(from, to, value & word::ones(from)) == value {
        Some(Ok(terms.constant(from, value)))
    } else {
        Some(Err(Beyond { negative: word::is_negative(to, value) }))
    }
}
