//! The operators outside the kernel, each by its definition in SMT-LIB, and short names for those
//! inside it.

use hardbop_base::fault::{Fault, is_on};

use crate::pool::Terms;
use crate::term::{BinaryOp, TermId, UnaryOp};

/// Declares the short names of the kernel's operators on two operands.
macro_rules! short_names {
    ($($name:ident: $op:ident),* $(,)?) => {
        impl Terms {
            $(pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                self.binary(BinaryOp::$op, a, b)
            })*
        }
    };
}

short_names! {
    and: And, xor: Xor, add: Add, mul: Mul, udiv: Udiv, urem: Urem, shl: Shl, lshr: Lshr,
    ashr: Ashr, eq: Eq, ult: Ult, slt: Slt, concat: Concat,
}

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Not, a)
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Neg, a)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        let broken = self.and(a, b);
        self.not(broken)
    }

    /// The conjunction of Booleans; true if there are none. Balanced, for shallow circuits.
    pub fn and_all(&mut self, all: &[TermId]) -> TermId {
        let mut layer = all.to_vec();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.and(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        layer.first().copied().unwrap_or_else(|| self.bool(true))
    }

    /// The disjunction of Booleans; false if there are none.
    pub fn or_all(&mut self, all: &[TermId]) -> TermId {
        let negated: Vec<TermId> = all.iter().map(|&term| self.not(term)).collect();
        let none = self.and_all(&negated);
        self.not(none)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.neg(b);
        self.add(a, b)
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        if is_on(Fault::AtMostIsBelow) {
            return self.ult(a, b);
        }
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// The highest bit.
    pub fn sign(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.extract(a, top, top)
    }

    /// The absolute value, read without sign: that of the least number is the number itself.
    pub fn magnitude(&mut self, a: TermId) -> TermId {
        let (negative, opposite) = (self.sign(a), self.neg(a));
        self.ite(negative, opposite, a)
    }

    /// The quotient towards zero.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let negative = self.xor(a_sign, b_sign);
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.udiv(a, b);
        let is_lost = is_on(Fault::QuotientWithoutSign);
        let opposite = if is_lost { quotient } else { self.neg(quotient) };
        self.ite(negative, opposite, quotient)
    }

    /// The remainder that goes with [`sdiv`](Terms::sdiv): it has the sign of the dividend.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let negative = self.sign(a);
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.urem(a, b);
        let is_lost = is_on(Fault::RemainderWithoutSign);
        let opposite = if is_lost { remainder } else { self.neg(remainder) };
        self.ite(negative, opposite, remainder)
    }

    /// To a width that is the same or greater.
    pub fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        if is_on(Fault::ZeroExtensionWithSign) {
            return self.sign_extend(a, width);
        }
        let zeros = self.constant(width - from, 0);
        self.concat(zeros, a)
    }

    /// To a width that is the same or smaller.
    pub fn truncate(&mut self, a: TermId, width: u32) -> TermId {
        self.extract(a, width - 1, 0)
    }

    /// Is any bit set? C's reading of a number as a condition.
    pub fn is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.ne(a, zero)
    }

    /// By a constant number of places.
    pub fn shift_left(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        match by {
            0 => a,
            by if by >= width => self.constant(width, 0),
            by => {
                let (kept, zeros) = (self.extract(a, width - 1 - by, 0), self.constant(by, 0));
                self.concat(kept, zeros)
            }
        }
    }

    /// By a constant number of places; zeros come in.
    pub fn shift_right(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        if by >= width {
            return self.constant(width, 0);
        }
        let kept = self.extract(a, width - 1, by);
        self.zero_extend(kept, width)
    }
}
