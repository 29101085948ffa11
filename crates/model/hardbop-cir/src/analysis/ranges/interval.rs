//! Intervals of numbers.

use crate::ty::Ty;

/// `low..=high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    pub(super) fn new(low: i128, high: i128) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    /// Every value of the type; that of pointers and floats is empty of meaning.
    pub fn top(ty: Ty) -> Interval {
        match ty {
            Ty::Int(1) => Interval { low: 0, high: 1 },
            Ty::Int(width) if width <= 126 => {
                Interval { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }
            }
            _ => Interval { low: i128::MIN, high: i128::MAX },
        }
    }

    pub(super) fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    pub(super) fn within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Bits that hold every value of the interval, as two's complement if one is negative.
    pub fn bits(self) -> u32 {
        let magnitude = |value: i128| {
            128 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() }
        };
        magnitude(self.low).max(magnitude(self.high)) + u32::from(self.low < 0)
    }
}
