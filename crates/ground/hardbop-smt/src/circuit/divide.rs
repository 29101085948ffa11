//! Division as by hand: one subtraction per digit of the quotient, undone where it went below zero.
//!
//! After k digits of the dividend the remainder has at most k bits. The subtraction is done on
//! these; the divisor's bits above must be zero for it to succeed, which is one shared conjunction.
//! A divisor of zero always succeeds: the quotient is all ones and the remainder the dividend, which
//! is just what SMT-LIB asks for.

use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;

use super::add::subtract;
use super::{Bit, Word};

/// Quotient and remainder.
pub fn divide(aig: &mut Aig, dividend: &[Bit], divisor: &[Bit]) -> (Word, Word) {
    let width = dividend.len();
    // zero_above[k]: the divisor's bits from k on are zero.
    let mut zero_above = vec![Bit::TRUE; width + 1];
    for k in (0..width).rev() {
        zero_above[k] = aig.and(zero_above[k + 1], !divisor[k]);
    }
    let mut quotient = vec![Bit::FALSE; width];
    let mut remainder = Word::new();
    for (n_digits, position) in (1..=width).zip((0..width).rev()) {
        remainder.insert(0, dividend[position]);
        let (difference, not_below) = subtract(aig, &remainder, &divisor[..n_digits]);
        let fits = aig.and(not_below, zero_above[n_digits]);
        quotient[position] = fits;
        for (bit, &reduced) in remainder.iter_mut().zip(&difference) {
            *bit = aig.ite(fits, reduced, *bit);
        }
    }
    if is_on(Fault::DivisionByZero) {
        quotient.iter_mut().for_each(|bit| *bit = aig.and(*bit, !zero_above[0]));
    }
    (quotient, remainder)
}
