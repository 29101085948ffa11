//! Barrel shifters: one stage of multiplexers per bit of the amount that matters.

use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;

use super::{Bit, Word};

pub fn left(aig: &mut Aig, word: &[Bit], by: &[Bit]) -> Word {
    let reversed: Word = word.iter().rev().copied().collect();
    let mut shifted = right(aig, &reversed, by, Bit::FALSE);
    shifted.reverse();
    shifted
}

/// To the right; `fill` comes in from above, and is all there is if `by` is the width or more.
pub fn right(aig: &mut Aig, word: &[Bit], by: &[Bit], fill: Bit) -> Word {
    let width = word.len();
    // So many stages shift by any amount below the width, and by some more.
    let n_stages = width.next_power_of_two().trailing_zeros() as usize;
    let mut shifted = word.to_vec();
    for (stage, &bit) in by.iter().enumerate().take(n_stages) {
        let distance = 1 << stage;
        shifted = (0..width)
            .map(|i| {
                let moved = shifted.get(i + distance).copied().unwrap_or(fill);
                aig.ite(bit, moved, shifted[i])
            })
            .collect();
    }
    if is_on(Fault::AmountTruncated) {
        return shifted;
    }
    let beyond = aig.any(by.get(n_stages..).unwrap_or_default());
    shifted.into_iter().map(|bit| aig.ite(beyond, fill, bit)).collect()
}
