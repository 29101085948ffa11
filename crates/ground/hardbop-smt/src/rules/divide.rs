//! Unsigned quotient and remainder. Division by zero gives all ones, its remainder the dividend.

use super::{BinaryRule, Rule, table};
use crate::pool::Terms;
use crate::term::TermId;

pub(super) const UDIV: &[Rule<BinaryRule>] =
    table![udiv_bit, udiv_zero, udiv_power_of_two, udiv_of_zero, udiv_same, udiv_narrow];

pub(super) const UREM: &[Rule<BinaryRule>] =
    table![urem_bit, urem_zero, urem_power_of_two, urem_of_zero, urem_same, urem_narrow];

fn udiv_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let b = terms.not(b);
    Some(terms.or(a, b))
}

fn udiv_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then(|| terms.constant(terms.width(a), u128::MAX))
}

fn udiv_power_of_two(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_const(b)?;
    divisor.is_power_of_two().then(|| terms.shift_right(a, divisor.trailing_zeros()))
}

fn udiv_of_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(a).then(|| unless_zero(terms, b, a))
}

fn udiv_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| {
        let one = terms.constant(terms.width(a), 1);
        unless_zero(terms, b, one)
    })
}

/// Division is the costliest circuit: it is done at the width the operands use.
fn udiv_narrow(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let zeros = common_zeros(terms, a, b)?;
    let (x, y) = (terms.without_high(a, zeros), terms.without_high(b, zeros));
    let quotient = terms.udiv(x, y);
    let quotient = terms.zero_extend(quotient, terms.width(a));
    Some(unless_zero(terms, b, quotient))
}

fn urem_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let b = terms.not(b);
    Some(terms.and(a, b))
}

fn urem_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(a)
}

fn urem_power_of_two(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_const(b)?;
    if !divisor.is_power_of_two() {
        return None;
    }
    let width = terms.width(a);
    if divisor == 1 {
        return Some(terms.constant(width, 0));
    }
    let low = terms.extract(a, divisor.trailing_zeros() - 1, 0);
    Some(terms.zero_extend(low, width))
}

fn urem_of_zero(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    terms.is_zero(a).then_some(a)
}

fn urem_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.constant(terms.width(a), 0))
}

fn urem_narrow(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let zeros = common_zeros(terms, a, b)?;
    let (x, y) = (terms.without_high(a, zeros), terms.without_high(b, zeros));
    let remainder = terms.urem(x, y);
    Some(terms.zero_extend(remainder, terms.width(a)))
}

/// How many high bits both operands can do without.
fn common_zeros(terms: &Terms, a: TermId, b: TermId) -> Option<u32> {
    let zeros = terms.leading_zeros(a).min(terms.leading_zeros(b)).min(terms.width(a) - 1);
    (zeros > 0).then_some(zeros)
}

/// The quotient, if the divisor is not zero.
fn unless_zero(terms: &mut Terms, divisor: TermId, quotient: TermId) -> TermId {
    let width = terms.width(divisor);
    let (zero, ones) = (terms.constant(width, 0), terms.constant(width, u128::MAX));
    let is_zero = terms.eq(divisor, zero);
    terms.ite(is_zero, ones, quotient)
}
