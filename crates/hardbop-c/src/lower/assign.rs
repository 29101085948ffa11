//! Assignments, plain and compound, and steps up and down. What stands on the left is found before or after the
//! value is computed, as their side effects demand.

use hardbop_base::Span;

use super::Lowered;
use super::logic::has_effect;
use super::place::{At, Guard, Place, Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Binary, Expr};
use crate::types::CType;

impl Lower<'_> {
    pub fn assign(&mut self, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        let place = self.place_before(to, value)?;
        let value = self.rvalue(value)?;
        let value = self.convert(&value, &place.ctype, span)?;
        self.write(&place, &value, to.span)?;
        Ok(self.assigned(&place, value))
    }

    /// The value of an assignment: a bit-field keeps only its bits.
    fn assigned(&mut self, place: &Place, value: Val) -> Val {
        if let (At::Bits { width, .. }, ValKind::Scalar(id)) = (&place.at, value.kind) {
            let cut = self.program.exprs.resize(id, *width, false);
            let bits = self.int_bits(&value.ctype);
            let id = self.program.exprs.resize(cut, bits, value.ctype.is_signed());
            return Val::scalar(value.ctype, id);
        }
        value
    }

    /// The place to assign, its address kept if evaluating `value` could change it.
    fn place_before(&mut self, to: &Expr, value: &Expr) -> Lowered<Place> {
        let mut place = self.place(to)?;
        if has_effect(value) {
            match &mut place.at {
                At::Memory { ptr, guard } | At::Bits { ptr, guard, .. } => {
                    *ptr = self.snapshot(*ptr, to.span);
                    if let Guard::Index(cond, _) = guard {
                        *cond = self.snapshot(*cond, to.span);
                    }
                }
                At::Register(..) => {}
            }
        }
        Ok(place)
    }

    pub fn assign_op(&mut self, op: Binary, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        // The right side first: it may change the place that is read.
        let right = self.rvalue(value)?;
        let right = match right.kind {
            ValKind::Scalar(id) => Val::scalar(right.ctype, self.snapshot(id, value.span)),
            _ => right,
        };
        let place = self.place(to)?;
        let old = self.read(&place, to.span)?;
        let new = self.binary(op, &old, &right, span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(&place, &new, to.span)?;
        Ok(self.assigned(&place, new))
    }

    fn kept(&mut self, value: Val, span: Span) -> Val {
        match value.kind {
            ValKind::Scalar(id) => Val::scalar(value.ctype, self.snapshot(id, span)),
            _ => value,
        }
    }

    pub fn inc_dec(
        &mut self,
        is_inc: bool,
        is_prefix: bool,
        of: &Expr,
        span: Span,
    ) -> Lowered<Val> {
        let place = self.place(of)?;
        let old = self.read(&place, of.span)?;
        let old = self.kept(old, span);
        let one = self.int_const(1, CType::INT);
        let op = if is_inc { Binary::Add } else { Binary::Sub };
        let new = self.binary(op, &old, &one, span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(&place, &new, of.span)?;
        let new = self.assigned(&place, new);
        Ok(if is_prefix { new } else { old })
    }
}
