//! Comparisons (section 5.11 of the standard): nothing is less than, equal to or greater than a NaN.

use super::Format;
use super::unpack::{Kind, kind};
use crate::pool::Terms;
use crate::term::TermId;

pub fn equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (kind(terms, format, a), kind(terms, format, b));
    let (same, zeros) = (terms.eq(a, b), terms.and(x.is_zero, y.is_zero));
    let either = terms.or(same, zeros);
    ordered(terms, &x, &y, either)
}

pub fn less(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (kind(terms, format, a), kind(terms, format, b));
    let (up, down) = (terms.ult(x.magnitude, y.magnitude), terms.ult(y.magnitude, x.magnitude));
    // With one sign the magnitudes decide, otherwise the sign does; zeros have none.
    let same_sign = terms.ite(x.sign, down, up);
    let zeros = terms.and(x.is_zero, y.is_zero);
    let not_zeros = terms.not(zeros);
    let other_sign = terms.and(x.sign, not_zeros);
    let differs = terms.xor(x.sign, y.sign);
    let less = terms.ite(differs, other_sign, same_sign);
    ordered(terms, &x, &y, less)
}

pub fn less_or_equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (less, equal) = (less(terms, format, a, b), equal(terms, format, a, b));
    terms.or(less, equal)
}

fn ordered(terms: &mut Terms, x: &Kind, y: &Kind, holds: TermId) -> TermId {
    let is_unordered = terms.or(x.is_nan, y.is_nan);
    let is_ordered = terms.not(is_unordered);
    terms.and(is_ordered, holds)
}
