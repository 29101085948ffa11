//! Floating point. A number is kept as the bits of an `f64`, also one of single precision, which has
//! a term of its own as `f32` for memory and arithmetic. `long double` is kept as a `double`; the front
//! end ends a path where that would not be exact.

use hardbop_cir::{BinOp, CastOp, FloatTy, Ty};
use hardbop_smt::float::{self, DOUBLE, Format, SINGLE};
use hardbop_smt::{Term, TermId};

use crate::executor::Executor;
use crate::value::width_of;

/// Integers the conversion from floating point is exact for.
const MAX_INTEGER: u32 = 64;

impl Executor<'_> {
    /// A single-precision number of these bits, as `f64`.
    pub(crate) fn widen(&mut self, bits: TermId) -> TermId {
        if let Some(value) = self.terms.as_const(bits) {
            return self.float(f64::from(f32::from_bits(value as u32)));
        }
        if let Some(&known) = self.floats.wide.get(&bits) {
            return known;
        }
        let value = float::convert(&mut self.terms, SINGLE, DOUBLE, bits);
        self.floats.wide.insert(bits, value);
        self.floats.slim.insert(value, bits);
        value
    }

    /// The nearest single-precision number's bits.
    pub(crate) fn narrow(&mut self, value: TermId) -> TermId {
        if let Some(bits) = self.terms.as_const(value) {
            let value = f64::from_bits(bits as u64) as f32;
            return self.terms.constant(32, u128::from(value.to_bits()));
        }
        if let Some(&known) = self.floats.slim.get(&value) {
            return known;
        }
        // Where paths join, a choice between two numbers of single precision is one, too.
        let bits = match self.terms.node(value) {
            Term::Ite(cond, a, b) if self.is_slim(a) && self.is_slim(b) => {
                let (a, b) = (self.narrow(a), self.narrow(b));
                let bits = self.terms.ite(cond, a, b);
                self.floats.wide.insert(bits, value);
                bits
            }
            _ => float::convert(&mut self.terms, DOUBLE, SINGLE, value),
        };
        self.floats.slim.insert(value, bits);
        bits
    }

    /// Whether a number is known to be one of single precision.
    fn is_slim(&self, value: TermId) -> bool {
        match self.terms.as_const(value) {
            Some(bits) => {
                let number = f64::from_bits(bits as u64);
                f64::from(number as f32).to_bits() == number.to_bits()
            }
            None => self
                .floats
                .slim
                .get(&value)
                .is_some_and(|bits| self.floats.wide.get(bits) == Some(&value)),
        }
    }

    pub(crate) fn float(&mut self, value: f64) -> TermId {
        self.terms.constant(64, u128::from(value.to_bits()))
    }

    /// Computes in the type's own format.
    fn in_format(
        &mut self,
        ty: FloatTy,
        operands: [TermId; 2],
        compute: impl FnOnce(&mut Self, Format, [TermId; 2]) -> TermId,
    ) -> TermId {
        if ty != FloatTy::F32 {
            return compute(self, DOUBLE, operands);
        }
        let operands = operands.map(|it| self.narrow(it));
        let bits = compute(self, SINGLE, operands);
        self.widen(bits)
    }

    pub(crate) fn float_negate(&mut self, ty: FloatTy, a: TermId) -> TermId {
        if let Some(bits) = self.terms.as_const(a) {
            return self.float(-f64::from_bits(bits as u64));
        }
        self.in_format(ty, [a, a], |executor, format, [a, _]| {
            float::negate(&mut executor.terms, format, a)
        })
    }

    pub(crate) fn float_binary(&mut self, op: BinOp, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        if let Some((a, b)) = self.terms.as_const(a).zip(self.terms.as_const(b)) {
            return self.constant_binary(
                op,
                ty,
                f64::from_bits(a as u64),
                f64::from_bits(b as u64),
            );
        }
        // The order of the numbers is the same in both formats.
        let terms = &mut self.terms;
        match op {
            BinOp::FEq => return float::equal(terms, DOUBLE, a, b),
            BinOp::FLt => return float::less(terms, DOUBLE, a, b),
            BinOp::FLe => return float::less_or_equal(terms, DOUBLE, a, b),
            BinOp::FNe => {
                let same = float::equal(terms, DOUBLE, a, b);
                return terms.not(same);
            }
            _ => {}
        }
        self.in_format(ty, [a, b], |executor, format, [a, b]| {
            let terms = &mut executor.terms;
            match op {
                BinOp::FAdd => float::add(terms, format, a, b),
                BinOp::FSub => float::subtract(terms, format, a, b),
                BinOp::FMul => float::multiply(terms, format, a, b),
                _ => float::divide(terms, format, a, b),
            }
        })
    }

    fn constant_binary(&mut self, op: BinOp, ty: FloatTy, a: f64, b: f64) -> TermId {
        match op {
            BinOp::FEq => self.terms.bool(a == b),
            BinOp::FNe => self.terms.bool(a != b),
            BinOp::FLt => self.terms.bool(a < b),
            BinOp::FLe => self.terms.bool(a <= b),
            BinOp::FAdd => self.float(round(a + b, ty)),
            BinOp::FSub => self.float(round(a - b, ty)),
            BinOp::FMul => self.float(round(a * b, ty)),
            _ => self.float(round(a / b, ty)),
        }
    }

    pub(crate) fn float_cast(&mut self, op: CastOp, from: Ty, to: Ty, a: TermId) -> TermId {
        if let Some(bits) = self.terms.as_const(a) {
            return self.constant_cast(op, from, to, bits);
        }
        match (op, to) {
            (CastOp::FToSInt | CastOp::FToUInt, _) => self.integer_of(op, width_of(to), a),
            (CastOp::SIntToF, Ty::Float(FloatTy::F32)) => {
                let bits = float::from_signed(&mut self.terms, SINGLE, a);
                self.widen(bits)
            }
            (CastOp::UIntToF, Ty::Float(FloatTy::F32)) => {
                let bits = float::from_unsigned(&mut self.terms, SINGLE, a);
                self.widen(bits)
            }
            (CastOp::SIntToF, _) => float::from_signed(&mut self.terms, DOUBLE, a),
            (CastOp::UIntToF, _) => float::from_unsigned(&mut self.terms, DOUBLE, a),
            (_, Ty::Float(FloatTy::F32)) => {
                let bits = self.narrow(a);
                self.widen(bits)
            }
            _ => a,
        }
    }

    /// Where the integer does not fit, C gives no value: any.
    fn integer_of(&mut self, op: CastOp, width: u32, a: TermId) -> TermId {
        let any = self.terms.var("integer", width);
        if width > MAX_INTEGER {
            return any;
        }
        let is_signed = op == CastOp::FToSInt;
        let (value, fits) = float::to_integer(&mut self.terms, DOUBLE, a, width, is_signed);
        self.terms.ite(fits, value, any)
    }

    /// As the interpreter does.
    fn constant_cast(&mut self, op: CastOp, from: Ty, to: Ty, bits: u128) -> TermId {
        let number = f64::from_bits(bits as u64);
        match (op, from, to) {
            (CastOp::FToSInt, _, _) => self.terms.constant(width_of(to), number as i128 as u128),
            (CastOp::FToUInt, _, _) => {
                let value = if number < 0.0 { number as i128 as u128 } else { number as u128 };
                self.terms.constant(width_of(to), value)
            }
            (CastOp::SIntToF, Ty::Int(width), Ty::Float(to)) => {
                let value = hardbop_cir::eval::signed(bits, width);
                let number =
                    if to == FloatTy::F32 { f64::from(value as f32) } else { value as f64 };
                self.float(number)
            }
            (CastOp::UIntToF, _, Ty::Float(to)) => {
                let number = if to == FloatTy::F32 { f64::from(bits as f32) } else { bits as f64 };
                self.float(number)
            }
            (_, _, Ty::Float(to)) => self.float(round(number, to)),
            _ => unreachable!("the verifier knows the casts"),
        }
    }
}

pub(crate) fn round(value: f64, ty: FloatTy) -> f64 {
    if ty == FloatTy::F32 { f64::from(value as f32) } else { value }
}
