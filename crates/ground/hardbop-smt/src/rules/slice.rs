//! Concatenation, extraction and sign extension: the wires between bytes and words.
//!
//! Concatenations lean to the right and hold no two neighbours that could be one part, so that a
//! word written byte by byte and read back is the word again.

use hardbop_base::fault::{Fault, is_on};

use super::{BinaryRule, ExtractRule, Rule, SignExtendRule, table};
use crate::pool::Terms;
use crate::term::{BinaryOp, Term, TermId};
use crate::word;

pub(super) const CONCAT: &[Rule<BinaryRule>] =
    table![concat_leans_right, concat_joins, concat_joins_first, concat_of_choices];

pub(super) const EXTRACT: &[Rule<ExtractRule>] = table![
    extract_all,
    extract_constant,
    extract_extract,
    extract_concat,
    extract_sign_extend,
    extract_choice_of_constants,
];

pub(super) const SIGN_EXTEND: &[Rule<SignExtendRule>] =
    table![sign_extend_constant, sign_extend_twice, sign_extend_nonnegative];

fn concat_leans_right(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = terms.as_op(BinaryOp::Concat, a)?;
    let rest = terms.concat(y, b);
    Some(terms.concat(x, rest))
}

fn concat_joins(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    joined(terms, a, b)
}

/// `a · (x · rest)`, where `a` and `x` are one part.
fn concat_joins_first(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, rest) = terms.as_op(BinaryOp::Concat, b)?;
    let part = joined(terms, a, x)?;
    Some(terms.concat(part, rest))
}

/// Two constants, or two neighbouring slices of one term.
fn joined(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (above, below) = (terms.width(a), terms.width(b));
    if let (Some(x), Some(y)) = (terms.as_const(a), terms.as_const(b)) {
        return Some(terms.constant(above + below, (x << below) | y));
    }
    match (terms.node(a), terms.node(b)) {
        (
            Term::Extract { term, high, low: middle },
            Term::Extract { term: other, high: next, low },
        ) if term == other && next + 1 == middle => Some(terms.extract(term, high, low)),
        _ => None,
    }
}

/// Bytes that were merged at a join under one condition are one word merged under it.
fn concat_of_choices(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (c, x1, y1) = terms.as_ite(a)?;
    let (d, x2, y2) = terms.as_ite(b)?;
    if c != d {
        return None;
    }
    let (x, y) = (terms.concat(x1, x2), terms.concat(y1, y2));
    Some(terms.ite(c, x, y))
}

fn extract_all(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    (low == 0 && high + 1 == terms.width(term)).then_some(term)
}

fn extract_constant(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    let value = terms.as_const(term)?;
    Some(terms.constant(high - low + 1, word::extract(value, high, low)))
}

fn extract_extract(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    let Term::Extract { term, low: offset, .. } = terms.node(term) else { return None };
    let offset = if is_on(Fault::SliceOffset) { 0 } else { offset };
    Some(terms.extract(term, high + offset, low + offset))
}

fn extract_concat(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    let (above, below) = terms.as_op(BinaryOp::Concat, term)?;
    let split = terms.width(below);
    if high < split {
        Some(terms.extract(below, high, low))
    } else if low >= split {
        Some(terms.extract(above, high - split, low - split))
    } else {
        let (x, y) = (terms.extract(above, high - split, 0), terms.extract(below, split - 1, low));
        Some(terms.concat(x, y))
    }
}

fn extract_sign_extend(terms: &mut Terms, term: TermId, high: u32, low: u32) -> Option<TermId> {
    let inner = terms.as_sign_extend(term)?;
    let top = terms.width(inner) - 1;
    let kept = terms.extract(inner, high.min(top), low.min(top));
    Some(if high > top { terms.sign_extend(kept, high - low + 1) } else { kept })
}

fn extract_choice_of_constants(
    terms: &mut Terms,
    term: TermId,
    high: u32,
    low: u32,
) -> Option<TermId> {
    let (condition, then, otherwise) = terms.as_ite_const(term)?;
    let width = high - low + 1;
    let then = terms.constant(width, word::extract(then, high, low));
    let otherwise = terms.constant(width, word::extract(otherwise, high, low));
    Some(terms.ite(condition, then, otherwise))
}

fn sign_extend_constant(terms: &mut Terms, term: TermId, width: u32) -> Option<TermId> {
    let value = terms.as_const(term)?;
    Some(terms.constant(width, word::sign_extend(terms.width(term), width, value)))
}

fn sign_extend_twice(terms: &mut Terms, term: TermId, width: u32) -> Option<TermId> {
    let inner = terms.as_sign_extend(term)?;
    Some(terms.sign_extend(inner, width))
}

fn sign_extend_nonnegative(terms: &mut Terms, term: TermId, width: u32) -> Option<TermId> {
    (terms.leading_zeros(term) > 0 || is_on(Fault::ExtensionWithoutSign))
        .then(|| terms.zero_extend(term, width))
}
