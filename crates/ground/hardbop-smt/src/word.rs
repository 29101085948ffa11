//! The meaning of the kernel operators on numbers: the one place constants are folded by and
//! terms are evaluated with. SMT-LIB's QF_BV, theory `FixedSizeBitVectors`.

use crate::term::{BinaryOp, MAX_WIDTH, UnaryOp};

/// The greatest number of this width.
pub fn ones(width: u32) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}

/// The number with the sign bit alone.
pub fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

pub fn is_negative(width: u32, value: u128) -> bool {
    value & sign_bit(width) != 0
}

/// The number as two's complement reads it.
pub fn signed(width: u32, value: u128) -> i128 {
    let unused = MAX_WIDTH - width;
    ((value << unused) as i128) >> unused
}

pub fn extract(value: u128, high: u32, low: u32) -> u128 {
    (value >> low) & ones(high - low + 1)
}

pub fn sign_extend(from: u32, to: u32, value: u128) -> u128 {
    signed(from, value) as u128 & ones(to)
}

pub fn unary(op: UnaryOp, width: u32, value: u128) -> u128 {
    match op {
        UnaryOp::Not => !value & ones(width),
        UnaryOp::Neg => value.wrapping_neg() & ones(width),
    }
}

/// `width` is that of the left operand; the right one differs only in a concatenation.
pub fn binary(op: BinaryOp, width: u32, rhs_width: u32, a: u128, b: u128) -> u128 {
    let ones = ones(width);
    match op {
        BinaryOp::And => a & b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Add => a.wrapping_add(b) & ones,
        BinaryOp::Mul => a.wrapping_mul(b) & ones,
        BinaryOp::Udiv => a.checked_div(b).unwrap_or(ones),
        BinaryOp::Urem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::Shl => shift_amount(width, b).map_or(0, |by| (a << by) & ones),
        BinaryOp::Lshr => shift_amount(width, b).map_or(0, |by| a >> by),
        BinaryOp::Ashr => {
            let by = shift_amount(width, b).unwrap_or(width - 1);
            (signed(width, a) >> by) as u128 & ones
        }
        BinaryOp::Eq => u128::from(a == b),
        BinaryOp::Ult => u128::from(a < b),
        BinaryOp::Slt => u128::from(signed(width, a) < signed(width, b)),
        BinaryOp::Concat => (a << rhs_width) | b,
    }
}

/// `None` if everything is shifted out.
fn shift_amount(width: u32, by: u128) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written again from the standard's text, over lists of bits, least significant first.
    fn by_the_standard(op: BinaryOp, width: u32, a: u128, b: u128) -> u128 {
        let modulus = 1i64 << width;
        let (a, b) = (a as i64, b as i64);
        let minus = |x: i64| if x >= modulus / 2 { x - modulus } else { x };
        let bits = |f: &dyn Fn(bool, bool) -> bool| {
            (0..width).map(|i| i64::from(f(a >> i & 1 == 1, b >> i & 1 == 1)) << i).sum()
        };
        let power = |n: i64| (0..n.min(20)).fold(1i64, |product, _| product * 2);
        let result: i64 = match op {
            BinaryOp::And => bits(&|x, y| x && y),
            BinaryOp::Xor => bits(&|x, y| x != y),
            BinaryOp::Add => (a + b).rem_euclid(modulus),
            BinaryOp::Mul => (a * b).rem_euclid(modulus),
            BinaryOp::Udiv if b == 0 => modulus - 1,
            BinaryOp::Udiv => a / b,
            BinaryOp::Urem if b == 0 => a,
            BinaryOp::Urem => a % b,
            BinaryOp::Shl => (a * power(b)).rem_euclid(modulus),
            BinaryOp::Lshr => a / power(b),
            BinaryOp::Ashr => minus(a).div_euclid(power(b)).rem_euclid(modulus),
            BinaryOp::Eq => i64::from(a == b),
            BinaryOp::Ult => i64::from(a < b),
            BinaryOp::Slt => i64::from(minus(a) < minus(b)),
            BinaryOp::Concat => a * modulus + b,
        };
        result as u128
    }

    #[test]
    fn operators_mean_what_the_standard_says_at_widths_1_to_5() {
        for op in BinaryOp::ALL {
            for width in 1..=5 {
                for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                    let expected = by_the_standard(op, width, a, b);
                    assert_eq!(binary(op, width, width, a, b), expected, "{op:?} {width} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn the_widest_words_neither_overflow_nor_lose_their_sign() {
        let min = 1 << 127;
        assert_eq!(unary(UnaryOp::Neg, 128, min), min);
        assert_eq!(binary(BinaryOp::Slt, 128, 128, min, 0), 1);
        assert_eq!(binary(BinaryOp::Ashr, 128, 128, min, u128::MAX), u128::MAX);
        assert_eq!(binary(BinaryOp::Shl, 128, 128, 1, 1 << 64), 0);
        assert_eq!(binary(BinaryOp::Add, 128, 128, u128::MAX, 1), 0);
        assert_eq!(sign_extend(64, 128, 1 << 63), u128::MAX << 63);
    }
}
