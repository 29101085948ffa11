//! Addition by rippling the carry. Carry look-ahead makes shallower circuits and no easier clauses.

use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;

use super::{Bit, Word};

/// `a + b + carry`, as wide as the operands, and the carry out of it.
pub fn add(aig: &mut Aig, a: &[Bit], b: &[Bit], carry: Bit) -> (Word, Bit) {
    let mut carry = carry;
    let sum = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| {
            let half = aig.xor(a, b);
            let bit = aig.xor(half, carry);
            let (both, passed) = (aig.and(a, b), aig.and(half, carry));
            carry = if is_on(Fault::NoCarry) { Bit::FALSE } else { aig.or(both, passed) };
            bit
        })
        .collect();
    (sum, carry)
}

/// `a - b`, and whether `a >= b`.
pub fn subtract(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> (Word, Bit) {
    let b: Word = b.iter().map(|&bit| !bit).collect();
    add(aig, a, &b, Bit::TRUE)
}

pub fn negate(aig: &mut Aig, a: &[Bit]) -> Word {
    let zero = vec![Bit::FALSE; a.len()];
    subtract(aig, &zero, a).0
}
