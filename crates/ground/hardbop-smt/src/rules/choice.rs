//! If-then-else, over bit-vectors and arrays alike.

use hardbop_base::fault::{Fault, is_on};

use super::{IteRule, Rule, table};
use crate::pool::Terms;
use crate::term::{Sort, TermId};

pub(super) const ITE: &[Rule<IteRule>] = table![
    ite_decided,
    ite_same,
    ite_not,
    ite_bit_then,
    ite_bit_otherwise,
    ite_repeats_then,
    ite_repeats_otherwise,
    ite_shares_then,
    ite_shares_otherwise,
];

fn ite_decided(terms: &mut Terms, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    Some(if terms.as_const(c)? == 1 { then } else { otherwise })
}

fn ite_same(_: &mut Terms, _: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    (then == otherwise).then_some(then)
}

fn ite_not(terms: &mut Terms, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    let inner = terms.as_not(c)?;
    Some(terms.ite(inner, otherwise, then))
}

/// A Boolean choice with a constant branch, or with its own condition as a branch, is a
/// conjunction or a disjunction.
fn ite_bit_then(terms: &mut Terms, c: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if terms.sort(then) != Sort::Bits(1) {
        return None;
    }
    match terms.as_const(then) {
        Some(0) => {
            let not = terms.not(c);
            Some(terms.and(not, otherwise))
        }
        Some(_) => Some(terms.or(c, otherwise)),
        None => (then == c).then(|| terms.or(c, otherwise)),
    }
}

fn ite_bit_otherwise(
    terms: &mut Terms,
    c: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    if terms.sort(then) != Sort::Bits(1) {
        return None;
    }
    match terms.as_const(otherwise) {
        Some(0) => Some(terms.and(c, then)),
        Some(_) => {
            let not = terms.not(c);
            Some(terms.or(not, then))
        }
        None => (otherwise == c).then(|| terms.and(c, then)),
    }
}

/// `ite(c, ite(c, x, y), z)` is `ite(c, x, z)`.
fn ite_repeats_then(
    terms: &mut Terms,
    c: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    let (inner, x, _) = terms.as_ite(then)?;
    (inner == c).then(|| terms.ite(c, x, otherwise))
}

fn ite_repeats_otherwise(
    terms: &mut Terms,
    c: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    let (inner, _, y) = terms.as_ite(otherwise)?;
    (inner == c).then(|| terms.ite(c, then, y))
}

/// `ite(c, ite(d, x, y), y)` is `ite(c & d, x, y)`, and with `x` shared `ite(c & ~d, y, x)`.
fn ite_shares_then(
    terms: &mut Terms,
    c: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    let (d, x, y) = terms.as_ite(then)?;
    if y == otherwise {
        let both = if is_on(Fault::ChoiceShared) { c } else { terms.and(c, d) };
        Some(terms.ite(both, x, y))
    } else if x == otherwise {
        let not = terms.not(d);
        let both = terms.and(c, not);
        Some(terms.ite(both, y, x))
    } else {
        None
    }
}

/// `ite(c, x, ite(d, x, y))` is `ite(c | d, x, y)`, and with `y` shared `ite(c | ~d, y, x)`.
fn ite_shares_otherwise(
    terms: &mut Terms,
    c: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    let (d, x, y) = terms.as_ite(otherwise)?;
    if x == then {
        let either = terms.or(c, d);
        Some(terms.ite(either, x, y))
    } else if y == then {
        let not = terms.not(d);
        let either = terms.or(c, not);
        Some(terms.ite(either, y, x))
    } else {
        None
    }
}
