//! The meaning of operators on bit-vectors, written once: folding, the interpreter and the range
//! analysis all come here.
//!
//! Every operator is total. Where C leaves a case undefined the front end puts a check before it
//! and the operator does what SMT-LIB says: `udiv(a, 0)` is all ones, `urem(a, 0)` is `a`, signed
//! division goes by the signs of the operands, shifts by the width or more give 0 or the sign.
//! Values are kept with the bits above their width clear.

use crate::expr::{BinOp, UnOp};

pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value of the low `width` bits read as two's complement.
pub fn signed(value: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}

pub fn sext(value: u128, from: u8, to: u8) -> u128 {
    signed(value, from) as u128 & mask(to)
}

pub fn unary(op: UnOp, width: u8, a: u128) -> Option<u128> {
    match op {
        UnOp::Not => Some(!a & mask(width)),
        UnOp::Neg => Some(a.wrapping_neg() & mask(width)),
        UnOp::FNeg | UnOp::Start => None,
    }
}

/// `None` for the operators on pointers and floating point.
pub fn binary(op: BinOp, width: u8, a: u128, b: u128) -> Option<u128> {
    // Most operators do not look at the signs.
    let (sa, sb) = (|| signed(a, width), || signed(b, width));
    let bits = u128::from(width);
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv if b == 0 => {
            if sa() < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BinOp::SDiv => sa().wrapping_div(sb()) as u128,
        BinOp::SRem if b == 0 => a,
        BinOp::SRem => sa().wrapping_rem(sb()) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => {
            if b >= bits {
                0
            } else {
                a << b
            }
        }
        BinOp::LShr => {
            if b >= bits {
                0
            } else {
                a >> b
            }
        }
        BinOp::AShr => (sa() >> b.min(bits - 1)) as u128,
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::Ult => u128::from(a < b),
        BinOp::Ule => u128::from(a <= b),
        BinOp::Slt => u128::from(sa() < sb()),
        BinOp::Sle => u128::from(sa() <= sb()),
        BinOp::SAddOvf => overflows(width, sa().checked_add(sb())),
        BinOp::SSubOvf => overflows(width, sa().checked_sub(sb())),
        BinOp::SMulOvf => overflows(width, sa().checked_mul(sb())),
        _ => return None,
    };
    Some(value & mask(width))
}

/// Whether a result does not fit into `width` bits.
fn overflows(width: u8, result: Option<i128>) -> u128 {
    u128::from(result.is_none_or(|it| signed(it as u128 & mask(width), width) != it))
}

#[cfg(test)]
mod tests {
    use super::{binary, mask, sext, signed};
    use crate::expr::BinOp;

    /// Against the arithmetic of a wider type, for every pair of 5-bit numbers.
    #[test]
    fn small_widths_agree_with_wide_arithmetic() {
        for a in 0..32u128 {
            for b in 0..32u128 {
                let (sa, sb) = (signed(a, 5), signed(b, 5));
                let get = |op| binary(op, 5, a, b).unwrap_or(99);
                assert_eq!(get(BinOp::Add), (a + b) % 32);
                assert_eq!(get(BinOp::Mul), (a * b) % 32);
                assert_eq!(get(BinOp::SMulOvf), u128::from(!(-16..16).contains(&(sa * sb))));
                assert_eq!(get(BinOp::SAddOvf), u128::from(!(-16..16).contains(&(sa + sb))));
                assert_eq!(get(BinOp::SSubOvf), u128::from(!(-16..16).contains(&(sa - sb))));
                assert_eq!(get(BinOp::Slt), u128::from(sa < sb));
                if let Some(quotient) = a.checked_div(b) {
                    assert_eq!(get(BinOp::UDiv), quotient);
                    assert_eq!(get(BinOp::SRem), (sa % sb) as u128 & mask(5));
                    assert_eq!(get(BinOp::SDiv), (sa / sb) as u128 & mask(5));
                }
                assert_eq!(signed(get(BinOp::AShr), 5), sa >> b.min(4));
            }
        }
    }

    #[test]
    fn the_widest_numbers_do_not_overflow() {
        let min = 1u128 << 127;
        assert_eq!(binary(BinOp::SDiv, 128, min, u128::MAX), Some(min));
        assert_eq!(binary(BinOp::SMulOvf, 128, min, u128::MAX), Some(1));
        assert_eq!(binary(BinOp::SDiv, 8, 0x80, 0xff), Some(0x80));
        assert_eq!(sext(0x80, 8, 128), u128::MAX - 127);
    }
}
