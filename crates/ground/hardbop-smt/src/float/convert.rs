//! Conversions between formats and from and to integers (section 5.4.1 and 5.8 of the standard).

use super::round::round;
use super::unpack::{kind, normal, normalize};
use super::{Format, signed_constant};
use crate::pool::Terms;
use crate::term::TermId;

/// The nearest number of another format. A NaN keeps the upper part of its payload and is quiet.
pub fn convert(terms: &mut Terms, from: Format, to: Format, a: TermId) -> TermId {
    let x = kind(terms, from, a);
    let u = normal(terms, from, a);
    let more = (to.precision() + 2).saturating_sub(from.precision());
    let significand = append_zeros(terms, u.significand, more);
    let width = from.exponent_width().max(to.exponent_width());
    let exponent = terms.sign_extend(u.exponent, width);
    let rounded = round(terms, to, exponent, significand);

    let bits = to.width() - 1;
    let (zero, infinity) = (terms.constant(bits, 0), terms.constant(bits, to.infinity()));
    let magnitude = terms.ite(x.is_zero, zero, rounded);
    let magnitude = terms.ite(x.is_infinite, infinity, magnitude);
    let payload = terms.truncate(a, from.fraction);
    let payload = match to.fraction.checked_sub(from.fraction) {
        Some(more) => append_zeros(terms, payload, more),
        None => terms.extract(payload, from.fraction - 1, from.fraction - to.fraction),
    };
    let payload = terms.zero_extend(payload, bits);
    let quiet = terms.constant(bits, to.infinity() | 1 << (to.fraction - 1));
    let nan = terms.or(quiet, payload);
    let magnitude = terms.ite(x.is_nan, nan, magnitude);
    terms.concat(x.sign, magnitude)
}

pub fn from_unsigned(terms: &mut Terms, to: Format, a: TermId) -> TermId {
    let positive = terms.bool(false);
    from_magnitude(terms, to, positive, a)
}

pub fn from_signed(terms: &mut Terms, to: Format, a: TermId) -> TermId {
    let (sign, magnitude) = (terms.sign(a), terms.magnitude(a));
    from_magnitude(terms, to, sign, magnitude)
}

fn from_magnitude(terms: &mut Terms, to: Format, sign: TermId, magnitude: TermId) -> TermId {
    let n = terms.width(magnitude);
    let any = terms.is_nonzero(magnitude);
    // Wide enough for the number's length, whatever the format.
    let width = to.exponent_width().max(10);
    let (significand, zeros) = normalize(terms, magnitude, width);
    let significand = append_zeros(terms, significand, (to.precision() + 2).saturating_sub(n));
    let top = signed_constant(terms, width, i64::from(n) - 1);
    let exponent = terms.sub(top, zeros);
    let rounded = round(terms, to, exponent, significand);
    let zero = terms.constant(to.width() - 1, 0);
    let result = terms.ite(any, rounded, zero);
    terms.concat(sign, result)
}

/// Towards zero, in `width` bits (less than 128), and whether the integer fits there, as a signed
/// number or as one without sign.
pub fn to_integer(
    terms: &mut Terms,
    from: Format,
    a: TermId,
    width: u32,
    is_signed: bool,
) -> (TermId, TermId) {
    let x = kind(terms, from, a);
    let u = normal(terms, from, a);
    // The integer part, as the digits before the point: all of them fit if the exponent is small.
    let n = width.max(from.precision()) + 1;
    let e = from.exponent_width();
    let significand = terms.zero_extend(u.significand, n);
    let significand = terms.shift_left(significand, n - from.precision());
    let zero = terms.constant(e, 0);
    let is_fraction = terms.slt(u.exponent, zero);
    let top = signed_constant(terms, e, i64::from(n) - 1);
    let is_large = terms.slt(top, u.exponent);
    let drop = terms.sub(top, u.exponent);
    let drop = if e < n { terms.zero_extend(drop, n) } else { terms.truncate(drop, n) };
    let digits = terms.lshr(significand, drop);
    let nothing = terms.constant(n, 0);
    let is_nothing = terms.or(is_fraction, x.is_zero);
    let digits = terms.ite(is_nothing, nothing, digits);

    // The magnitude may be 2^(width-1) only for a negative number, and for one without sign no
    // negative number but those that become zero fit.
    let limit = if is_signed { width - 1 } else { width };
    let bound = terms.constant(n, 1 << limit);
    let is_below = terms.ult(digits, bound);
    let at_bound = terms.ule(digits, bound);
    let is_nonzero = terms.is_nonzero(digits);
    let is_zero = terms.not(is_nonzero);
    let negative_fits = if is_signed { at_bound } else { is_zero };
    let fits = terms.ite(x.sign, negative_fits, is_below);
    let is_no_number = terms.or_all(&[x.is_nan, x.is_infinite, is_large]);
    let is_number = terms.not(is_no_number);
    let fits = terms.and(fits, is_number);

    let magnitude = terms.truncate(digits, width);
    let opposite = terms.neg(magnitude);
    (terms.ite(x.sign, opposite, magnitude), fits)
}

fn append_zeros(terms: &mut Terms, a: TermId, n: u32) -> TermId {
    if n == 0 {
        return a;
    }
    let zeros = terms.constant(n, 0);
    terms.concat(a, zeros)
}
