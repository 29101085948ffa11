//! Shifts: by a constant they are wires.

use super::{BinaryRule, Rule, table};
use crate::pool::Terms;
use crate::term::TermId;

pub(super) const SHL: &[Rule<BinaryRule>] = table![shl_by_constant, shift_zero, shift_bit];
pub(super) const LSHR: &[Rule<BinaryRule>] = table![lshr_by_constant, shift_zero, shift_bit];
pub(super) const ASHR: &[Rule<BinaryRule>] =
    table![ashr_by_constant, shift_zero, ashr_bit, ashr_minus_one, ashr_nonnegative];

fn shl_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let by = terms.as_const(b)?;
    Some(terms.shift_left(a, saturated(by)))
}

fn lshr_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let by = terms.as_const(b)?;
    Some(terms.shift_right(a, saturated(by)))
}

fn ashr_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let by = terms.as_const(b)?;
    let width = terms.width(a);
    let kept = terms.extract(a, width - 1, saturated(by).min(width - 1));
    Some(terms.sign_extend(kept, width))
}

fn saturated(by: u128) -> u32 {
    u32::try_from(by).unwrap_or(u32::MAX)
}

fn shift_zero(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    terms.is_zero(a).then_some(a)
}

fn shift_bit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.width(a) > 1 {
        return None;
    }
    let stays = terms.not(b);
    Some(terms.and(a, stays))
}

fn ashr_bit(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    (terms.width(a) == 1).then_some(a)
}

fn ashr_minus_one(terms: &mut Terms, a: TermId, _: TermId) -> Option<TermId> {
    terms.is_ones(a).then_some(a)
}

fn ashr_nonnegative(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (terms.leading_zeros(a) > 0).then(|| terms.lshr(a, b))
}
