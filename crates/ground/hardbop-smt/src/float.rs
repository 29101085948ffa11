//! Floating point as bit-vectors: the operations of IEEE 754-2019 in its binary formats, rounding to
//! nearest with ties to even, as terms over the bits of the operands.
//!
//! ```text
//! bits ─► unpack: sign, exponent, normal significand ─► exact result with a sticky bit ─► round ─► bits
//! ```
//! A NaN that an operation makes has any sign and payload, as the standard leaves both open
//! (section 6.2); everything else has just the bits the standard asks for.

mod arithmetic;
mod compare;
mod convert;
mod round;
mod unpack;

pub use arithmetic::{add, divide, multiply, negate, subtract};
pub use compare::{equal, less, less_or_equal};
pub use convert::{convert, from_signed, from_unsigned, to_integer};

use crate::pool::Terms;
use crate::term::TermId;

/// A binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction, without the hidden one.
    pub fraction: u32,
}

pub const SINGLE: Format = Format { exponent: 8, fraction: 23 };
pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    pub const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Bits of the significand, with the hidden one.
    const fn precision(self) -> u32 {
        self.fraction + 1
    }

    const fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Of the normal numbers.
    const fn least_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// Of a signed number that holds the exponent of any sum, product or quotient, also of numbers
    /// below the normal ones.
    const fn exponent_width(self) -> u32 {
        self.exponent + 3
    }

    /// The bits of infinity without the sign.
    const fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction
    }
}

/// Any quiet NaN.
fn any_nan(terms: &mut Terms, format: Format) -> TermId {
    let sign = terms.var("nan", 1);
    let payload = terms.var("nan", format.fraction - 1);
    let middle = terms.constant(format.exponent + 1, (1 << (format.exponent + 1)) - 1);
    let head = terms.concat(sign, middle);
    terms.concat(head, payload)
}

fn signed_constant(terms: &mut Terms, width: u32, value: i64) -> TermId {
    terms.constant(width, value as i128 as u128 & (u128::MAX >> (128 - width)))
}
