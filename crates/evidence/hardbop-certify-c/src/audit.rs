//! Whether the terms mean what the program says, tried on samples.
//!
//! `hardbop-smt` answers for its rules and circuits ([`hardbop_smt::audit`]), `hardbop-sat` for the clauses. What is looked at here is
//! what was asked of them: each operator of the IR that was applied to terms, against what the interpreter computes with. So
//! an operator that the terms have no node for, a signed quotient or a sum of floating-point numbers, is compared as a whole.

use hardbop_base::Budget;
use hardbop_cir::{BinOp, CastOp, FloatTy, Ty, eval};
use hardbop_smt::TermId;
use hardbop_smt::audit::{Flaw, audit};

use crate::Rejected;
use crate::prove::Prover;

/// An operator of the IR, with the types that matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operator {
    Integers(BinOp),
    Floats(BinOp, FloatTy),
    Cast(CastOp, Ty, Ty),
}

impl Prover {
    /// Soundness: a proof of terms that do not mean what the program says is none.
    pub fn audit(&self, budget: &Budget) -> Result<(), Rejected> {
        let nodes = audit(&self.terms, &self.blaster, budget, |values| {
            let at = |term: TermId| &values[term.as_u32() as usize];
            for (&(operator, a, b), &made) in &self.applied {
                let width = self.terms.width(a) as u8;
                let mut lanes = at(a).iter().zip(at(b)).zip(at(made));
                if !lanes.all(|((&a, &b), &made)| is_right(operator, width, [a, b], made)) {
                    return Err(Flaw::Mistake(format!("{operator:?} is not {made}")));
                }
            }
            Ok(())
        });
        match nodes {
            Ok(nodes) if self.encoder.says(&nodes) => Ok(()),
            Ok(_) => Err(Rejected::Mistaken("a clause does not hold of its circuit".into())),
            Err(Flaw::Mistake(what)) => Err(Rejected::Mistaken(what)),
            Err(Flaw::Exhausted(limit)) => Err(limit.into()),
        }
    }
}

/// Whether the result is right for operands of a width.
fn is_right(operator: Operator, width: u8, [a, b]: [u128; 2], made: u128) -> bool {
    let in_format = |value: f64, ty: FloatTy| match ty {
        FloatTy::F32 => same(f64::from(value as f32), number(made, ty)),
        _ => same(value, number(made, ty)),
    };
    match operator {
        Operator::Integers(op) => eval::binary(op, width, a, b).is_none_or(|it| it == made),
        Operator::Floats(op, ty) => {
            let (x, y) = (number(a, ty), number(b, ty));
            let single = ty == FloatTy::F32;
            let (f, g) = (x as f32, y as f32);
            let result = |wide: f64, narrow: f32| {
                same(if single { f64::from(narrow) } else { wide }, number(made, ty))
            };
            match op {
                BinOp::FAdd => result(x + y, f + g),
                BinOp::FSub => result(x - y, f - g),
                BinOp::FMul => result(x * y, f * g),
                BinOp::FDiv => result(x / y, f / g),
                BinOp::FEq => made == u128::from(x == y),
                BinOp::FNe => made == u128::from(x != y),
                BinOp::FLt => made == u128::from(x < y),
                BinOp::FLe => made == u128::from(x <= y),
                _ => true,
            }
        }
        Operator::Cast(op, from, to) => match (op, from, to) {
            (CastOp::Sext, Ty::Int(from), Ty::Int(to)) => made == eval::sext(a, from, to),
            (CastOp::Zext | CastOp::Trunc, Ty::Int(_), Ty::Int(to)) => made == a & eval::mask(to),
            (CastOp::FToF, Ty::Float(from), Ty::Float(to)) => in_format(number(a, from), to),
            // A number that was rounded to `double` first may be rounded wrongly to `float`.
            (CastOp::SIntToF, Ty::Int(from), Ty::Float(FloatTy::F32)) => {
                let rounded = eval::signed(a, from) as f32;
                same(f64::from(rounded), number(made, FloatTy::F32))
            }
            (CastOp::UIntToF, _, Ty::Float(FloatTy::F32)) => {
                same(f64::from(a as f32), number(made, FloatTy::F32))
            }
            (CastOp::SIntToF, Ty::Int(from), Ty::Float(to)) => {
                in_format(eval::signed(a, from) as f64, to)
            }
            (CastOp::UIntToF, _, Ty::Float(to)) => in_format(a as f64, to),
            // What does not fit may be any number.
            (CastOp::FToSInt, Ty::Float(from), Ty::Int(to)) => {
                let whole = number(a, from).trunc();
                let limit = 2f64.powi(i32::from(to) - 1);
                !(-limit..limit).contains(&whole) || made == whole as i128 as u128 & eval::mask(to)
            }
            (CastOp::FToUInt, Ty::Float(from), Ty::Int(to)) => {
                let whole = number(a, from).trunc();
                let limit = 2f64.powi(i32::from(to));
                !(0.0..limit).contains(&whole) || made == whole as u128
            }
            _ => true,
        },
    }
}

/// The number that bits stand for; those wider than a `double` are kept as one.
fn number(bits: u128, ty: FloatTy) -> f64 {
    match ty {
        FloatTy::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    }
}

/// Bit by bit, but one that is none is as good as another.
fn same(a: f64, b: f64) -> bool {
    a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
}
