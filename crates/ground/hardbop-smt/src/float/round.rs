//! From an exact result to the nearest number of a format, ties to even.

use super::unpack::shift_sticky;
use super::{Format, signed_constant};
use crate::pool::Terms;
use crate::term::TermId;

/// The bits without the sign of the number nearest to `significand * 2^(exponent - (w - 1))`, where w
/// is the significand's width, at least two more than the precision; its highest bit is set, and the
/// lowest one stands for all that follow. `exponent` is signed and wide enough that adding the bias
/// does not wrap.
pub(super) fn round(
    terms: &mut Terms,
    format: Format,
    exponent: TermId,
    significand: TermId,
) -> TermId {
    let (p, w, e) = (format.precision(), terms.width(significand), terms.width(exponent));
    // Below the normal numbers the exponent stays and the significand is shifted.
    let least = signed_constant(terms, e, format.least_exponent());
    let is_below = terms.slt(exponent, least);
    let missing = terms.sub(least, exponent);
    let shifted = shift_sticky(terms, significand, missing);
    let significand = terms.ite(is_below, shifted, significand);
    let over_least = terms.sub(exponent, least);
    let zero = terms.constant(e, 0);
    let over_least = terms.ite(is_below, zero, over_least);

    let kept = terms.extract(significand, w - 1, w - p);
    let half = terms.extract(significand, w - p - 1, w - p - 1);
    let rest = terms.extract(significand, w - p - 2, 0);
    let (is_more, is_odd) = (terms.is_nonzero(rest), terms.extract(kept, 0, 0));
    let goes_up = terms.or(is_more, is_odd);
    let goes_up = terms.and(half, goes_up);

    // The hidden bit adds one to the exponent's field, and so does a carry out of the fraction.
    let all = e + format.fraction;
    let field = terms.zero_extend(over_least, all);
    let field = terms.shift_left(field, format.fraction);
    let (kept, goes_up) = (terms.zero_extend(kept, all), terms.zero_extend(goes_up, all));
    let magnitude = terms.add(field, kept);
    let magnitude = terms.add(magnitude, goes_up);
    let infinity = terms.constant(all, format.infinity());
    let is_finite = terms.ult(magnitude, infinity);
    let magnitude = terms.ite(is_finite, magnitude, infinity);
    terms.truncate(magnitude, format.width() - 1)
}
