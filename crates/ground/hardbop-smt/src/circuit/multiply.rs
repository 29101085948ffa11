//! Multiplication by shifting and adding; by a constant with its digits recoded.

use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;

use super::add::{add, subtract};
use super::{Bit, Word, as_constant};

/// The product, as wide as the operands.
pub fn multiply(aig: &mut Aig, a: &[Bit], b: &[Bit]) -> Word {
    if let Some(factor) = as_constant(b) {
        return multiply_constant(aig, a, factor);
    }
    if let Some(factor) = as_constant(a) {
        return multiply_constant(aig, b, factor);
    }
    // Each bit of the multiplier that is known to be zero saves a row.
    let zeros = |word: &[Bit]| word.iter().filter(|&&bit| bit == Bit::FALSE).count();
    let (multiplicand, multiplier) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
    let mut product = vec![Bit::FALSE; a.len()];
    for (shift, &bit) in multiplier.iter().enumerate() {
        if bit == Bit::FALSE || shift >= 8 && is_on(Fault::RowsLost) {
            continue;
        }
        let row: Word = multiplicand[..a.len() - shift].iter().map(|&x| aig.and(x, bit)).collect();
        let (sum, _) = add(aig, &product[shift..], &row, Bit::FALSE);
        product[shift..].copy_from_slice(&sum);
    }
    product
}

/// In non-adjacent form no two neighbouring digits are nonzero: a third of them on average, where
/// binary has half. `x * 255` is one subtraction.
fn multiply_constant(aig: &mut Aig, word: &[Bit], factor: u128) -> Word {
    let width = word.len();
    let mut product = vec![Bit::FALSE; width];
    for (shift, digit) in non_adjacent(factor).into_iter().enumerate().take(width) {
        let row = &word[..width - shift];
        let sum = match digit {
            0 => continue,
            1 => add(aig, &product[shift..], row, Bit::FALSE).0,
            _ => subtract(aig, &product[shift..], row).0,
        };
        product[shift..].copy_from_slice(&sum);
    }
    product
}

/// Digits -1, 0, 1 with the same sum modulo 2^128, the lowest first.
fn non_adjacent(mut value: u128) -> Vec<i8> {
    let mut digits = Vec::new();
    while value != 0 {
        let digit = match value % 4 {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        digits.push(digit);
        // Beyond the top a carry is lost, which no word has a bit for anyway.
        value = if digit < 0 { value.wrapping_add(1) } else { value - digit as u128 } >> 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::non_adjacent;

    #[test]
    fn recoded_digits_sum_up_to_the_number() {
        let some = [0, 1, 2, 3, 7, 255, 0xdead_beef, u128::MAX, u128::MAX - 1, 1 << 127, 3 << 126];
        for value in (0..4096).chain(some) {
            let digits = non_adjacent(value);
            let sum = digits.iter().enumerate().fold(0u128, |sum, (i, &digit)| {
                sum.wrapping_add((i128::from(digit) as u128).checked_shl(i as u32).unwrap_or(0))
            });
            assert_eq!(sum, value);
            assert!(digits.windows(2).all(|pair| pair[0] == 0 || pair[1] == 0), "{value}");
        }
    }
}
