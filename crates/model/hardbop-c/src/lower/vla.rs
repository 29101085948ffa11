//! Lengths of arrays that are computed when the program runs.

use hardbop_cir::{BinOp, Expr as Node, Op, Ty};
use hardbop_diag::codes;

use super::Lowered;
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
        let n = self.convert_index(&value, expr.span)?;
        let size = self.size_value(of, expr.span)?;
        let bytes = self.node(Node::Binary(BinOp::Mul, n, size), expr.span);
        let dst = self.temp(Ty::Int(self.options.model.ptr_bits()), false);
        self.emit(Op::Set { dst, value: bytes }, expr.span);
        Ok(Len::Variable(dst))
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
            let computed = self.derived(base, declarator)?.decayed();
            if let Some(Entity::Var { ctype, .. }) = self.scopes.names.get_mut(name) {
                *ctype = computed;
            }
        }
        Ok(())
    }
}
