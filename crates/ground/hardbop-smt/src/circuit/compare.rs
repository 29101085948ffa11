//! Order by one pass from the lowest bit to the highest.

use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;

use super::Bit;

/// `a < b` without sign. At each bit: `b` alone is set, or `a` alone is not and it was less below.
pub fn less(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    a.iter().zip(b).fold(Bit::FALSE, |below, (&a, &b)| {
        let (only_a, only_b) = (aig.and(a, !b), aig.and(!a, b));
        let still = aig.and(!only_a, below);
        aig.or(only_b, still)
    })
}

/// `a < b` with sign: the highest bits count the other way round.
pub fn signed_less(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Bit {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut())
        && !is_on(Fault::SignIgnored)
    {
        std::mem::swap(a, b);
    }
    less(aig, &a, &b)
}
