//! Arithmetic as circuits over an and-inverter graph. Words are lists of bits, the lowest first.
//!
//! The graph folds constants and shares equal gates, so the circuits are written for the general
//! case and arranged so that known bits make them small.

pub mod add;
pub mod compare;
pub mod divide;
pub mod multiply;
pub mod shift;

/// A node of the graph with a sign.
pub use hardbop_sat::Term as Bit;

/// The lowest bit first.
pub type Word = Vec<Bit>;

/// The constant of this width.
pub fn constant(width: u32, value: u128) -> Word {
    (0..width).map(|i| Bit::constant(value >> i & 1 == 1)).collect()
}

/// The value, if all bits are constant.
pub fn as_constant(word: &[Bit]) -> Option<u128> {
    word.iter()
        .enumerate()
        .try_fold(0, |value, (i, bit)| Some(value | u128::from(bit.as_constant()?) << i))
}
