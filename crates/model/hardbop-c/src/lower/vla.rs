//! Lengths of arrays that are computed when the program runs.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, Expr as Node, Op, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::Val;
use super::scope::Entity;
use super::state::Lower;
use crate::syntax::ast::{ArrayLen, Deriv, Expr, Param};
use crate::types::{CType, Len};

impl Lower<'_> {
    /// The size in bytes of an array whose length is computed now.
    pub fn variable_len(&mut self, of: &CType, expr: &Expr) -> Lowered<Len> {
        let value = self.rvalue(expr)?;
        if !value.ctype.is_integer() {
            return self.error(codes::c::TYPE, expr.span, "the length of an array is an integer");
        }
        self.check_length(&value, expr.span)?;
        let n = self.convert_index(&value, expr.span)?;
        let size = self.size_value(of, expr.span)?;
        let bytes = self.node(Node::Binary(BinOp::Mul, n, size), expr.span);
        let dst = self.temp(Ty::Int(self.options.model.ptr_bits()), false);
        self.emit(Op::Set { dst, value: bytes }, expr.span);
        Ok(Len::Variable(dst))
    }

    /// A length is not negative (C11 6.7.6.2, 5). GNU C has arrays without elements.
    fn check_length(&mut self, value: &Val, span: Span) -> Lowered<()> {
        if !value.ctype.is_signed() || self.in_adjusted {
            return Ok(());
        }
        let bits = self.int_bits(&value.ctype);
        let (n, zero) = (self.scalar(value, span)?, self.program.exprs.int(bits, 0));
        let is_fine = self.program.exprs.binary(BinOp::Sle, zero, n);
        let message = format!("`{}`, the length of an array, may be negative", self.text(span));
        self.check(Class::Bounds, Cond::Holds(is_fine), message, span);
        Ok(())
    }

    /// Lengths in the types of parameters are computed when the function is entered (C11 6.9.1, 10):
    /// they may mention other parameters and have effects.
    pub fn variable_params(&mut self, params: &[Param]) -> Lowered<()> {
        for param in params {
            let declarator = &param.declarator;
            let Some(name) = &declarator.name else { continue };
            let mut is_variable = false;
            for deriv in &declarator.derivs {
                if let Deriv::Array(ArrayLen::Expr(len)) = deriv {
                    is_variable |= self.try_const_int(len)?.is_none();
                }
            }
            if !is_variable {
                continue;
            }
            let base = self.base_type(&param.specs)?;
            // The outermost is no array, and asks nothing of its length.
            let outer = std::mem::replace(&mut self.in_adjusted, true);
            let computed = self.derived(base, declarator);
            self.in_adjusted = outer;
            let computed = computed?.decayed();
            if let Some(Entity::Var { ctype, .. }) = self.scopes.names.get_mut(name) {
                *ctype = computed;
            }
        }
        Ok(())
    }
}
