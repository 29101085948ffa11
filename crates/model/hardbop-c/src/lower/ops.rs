//! Arithmetic, comparison, pointer arithmetic, and the checks on them.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, Expr, ExprId, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::syntax::ast::Binary;
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    /// Both operands have been evaluated.
    pub fn binary(&mut self, op: Binary, a: &Val, b: &Val, span: Span) -> Lowered<Val> {
        if a.ctype.is_ptr() || b.ctype.is_ptr() {
            return self.pointer_binary(op, a, b, span);
        }
        if matches!(op, Binary::Shl | Binary::Shr) {
            return self.shift(op, a, b, span);
        }
        let Some(common) = self.types.common(&a.ctype, &b.ctype) else {
            let (x, y) = (self.types.describe(&a.ctype), self.types.describe(&b.ctype));
            return self.error(
                codes::c::TYPE,
                span,
                format!("this operator does not take `{x}` and `{y}`"),
            );
        };
        let (a, b) = (self.convert(a, &common, span)?, self.convert(b, &common, span)?);
        let (x, y) = (self.scalar(&a, span)?, self.scalar(&b, span)?);
        if common.is_float() {
            return self.float_binary(op, x, y, common, span);
        }
        let signed = common.is_signed();
        let pick = |s, u| if signed { s } else { u };
        let compare = |lower: &mut Self, op, x, y| {
            let truth = lower.node(Expr::Binary(op, x, y), span);
            Ok(lower.int_of(truth))
        };
        let arithmetic = match op {
            Binary::Lt => return compare(self, pick(BinOp::Slt, BinOp::Ult), x, y),
            Binary::Gt => return compare(self, pick(BinOp::Slt, BinOp::Ult), y, x),
            Binary::Le => return compare(self, pick(BinOp::Sle, BinOp::Ule), x, y),
            Binary::Ge => return compare(self, pick(BinOp::Sle, BinOp::Ule), y, x),
            Binary::Eq => return compare(self, BinOp::Eq, x, y),
            Binary::Ne => return compare(self, BinOp::Ne, x, y),
            Binary::Add => BinOp::Add,
            Binary::Sub => BinOp::Sub,
            Binary::Mul => BinOp::Mul,
            Binary::Div => pick(BinOp::SDiv, BinOp::UDiv),
            Binary::Rem => pick(BinOp::SRem, BinOp::URem),
            Binary::BitAnd => BinOp::And,
            Binary::BitOr => BinOp::Or,
            Binary::BitXor => BinOp::Xor,
            Binary::Shl | Binary::Shr | Binary::And | Binary::Or => {
                return self.error(
                    codes::c::TYPE,
                    span,
                    "this operator does not take these operands",
                );
            }
        };
        self.arithmetic_checks(arithmetic, signed, x, y, span);
        let value = self.node(Expr::Binary(arithmetic, x, y), span);
        Ok(Val::scalar(common, value))
    }

    fn arithmetic_checks(&mut self, op: BinOp, is_signed: bool, x: ExprId, y: ExprId, span: Span) {
        let overflow = match op {
            BinOp::Add => Some(BinOp::SAddOvf),
            BinOp::Sub => Some(BinOp::SSubOvf),
            BinOp::Mul => Some(BinOp::SMulOvf),
            _ => None,
        };
        if let Some(overflow) = overflow.filter(|_| is_signed && self.checks(Class::Overflow)) {
            let overflows = self.node(Expr::Binary(overflow, x, y), span);
            let fine = self.program.exprs.not(overflows);
            self.overflow_check(fine, span);
        }
        if matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem) {
            let Ty::Int(width) = self.program.exprs.ty(y) else { return };
            let zero = self.program.exprs.int(width, 0);
            let nonzero = self.program.exprs.binary(BinOp::Ne, y, zero);
            let message = format!("the divisor of `{}` may be 0", self.text(span));
            self.check(Class::Div, Cond::Holds(nonzero), message, span);
            if matches!(op, BinOp::SDiv | BinOp::SRem) && self.checks(Class::Overflow) {
                let pool = &mut self.program.exprs;
                let (least, ones) = (pool.int(width, 1 << (width - 1)), pool.int(width, u128::MAX));
                let fine_x = pool.binary(BinOp::Ne, x, least);
                let fine_y = pool.binary(BinOp::Ne, y, ones);
                let fine = pool.binary(BinOp::Or, fine_x, fine_y);
                self.overflow_check(fine, span);
            }
        }
    }

    pub fn overflow_check(&mut self, fine: ExprId, span: Span) {
        let message = format!("`{}` may overflow", self.text(span));
        self.check(Class::Overflow, Cond::Holds(fine), message, span);
    }

    fn float_binary(
        &mut self,
        op: Binary,
        x: ExprId,
        y: ExprId,
        ctype: CType,
        span: Span,
    ) -> Lowered<Val> {
        let (op, x, y) = match op {
            Binary::Add => (BinOp::FAdd, x, y),
            Binary::Sub => (BinOp::FSub, x, y),
            Binary::Mul => (BinOp::FMul, x, y),
            Binary::Div => (BinOp::FDiv, x, y),
            Binary::Lt => (BinOp::FLt, x, y),
            Binary::Gt => (BinOp::FLt, y, x),
            Binary::Le => (BinOp::FLe, x, y),
            Binary::Ge => (BinOp::FLe, y, x),
            Binary::Eq => (BinOp::FEq, x, y),
            Binary::Ne => (BinOp::FNe, x, y),
            _ => {
                return self.error(
                    codes::c::TYPE,
                    span,
                    "this operator does not take floating-point numbers",
                );
            }
        };
        let is_arithmetic = matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv);
        if let TypeKind::Float(ty) = ctype.kind
            && is_arithmetic
            && ty.is_wider_than_double()
        {
            let value = self.extended(op, x, y, ty, span);
            return Ok(Val::scalar(ctype, value));
        }
        let value = self.node(Expr::Binary(op, x, y), span);
        let is_truth = matches!(self.program.exprs.ty(value), Ty::Int(_));
        Ok(if is_truth { self.int_of(value) } else { Val::scalar(ctype, value) })
    }

    fn shift(&mut self, op: Binary, a: &Val, b: &Val, span: Span) -> Lowered<Val> {
        if !a.ctype.is_integer() || !b.ctype.is_integer() {
            return self.error(codes::c::TYPE, span, "only integers can be shifted");
        }
        let ctype = self.types.promoted(&a.ctype);
        let amount_type = self.types.promoted(&b.ctype);
        let (a, b) = (self.convert(a, &ctype, span)?, self.convert(b, &amount_type, span)?);
        let (x, amount) = (self.scalar(&a, span)?, self.scalar(&b, span)?);
        let width = self.int_bits(&ctype);
        let amount_width = self.int_bits(&amount_type);
        // Unsigned comparison: a negative amount is a large one.
        let limit = self.program.exprs.int(amount_width, u128::from(width));
        let fits = self.program.exprs.binary(BinOp::Ult, amount, limit);
        let message =
            format!("the amount of `{}` may be negative or {width} or more", self.text(span));
        self.check(Class::Shift, Cond::Holds(fits), message, span);
        // Cutting a wider amount must not make a large one small.
        let amount = match amount_width > width {
            true => {
                let cut = self.program.exprs.resize(amount, width, false);
                let large = self.program.exprs.int(width, u128::from(width));
                self.program.exprs.ite(fits, cut, large)
            }
            false => self.program.exprs.resize(amount, width, false),
        };
        let op = match (op, ctype.is_signed()) {
            (Binary::Shl, _) => BinOp::Shl,
            (_, true) => BinOp::AShr,
            (_, false) => BinOp::LShr,
        };
        let value = self.node(Expr::Binary(op, x, amount), span);
        if op == BinOp::Shl && ctype.is_signed() {
            self.left_shift_checks(x, amount, value, fits, span);
        }
        Ok(Val::scalar(ctype, value))
    }

    /// C11 6.5.7, 4: a negative number is not shifted to the left, and the result must fit.
    fn left_shift_checks(
        &mut self,
        x: ExprId,
        amount: ExprId,
        shifted: ExprId,
        fits: ExprId,
        span: Span,
    ) {
        let Ty::Int(width) = self.program.exprs.ty(x) else { return };
        let zero = self.program.exprs.int(width, 0);
        let positive = self.program.exprs.binary(BinOp::Sle, zero, x);
        let message = format!("`{}` may shift a negative number to the left", self.text(span));
        self.check(Class::Shift, Cond::Holds(positive), message, span);
        if self.checks(Class::Overflow) {
            let back = self.node(Expr::Binary(BinOp::AShr, shifted, amount), span);
            let same = self.program.exprs.binary(BinOp::Eq, back, x);
            // A count that is too large is another mistake.
            let too_large = self.program.exprs.not(fits);
            let fine = self.program.exprs.binary(BinOp::Or, too_large, same);
            self.overflow_check(fine, span);
        }
    }

    fn pointer_binary(&mut self, op: Binary, a: &Val, b: &Val, span: Span) -> Lowered<Val> {
        match (op, a.ctype.is_ptr(), b.ctype.is_ptr()) {
            (Binary::Add, true, false) => self.pointer_add(a, b, false, span),
            (Binary::Add, false, true) => self.pointer_add(b, a, false, span),
            (Binary::Sub, true, false) => self.pointer_add(a, b, true, span),
            (Binary::Sub, true, true) => {
                let (x, y) = (self.scalar(a, span)?, self.scalar(b, span)?);
                self.check_one_object(x, y, span);
                let bytes = self.node(Expr::Binary(BinOp::PtrDiff, x, y), span);
                let size = match a.ctype.pointee() {
                    Some(to) => {
                        let to = to.clone();
                        self.size_value(&to, span)?
                    }
                    None => self.size_expr(1),
                };
                let value = match self.program.exprs.as_int(size) {
                    Some(0) => self.program.exprs.int(self.options.model.ptr_bits(), 0),
                    _ => self.node(Expr::Binary(BinOp::SDiv, bytes, size), span),
                };
                Ok(Val::scalar(self.types.ptrdiff_type(), value))
            }
            (Binary::Eq | Binary::Ne | Binary::Lt | Binary::Gt | Binary::Le | Binary::Ge, ..) => {
                let pointer = CType::VOID.ptr_to();
                let (a, b) = (self.convert(a, &pointer, span)?, self.convert(b, &pointer, span)?);
                let (x, y) = (self.scalar(&a, span)?, self.scalar(&b, span)?);
                let (op, x, y) = match op {
                    Binary::Eq => (BinOp::Eq, x, y),
                    Binary::Ne => (BinOp::Ne, x, y),
                    Binary::Lt => (BinOp::PtrLt, x, y),
                    Binary::Gt => (BinOp::PtrLt, y, x),
                    Binary::Le => (BinOp::PtrLe, x, y),
                    _ => (BinOp::PtrLe, y, x),
                };
                if matches!(op, BinOp::PtrLt | BinOp::PtrLe) {
                    self.check_one_object(x, y, span);
                }
                let truth = self.node(Expr::Binary(op, x, y), span);
                Ok(self.int_of(truth))
            }
            _ => self.error(codes::c::TYPE, span, "this operator does not take pointers"),
        }
    }

    /// `pointer ± index`, in elements.
    pub fn pointer_add(
        &mut self,
        pointer: &Val,
        index: &Val,
        is_sub: bool,
        span: Span,
    ) -> Lowered<Val> {
        if !index.ctype.is_integer() {
            return self.error(codes::c::TYPE, span, "an index is an integer");
        }
        let element = pointer.ctype.pointee().cloned().unwrap_or(CType::VOID);
        let size = self.size_value(&element, span)?;
        let index = self.convert_index(index, span)?;
        let mut bytes = self.node(Expr::Binary(BinOp::Mul, index, size), span);
        if is_sub {
            bytes = self.node(Expr::Unary(hardbop_cir::UnOp::Neg, bytes), span);
        }
        let ptr = self.scalar(pointer, span)?;
        let ptr = self.ptr_add(ptr, bytes, span);
        self.check_pointer_stays(ptr, span);
        Ok(Val::scalar(pointer.ctype.clone(), ptr))
    }

    /// As wide as a pointer.
    pub fn convert_index(&mut self, index: &Val, span: Span) -> Lowered<ExprId> {
        let bits = self.options.model.ptr_bits();
        let value = self.scalar(index, span)?;
        let is_signed = index.ctype.is_signed();
        Ok(self.program.exprs.resize(value, bits, is_signed))
    }

    pub fn negate(&mut self, of: &Val, span: Span) -> Lowered<Val> {
        let ctype = self.types.promoted(&of.ctype);
        let of = self.convert(of, &ctype, span)?;
        let value = self.scalar(&of, span)?;
        match ctype.kind {
            TypeKind::Float(ty) => {
                if let Expr::Float { bits, .. } = self.program.exprs.get(value) {
                    let bits = (-f64::from_bits(bits)).to_bits();
                    return Ok(Val::scalar(
                        ctype,
                        self.program.exprs.add(Expr::Float { ty, bits }),
                    ));
                }
                let value = self.node(Expr::Unary(hardbop_cir::UnOp::FNeg, value), span);
                Ok(Val::scalar(ctype, value))
            }
            TypeKind::Int { bits, is_signed, .. } => {
                if is_signed {
                    let least = self.program.exprs.int(bits, 1 << (bits - 1));
                    let fine = self.program.exprs.binary(BinOp::Ne, value, least);
                    self.overflow_check(fine, span);
                }
                let value = self.node(Expr::Unary(hardbop_cir::UnOp::Neg, value), span);
                Ok(Val::scalar(ctype, value))
            }
            _ => self.error(codes::c::TYPE, span, "only numbers can be negated"),
        }
    }
}
