//! Floating point: constants are computed as the interpreter does, all else is a fresh variable.
//! A number is kept as the bits of an `f64`; that of an `f32` in memory has a term of its own.

use hardbop_cir::{BinOp, CastOp, FloatTy, Ty};
use hardbop_smt::TermId;

use crate::unroll::Unroller;
use crate::value::width_of;

impl Unroller<'_> {
    /// A single-precision number of these bits, as `f64`.
    pub(crate) fn widen(&mut self, bits: TermId) -> TermId {
        if let Some(value) = self.terms.as_const(bits) {
            let value = f64::from(f32::from_bits(value as u32));
            return self.terms.constant(64, u128::from(value.to_bits()));
        }
        if let Some(&known) = self.wide.get(&bits) {
            return known;
        }
        let value = self.terms.var("float", 64);
        self.wide.insert(bits, value);
        self.slim.insert(value, bits);
        value
    }

    pub(crate) fn narrow(&mut self, value: TermId) -> TermId {
        if let Some(bits) = self.terms.as_const(value) {
            let value = f64::from_bits(bits as u64) as f32;
            return self.terms.constant(32, u128::from(value.to_bits()));
        }
        if let Some(&known) = self.slim.get(&value) {
            return known;
        }
        let bits = self.terms.var("float", 32);
        self.wide.insert(bits, value);
        self.slim.insert(value, bits);
        bits
    }

    pub(crate) fn float(&mut self, value: f64) -> TermId {
        self.terms.constant(64, u128::from(value.to_bits()))
    }

    pub(crate) fn float_binary(&mut self, op: BinOp, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let known = self.terms.as_const(a).zip(self.terms.as_const(b));
        let is_truth = matches!(op, BinOp::FEq | BinOp::FNe | BinOp::FLt | BinOp::FLe);
        let Some((a, b)) = known else {
            return self.terms.var("float", if is_truth { 1 } else { 64 });
        };
        let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
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
}

pub(crate) fn round(value: f64, ty: FloatTy) -> f64 {
    if ty == FloatTy::F32 { f64::from(value as f32) } else { value }
}

/// Of a constant, as the interpreter does.
pub(crate) fn float_cast(
    unroller: &mut Unroller,
    op: CastOp,
    from: Ty,
    to: Ty,
    bits: u128,
) -> TermId {
    let float = f64::from_bits(bits as u64);
    match (op, from, to) {
        (CastOp::FToSInt, _, _) => unroller.terms.constant(width_of(to), float as i128 as u128),
        (CastOp::FToUInt, _, _) => {
            let value = if float < 0.0 { float as i128 as u128 } else { float as u128 };
            unroller.terms.constant(width_of(to), value)
        }
        (CastOp::SIntToF, Ty::Int(width), Ty::Float(to)) => {
            let value = hardbop_cir::eval::signed(bits, width);
            let float = if to == FloatTy::F32 { f64::from(value as f32) } else { value as f64 };
            unroller.float(float)
        }
        (CastOp::UIntToF, _, Ty::Float(to)) => {
            let float = if to == FloatTy::F32 { f64::from(bits as f32) } else { bits as f64 };
            unroller.float(float)
        }
        (_, _, Ty::Float(to)) => unroller.float(round(float, to)),
        _ => unreachable!("the verifier knows the casts"),
    }
}
