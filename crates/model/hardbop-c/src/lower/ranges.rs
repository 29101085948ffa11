//! Conversions and pointers that C gives no meaning to although machines do: a number that does not fit
//! the integer it becomes (C11 6.3.1.4), a pointer outside of its array (6.5.6, 8), a pointer to what is
//! aligned more strictly than where it points (6.3.2.3, 7).

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, Expr, ExprId, FloatTy, UnOp};

use super::state::Lower;
use crate::types::CType;

impl Lower<'_> {
    /// The whole part of a floating-point number must be one of the integer type's. Our library asks
    /// for itself.
    pub fn check_float_fits(
        &mut self,
        value: ExprId,
        ty: FloatTy,
        to: &CType,
        width: u8,
        span: Span,
    ) {
        if self.in_library || !self.checks(Class::Float) {
            return;
        }
        let digits = if ty == FloatTy::F32 { f32::MANTISSA_DIGITS } else { f64::MANTISSA_DIGITS };
        let is_signed = to.is_signed();
        let above = 2f64.powi(i32::from(width) - i32::from(is_signed));
        let lowest = if is_signed { -above } else { 0.0 };
        // Where one less is no number of the type, the lowest itself is the bound.
        let (below, op) = match is_signed && u32::from(width) > digits {
            true => (lowest, BinOp::FLe),
            false => (lowest - 1.0, BinOp::FLt),
        };
        let mut number = |it: f64| self.program.exprs.add(Expr::Float { ty, bits: it.to_bits() });
        let (below, above) = (number(below), number(above));
        let from = self.program.exprs.binary(op, below, value);
        let to_bound = self.program.exprs.binary(BinOp::FLt, value, above);
        let fits = self.program.exprs.binary(BinOp::And, from, to_bound);
        let message = format!("`{}` may not fit `{}`", self.text(span), self.types.describe(to));
        self.check(Class::Float, Cond::Holds(fits), message, span);
    }

    /// A pointer that was computed must point into its object or just behind it.
    pub fn check_pointer_stays(&mut self, ptr: ExprId, span: Span) {
        if self.in_library || !self.checks(Class::Pointer) {
            return;
        }
        let size = self.size_expr(0);
        let message = format!("`{}` may leave its object", self.text(span));
        self.check(Class::Pointer, Cond::InBounds { ptr, size }, message, span);
    }

    /// C11 6.5.6, 9 and 6.5.8, 5: only pointers into one object, or just behind it, have a difference and an order.
    pub fn check_one_object(&mut self, a: ExprId, b: ExprId, span: Span) {
        if self.in_library || !self.checks(Class::Pointer) {
            return;
        }
        let starts = [a, b].map(|it| self.program.exprs.unary(UnOp::Start, it));
        let is_one = self.program.exprs.binary(BinOp::Eq, starts[0], starts[1]);
        let message = format!("the pointers of `{}` may lie in different objects", self.text(span));
        self.check(Class::Pointer, Cond::Holds(is_one), message, span);
    }

    /// A pointer that becomes one to another type must be aligned for it, as far as its offset says.
    pub fn check_aligned(&mut self, ptr: ExprId, from: &CType, to: &CType, span: Span) {
        if self.in_library || !self.checks(Class::Align) {
            return;
        }
        let (Some(from), Some(to)) = (from.pointee(), to.pointee()) else { return };
        if from.func().is_some() || to.func().is_some() || to.is_void() {
            return;
        }
        let needed = self.types.align(to);
        if needed <= self.types.align(from) && !from.is_void() {
            return;
        }
        let start = self.program.exprs.unary(UnOp::Start, ptr);
        let offset = self.program.exprs.binary(BinOp::PtrDiff, ptr, start);
        let mask = self.size_expr(needed - 1);
        let rest = self.program.exprs.binary(BinOp::And, offset, mask);
        let zero = self.size_expr(0);
        let fine = self.program.exprs.binary(BinOp::Eq, rest, zero);
        let message =
            format!("`{}` may not be aligned for `{}`", self.text(span), self.types.describe(to));
        self.check(Class::Align, Cond::Holds(fine), message, span);
    }
}
