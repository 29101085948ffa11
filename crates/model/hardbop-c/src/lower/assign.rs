//! Assignments, plain and compound, and steps up and down. What stands on the left is found before or after the
//! value is computed, as their side effects demand.

use hardbop_base::Span;
use hardbop_cir::{Op, ThreadOp};
use hardbop_diag::codes;

use super::Lowered;
use super::effects::Effects;
use super::order::Order;
use super::place::{At, Place, Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Binary, Expr, ExprKind};
use crate::types::CType;

impl Lower<'_> {
    pub fn assign(&mut self, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        self.order_of_assignment(to, value);
        let place = self.place_before(to, value)?;
        self.not_constant(&place, to.span)?;
        let value = self.rvalue(value)?;
        let value = self.convert(&value, &place.ctype, span)?;
        self.write(&place, &value, to.span)?;
        Ok(self.assigned(&place, value))
    }

    /// The place is found before the value, which is assumed where it matters.
    fn order_of_assignment(&mut self, to: &Expr, value: &Expr) {
        if self.order(to, value, Effects::of_place) == Order::Open {
            self.assume_order(to.span.to(value.span));
        }
        if let ExprKind::Ident(name) = &to.kind
            && changes_unordered(value, name)
        {
            let line = self.sources.position(to.span).line;
            let text = self.text(to.span.to(value.span));
            self.assume_said(format!(
                "line {line}: `{text}` changes `{name}` twice in no order: left to right is taken"
            ));
        }
    }

    /// The value of an assignment: a bit-field keeps only its bits.
    fn assigned(&mut self, place: &Place, value: Val) -> Val {
        if let (At::Bits { width, .. }, ValKind::Scalar(id)) = (&place.at, value.kind) {
            return self.bit_field_value(&place.ctype, id, *width);
        }
        value
    }

    /// The place to assign, its address kept if evaluating `value` could change it.
    fn place_before(&mut self, to: &Expr, value: &Expr) -> Lowered<Place> {
        let mut place = self.place(to)?;
        if value.has_effect {
            match &mut place.at {
                At::Memory { ptr, guard } | At::Bits { ptr, guard, .. } => {
                    *ptr = self.snapshot(*ptr, to.span);
                    for cond in guard.conditions() {
                        *cond = self.snapshot(*cond, to.span);
                    }
                }
                At::Register(..) => {}
            }
        }
        Ok(place)
    }

    pub fn assign_op(&mut self, op: Binary, to: &Expr, value: &Expr, span: Span) -> Lowered<Val> {
        // Where the place has no effects it is found again after both operands have been read.
        let order = self.order(to, value, Effects::of);
        if !to.has_effect && order == Order::Open && !self.type_of(to)?.is_atomic {
            let values = self.in_any_order(&[to, value], &mut |lower, it| lower.rvalue(it))?;
            if let [old, right] = &values[..] {
                let new = self.binary(op, old, right, span)?;
                let place = self.place(to)?;
                return self.store_new(&place, new, to, span);
            }
        }
        // The right side first: it may change the place that is read.
        let right = self.rvalue(value)?;
        let right = match right.kind {
            ValKind::Scalar(id) => Val::scalar(right.ctype, self.snapshot(id, value.span)),
            _ => right,
        };
        let place = self.place(to)?;
        self.atomic_section(&place, ThreadOp::Begin, span);
        let old = self.read(&place, to.span)?;
        let new = self.binary(op, &old, &right, span)?;
        let new = self.store_new(&place, new, to, span)?;
        self.atomic_section(&place, ThreadOp::End, span);
        Ok(new)
    }

    /// What is `_Atomic` is read and written in one step.
    pub fn atomic_section(&mut self, place: &Place, op: ThreadOp, span: Span) {
        if place.ctype.is_atomic && matches!(place.at, At::Memory { .. }) {
            self.emit(Op::Thread(op), span);
        }
    }

    /// A constraint of C (6.5.16): what is changed is not `const`.
    fn not_constant(&self, place: &Place, span: Span) -> Lowered<()> {
        match place.ctype.is_const_object() {
            true => {
                let message = format!("`{}` is constant", self.text(span));
                self.error(codes::c::TYPE, span, message)
            }
            false => Ok(()),
        }
    }

    fn store_new(&mut self, place: &Place, new: Val, to: &Expr, span: Span) -> Lowered<Val> {
        self.not_constant(place, to.span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(place, &new, to.span)?;
        Ok(self.assigned(place, new))
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
        self.not_constant(&place, of.span)?;
        self.atomic_section(&place, ThreadOp::Begin, span);
        let old = self.read(&place, of.span)?;
        let old = self.kept(old, span);
        let one = self.int_const(1, CType::INT);
        let op = if is_inc { Binary::Add } else { Binary::Sub };
        let new = self.binary(op, &old, &one, span)?;
        let new = self.convert(&new, &place.ctype, span)?;
        let new = self.kept(new, span);
        self.write(&place, &new, of.span)?;
        self.atomic_section(&place, ThreadOp::End, span);
        let new = self.assigned(&place, new);
        Ok(if is_prefix { new } else { old })
    }
}

/// Whether evaluating the value changes the variable with nothing that orders it before what follows:
/// `i++ + 1` does, `f(i++)` and `(i++, 1)` do not.
fn changes_unordered(value: &Expr, name: &str) -> bool {
    match &value.kind {
        ExprKind::IncDec { of, .. } | ExprKind::Assign(_, of, _) if matches!(&of.kind, ExprKind::Ident(it) if **it == *name) => {
            true
        }
        ExprKind::Assign(_, a, b) | ExprKind::Binary(_, a, b) | ExprKind::Index(a, b)
            if !matches!(value.kind, ExprKind::Binary(Binary::And | Binary::Or, ..)) =>
        {
            changes_unordered(a, name) || changes_unordered(b, name)
        }
        ExprKind::Unary(_, of)
        | ExprKind::Cast(_, of)
        | ExprKind::IncDec { of, .. }
        | ExprKind::Member { of, .. } => changes_unordered(of, name),
        ExprKind::Comma(_, last) => changes_unordered(last, name),
        ExprKind::Cond(_, yes, no) => {
            yes.as_ref().is_some_and(|it| changes_unordered(it, name))
                || changes_unordered(no, name)
        }
        _ => false,
    }
}
