//! Conversions between C's types.

use hardbop_base::Span;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, FloatTy, Stop, Term, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{Val, ValKind};
use super::state::Lower;
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    pub fn scalar(&self, value: &Val, span: Span) -> Lowered<ExprId> {
        match value.kind {
            ValKind::Scalar(value) => Ok(value),
            _ => {
                let name = self.types.describe(&value.ctype);
                self.error(
                    codes::c::TYPE,
                    span,
                    format!("a number or pointer is expected here, not `{name}`"),
                )
            }
        }
    }

    /// As by assignment or cast.
    pub fn convert(&mut self, value: &Val, to: &CType, span: Span) -> Lowered<Val> {
        if to.is_void() {
            return Ok(Val::VOID);
        }
        if let TypeKind::Record(id) = to.kind {
            return match value.ctype.kind {
                TypeKind::Record(from) if from == id => Ok(value.clone()),
                _ => {
                    let name = self.types.describe(&value.ctype);
                    let wanted = self.types.describe(to);
                    self.error(codes::c::TYPE, span, format!("`{name}` cannot become `{wanted}`"))
                }
            };
        }
        let from = self.scalar(value, span)?;
        self.note_shape(from, to);
        let value = self.convert_scalar(from, &value.ctype, to, span)?;
        Ok(Val::scalar(to.clone(), value))
    }

    fn convert_scalar(
        &mut self,
        value: ExprId,
        from: &CType,
        to: &CType,
        span: Span,
    ) -> Lowered<ExprId> {
        if to.kind == TypeKind::Bool {
            let truth = self.truth_of(value, span);
            return Ok(self.program.exprs.resize(truth, 8, false));
        }
        let Some(target) = self.types.ty(to) else {
            let wanted = self.types.describe(to);
            return self.error(codes::c::TYPE, span, format!("nothing can become `{wanted}`"));
        };
        let source = self.program.exprs.ty(value);
        let bits = self.options.model.ptr_bits();
        let cast = |lower: &mut Self, op| lower.node(Expr::Cast(op, target, value), span);
        Ok(match (source, target) {
            (Ty::Int(_), Ty::Int(width)) => {
                self.program.exprs.resize(value, width, from.is_signed())
            }
            (Ty::Ptr, Ty::Ptr) => {
                self.check_aligned(value, from, to, span);
                value
            }
            (Ty::Ptr, Ty::Int(_)) => cast(self, CastOp::PtrToInt),
            (Ty::Int(_), Ty::Ptr) => {
                let wide = self.program.exprs.resize(value, bits, from.is_signed());
                self.node(Expr::Cast(CastOp::IntToPtr, Ty::Ptr, wide), span)
            }
            (Ty::Int(width), Ty::Float(ty)) => {
                if ty.is_wider_than_double() && width > f64::MANTISSA_DIGITS as u8 {
                    self.check_digits(value, width, from.is_signed(), span);
                }
                match self.program.exprs.as_int(value) {
                    Some(it) => self.constant_float(it, source, from.is_signed(), ty),
                    None if from.is_signed() => cast(self, CastOp::SIntToF),
                    None => cast(self, CastOp::UIntToF),
                }
            }
            (Ty::Float(ty), Ty::Int(width)) => {
                self.check_float_fits(value, ty, to, width, span);
                if let Expr::Float { bits, .. } = self.program.exprs.get(value) {
                    let number = f64::from_bits(bits);
                    let number = if ty == FloatTy::F32 { f64::from(number as f32) } else { number };
                    if number.abs() < 1e18 {
                        return Ok(self.program.exprs.int(width, number as i128 as u128));
                    }
                }
                cast(self, if to.is_signed() { CastOp::FToSInt } else { CastOp::FToUInt })
            }
            (Ty::Float(a), Ty::Float(b)) if a == b => value,
            (Ty::Float(_), Ty::Float(ty)) => {
                if let Expr::Float { bits, .. } = self.program.exprs.get(value)
                    && ty != FloatTy::F32
                {
                    return Ok(self.program.exprs.add(Expr::Float { ty, bits }));
                }
                cast(self, CastOp::FToF)
            }
            (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)) => {
                return self.error(codes::c::TYPE, span, "a pointer is no floating-point number");
            }
        })
    }

    /// A whole number of more digits than a `double` has is one of `long double` that we cannot keep.
    fn check_digits(&mut self, value: ExprId, width: u8, is_signed: bool, span: Span) {
        let what = "a `long double` of so many digits";
        if let Some(value) = self.program.exprs.as_int(value) {
            let value =
                if is_signed { hardbop_cir::eval::signed(value, width) } else { value as i128 };
            if value.unsigned_abs() > 1 << f64::MANTISSA_DIGITS {
                self.unsupported(span, what);
            }
            return;
        }
        let pool = &mut self.program.exprs;
        let most = pool.int(width, 1 << f64::MANTISSA_DIGITS);
        let least = pool.int(width, (1u128 << f64::MANTISSA_DIGITS).wrapping_neg());
        let below = pool.binary(if is_signed { BinOp::Sle } else { BinOp::Ule }, value, most);
        let fits = match is_signed {
            true => {
                let above = pool.binary(BinOp::Sle, least, value);
                pool.binary(BinOp::And, above, below)
            }
            false => below,
        };
        let (goes_on, ends) = (self.new_block(), self.new_block());
        self.branch(fits, goes_on, ends, span);
        self.begin(ends);
        self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
        self.begin(goes_on);
    }

    fn constant_float(&mut self, value: u128, source: Ty, is_signed: bool, ty: FloatTy) -> ExprId {
        let Ty::Int(width) = source else { return self.program.exprs.add(Expr::Null) };
        let signed = hardbop_cir::eval::signed(value, width);
        let number = match (ty, is_signed) {
            (FloatTy::F32, true) => f64::from(signed as f32),
            (FloatTy::F32, false) => f64::from(value as f32),
            (_, true) => signed as f64,
            (_, false) => value as f64,
        };
        self.program.exprs.add(Expr::Float { ty, bits: number.to_bits() })
    }

    /// The `i1` C's conditions test.
    pub fn truth(&mut self, value: &Val, span: Span) -> Lowered<ExprId> {
        let value = self.scalar(value, span)?;
        Ok(self.truth_of(value, span))
    }

    fn truth_of(&mut self, value: ExprId, span: Span) -> ExprId {
        let (op, zero) = match self.program.exprs.ty(value) {
            Ty::Int(width) => (BinOp::Ne, self.program.exprs.int(width, 0)),
            Ty::Ptr => (BinOp::Ne, self.program.exprs.add(Expr::Null)),
            Ty::Float(ty) => (BinOp::FNe, self.program.exprs.add(Expr::Float { ty, bits: 0 })),
        };
        self.node(Expr::Binary(op, value, zero), span)
    }

    /// A truth value as C's `int`.
    pub fn int_of(&mut self, truth: ExprId) -> Val {
        let value = self.program.exprs.resize(truth, 32, false);
        Val::scalar(CType::INT, value)
    }
}
