//! Sum, product and quotient (section 5.4.1 of the standard).

use super::round::round;
use super::unpack::{kind, normal, normalize, shift_sticky, split};
use super::{Format, any_nan, signed_constant};
use crate::pool::Terms;
use crate::term::TermId;

pub fn negate(terms: &mut Terms, format: Format, a: TermId) -> TermId {
    let sign = terms.constant(format.width(), 1 << (format.width() - 1));
    terms.xor(a, sign)
}

pub fn subtract(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let opposite = negate(terms, format, b);
    add(terms, format, a, opposite)
}

/// The one of smaller magnitude is shifted to the other's exponent. Three more bits are enough: with
/// a larger distance at most one leading bit cancels, and the last of them is sticky.
pub fn add(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (kind(terms, format, a), kind(terms, format, b));
    let is_swapped = terms.ult(x.magnitude, y.magnitude);
    let (large, small) = (terms.ite(is_swapped, b, a), terms.ite(is_swapped, a, b));
    let (high, big) = split(terms, format, large);
    let (low, little) = split(terms, format, small);
    let distance = terms.sub(high, low);

    let w = format.precision() + 4;
    let [big, little] = [big, little].map(|it| {
        let it = terms.zero_extend(it, w);
        terms.shift_left(it, 3)
    });
    let little = shift_sticky(terms, little, distance);
    let differs = terms.xor(x.sign, y.sign);
    let (sum, difference) = (terms.add(big, little), terms.sub(big, little));
    let exact = terms.ite(differs, difference, sum);
    let cancels = {
        let any = terms.is_nonzero(exact);
        terms.not(any)
    };

    let (significand, zeros) = normalize(terms, exact, format.exponent_width());
    // The highest bit is that of a carry, one above the larger number's.
    let unbias = signed_constant(terms, format.exponent_width(), 1 - format.bias());
    let exponent = terms.add(high, unbias);
    let exponent = terms.sub(exponent, zeros);
    let rounded = round(terms, format, exponent, significand);
    let nothing = terms.constant(format.width() - 1, 0);
    let magnitude = terms.ite(cancels, nothing, rounded);
    // Zero by cancellation is positive, that of two negative zeros negative.
    let (larger_sign, both) = (terms.sign(large), terms.and(x.sign, y.sign));
    let sign = terms.ite(cancels, both, larger_sign);
    let finite = terms.concat(sign, magnitude);

    let opposed = terms.and_all(&[x.is_infinite, y.is_infinite, differs]);
    let is_nan = terms.or_all(&[x.is_nan, y.is_nan, opposed]);
    let result = terms.ite(y.is_infinite, b, finite);
    let result = terms.ite(x.is_infinite, a, result);
    let nan = any_nan(terms, format);
    terms.ite(is_nan, nan, result)
}

pub fn multiply(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (kind(terms, format, a), kind(terms, format, b));
    let (u, v) = (normal(terms, format, a), normal(terms, format, b));
    let w = 2 * format.precision();
    let [left, right] = [u.significand, v.significand].map(|it| terms.zero_extend(it, w));
    let product = terms.mul(left, right);
    let exponent = terms.add(u.exponent, v.exponent);
    let magnitude = top_or_next(terms, format, exponent, 1, product);

    let sign = terms.xor(x.sign, y.sign);
    let is_zero = terms.or(x.is_zero, y.is_zero);
    let is_infinite = terms.or(x.is_infinite, y.is_infinite);
    let senseless = terms.and(is_zero, is_infinite);
    let is_nan = terms.or_all(&[x.is_nan, y.is_nan, senseless]);
    choose(terms, format, sign, magnitude, [is_zero, is_infinite, is_nan])
}

pub fn divide(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (kind(terms, format, a), kind(terms, format, b));
    let (u, v) = (normal(terms, format, a), normal(terms, format, b));
    // The quotient of the significands lies between one half and two; two more digits than the
    // precision, and the remainder as the sticky bit.
    let (p, more) = (format.precision(), format.precision() + 2);
    let [dividend, divisor] =
        [u.significand, v.significand].map(|it| terms.zero_extend(it, p + more));
    let dividend = terms.shift_left(dividend, more);
    let (quotient, remainder) = (terms.udiv(dividend, divisor), terms.urem(dividend, divisor));
    let quotient = terms.truncate(quotient, more + 1);
    let sticky = terms.is_nonzero(remainder);
    let significand = terms.concat(quotient, sticky);
    let exponent = terms.sub(u.exponent, v.exponent);
    let magnitude = top_or_next(terms, format, exponent, 0, significand);

    let sign = terms.xor(x.sign, y.sign);
    let both_zero = terms.and(x.is_zero, y.is_zero);
    let both_infinite = terms.and(x.is_infinite, y.is_infinite);
    let is_nan = terms.or_all(&[x.is_nan, y.is_nan, both_zero, both_infinite]);
    let is_zero = terms.or(x.is_zero, y.is_infinite);
    let is_infinite = terms.or(y.is_zero, x.is_infinite);
    choose(terms, format, sign, magnitude, [is_zero, is_infinite, is_nan])
}

/// Rounds a significand of which the highest or the next bit is set; the highest stands for two to
/// the power of `exponent + over`.
fn top_or_next(
    terms: &mut Terms,
    format: Format,
    exponent: TermId,
    over: i64,
    significand: TermId,
) -> TermId {
    let is_top = terms.sign(significand);
    let shifted = terms.shift_left(significand, 1);
    let significand = terms.ite(is_top, significand, shifted);
    let [here, below] = [over, over - 1].map(|by| {
        let by = signed_constant(terms, format.exponent_width(), by);
        terms.add(exponent, by)
    });
    let exponent = terms.ite(is_top, here, below);
    round(terms, format, exponent, significand)
}

/// The first kind that applies, from the last: NaN, infinite, zero, or the magnitude.
fn choose(
    terms: &mut Terms,
    format: Format,
    sign: TermId,
    magnitude: TermId,
    [is_zero, is_infinite, is_nan]: [TermId; 3],
) -> TermId {
    let width = format.width() - 1;
    let (zero, infinity) = (terms.constant(width, 0), terms.constant(width, format.infinity()));
    let magnitude = terms.ite(is_zero, zero, magnitude);
    let magnitude = terms.ite(is_infinite, infinity, magnitude);
    let number = terms.concat(sign, magnitude);
    let nan = any_nan(terms, format);
    terms.ite(is_nan, nan, number)
}
