//! What the bits of a number say.

use super::{Format, signed_constant};
use crate::pool::Terms;
use crate::term::TermId;

/// The kinds a number is of, each a Boolean.
pub(super) struct Kind {
    pub sign: TermId,
    pub is_nan: TermId,
    pub is_infinite: TermId,
    pub is_zero: TermId,
    /// The bits without the sign: their order is that of the magnitudes.
    pub magnitude: TermId,
}

/// A number that is neither zero, infinite nor NaN: `significand * 2^(exponent - (p - 1))`, with the
/// highest of the significand's p bits set.
pub(super) struct Normal {
    /// Signed, [`Format::exponent_width`] bits.
    pub exponent: TermId,
    pub significand: TermId,
}

pub(super) fn kind(terms: &mut Terms, format: Format, bits: TermId) -> Kind {
    let sign = terms.sign(bits);
    let magnitude = terms.truncate(bits, format.width() - 1);
    let width = format.width() - 1;
    let (infinity, zero) = (terms.constant(width, format.infinity()), terms.constant(width, 0));
    Kind {
        sign,
        is_nan: terms.ult(infinity, magnitude),
        is_infinite: terms.eq(magnitude, infinity),
        is_zero: terms.eq(magnitude, zero),
        magnitude,
    }
}

/// Exponent as if the number were normal, in [`Format::exponent_width`] bits and biased, and the
/// significand with the hidden bit. The number itself where it is zero or below the normal ones.
pub(super) fn split(terms: &mut Terms, format: Format, bits: TermId) -> (TermId, TermId) {
    let field = terms.extract(bits, format.width() - 2, format.fraction);
    let fraction = terms.truncate(bits, format.fraction);
    let hidden = terms.is_nonzero(field);
    let field = terms.zero_extend(field, format.exponent_width());
    let one = terms.constant(format.exponent_width(), 1);
    (terms.ite(hidden, field, one), terms.concat(hidden, fraction))
}

pub(super) fn normal(terms: &mut Terms, format: Format, bits: TermId) -> Normal {
    let (biased, significand) = split(terms, format, bits);
    let (significand, zeros) = normalize(terms, significand, format.exponent_width());
    let bias = signed_constant(terms, format.exponent_width(), format.bias());
    let exponent = terms.sub(biased, bias);
    Normal { exponent: terms.sub(exponent, zeros), significand }
}

/// Shifts left until the highest bit is set, unless the number is zero; and by how much, in `width`
/// bits.
pub(super) fn normalize(terms: &mut Terms, number: TermId, width: u32) -> (TermId, TermId) {
    let n = terms.width(number);
    let mut number = number;
    let mut count = terms.constant(width, 0);
    for step in (0..n.ilog2() + 1).rev().map(|it| 1 << it).filter(|&it| it < n) {
        let top = terms.extract(number, n - 1, n - step);
        let is_set = terms.is_nonzero(top);
        let shifted = terms.shift_left(number, step);
        number = terms.ite(is_set, number, shifted);
        let by = terms.constant(width, u128::from(step));
        let more = terms.add(count, by);
        count = terms.ite(is_set, count, more);
    }
    (number, count)
}

/// Shifts right; the lowest bit says whether any of those shifted out was set.
pub(super) fn shift_sticky(terms: &mut Terms, number: TermId, by: TermId) -> TermId {
    let (n, m) = (terms.width(number), terms.width(by));
    // More places than there are bits are as good as all of them.
    let most = terms.constant(m, u128::from(n).min(u128::MAX >> (128 - m)));
    let is_less = terms.ult(by, most);
    let by = terms.ite(is_less, by, most);
    let by = if m < n { terms.zero_extend(by, n) } else { terms.truncate(by, n) };
    let kept = terms.lshr(number, by);
    let back = terms.shl(kept, by);
    let is_lost = terms.ne(back, number);
    let lost = terms.zero_extend(is_lost, n);
    terms.or(kept, lost)
}
