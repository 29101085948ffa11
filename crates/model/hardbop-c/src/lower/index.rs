//! Elements of arrays: `a[i]`, `*(a + i)`, `*(p - i)`, and what is asked about the index.
//!
//! An index into a whole declared variable is compared with its length, any other access with the
//! object it lands in. Beside that an index must fit the array it was written for, also where this
//! is a part of the object: `x.a[i]`, `m[i][j]`, `p->a[i]` (class `index`); and the distance in
//! bytes must fit a pointer, as otherwise it could land inside again.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Expr as Node, ExprId};
use hardbop_diag::codes;

use super::Lowered;
use super::effects::Effects;
use super::order::Order;
use super::place::{At, Guard, IndexGuard, ObjectGuard, Place, Val, ValKind};
use super::state::Lower;
use crate::syntax::ast::{Binary, Expr, ExprKind};
use crate::types::{CType, Len, TypeKind};

/// An array as it is declared.
struct Declared {
    /// `None` if any index is allowed.
    len: Option<u64>,
    guard: Guard,
}

impl Lower<'_> {
    pub fn index(&mut self, a: &Expr, i: &Expr, span: Span) -> Lowered<Place> {
        let (base, declared) = self.array_operand(a, i)?;
        let index = self.rvalue(i)?;
        let (base, index, of, by) = match base.ctype.is_ptr() {
            true => (base, index, a, i),
            false => (index, base, i, a),
        };
        let element = match base.ctype.pointee() {
            Some(element) if base.ctype.is_ptr() => element.clone(),
            _ => {
                let message = "only arrays and pointers can be indexed";
                return self.error(codes::c::TYPE, span, message);
            }
        };
        let pointer = self.pointer_add(&base, &index, false, span)?;
        let ptr = self.scalar(&pointer, span)?;
        let base_ptr = self.scalar(&base, span)?;
        let object = self.object_guard(base_ptr, &element, &index, of, by, span)?;
        let mut guard = Guard { object, indices: Vec::new() };
        if let Some(declared) = declared {
            self.declared_guard(&mut guard, declared, &element, &index, of, by, span)?;
        }
        if let ObjectGuard::Pointer(_) = guard.object {
            guard.indices.extend(self.distance_guard(&index, &element, by)?);
        }
        Ok(Place { ctype: element, at: At::Memory { ptr, guard } })
    }

    /// `*(p - i)`
    pub fn index_back(&mut self, a: &Expr, i: &Expr, span: Span) -> Lowered<Place> {
        let base = self.operand_before(a, i)?;
        let index = self.rvalue(i)?;
        let Some(element) = base.ctype.pointee().cloned() else {
            let name = self.types.describe(&base.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` is no pointer"));
        };
        let pointer = self.binary(Binary::Sub, &base, &index, span)?;
        if !pointer.ctype.is_ptr() {
            return self.error(codes::c::TYPE, span, "the distance of two pointers is none");
        }
        let ptr = self.scalar(&pointer, span)?;
        let mut guard = Guard::pointer(self.text(span));
        guard.indices.extend(self.distance_guard(&index, &element, i)?);
        Ok(Place { ctype: element, at: At::Memory { ptr, guard } })
    }

    /// The pointer to the first element, kept if `i` could change it, and the array as declared.
    fn array_operand(&mut self, a: &Expr, i: &Expr) -> Lowered<(Val, Option<Declared>)> {
        if self.order(a, i, Effects::of) == Order::Open {
            self.assume_order(a.span.to(i.span));
        }
        if !self.is_place(a) {
            return Ok((self.operand_before(a, i)?, None));
        }
        let place = self.place(a)?;
        let declared = match (&place.at, &place.ctype.kind) {
            (At::Memory { guard, .. }, TypeKind::Array(_, len)) => {
                let len = match len {
                    Len::Fixed(n) if *n > 0 && !self.is_flexible(a) => Some(*n),
                    _ => None,
                };
                Some(Declared { len, guard: guard.clone() })
            }
            _ => None,
        };
        let mut base = self.read(&place, a.span)?;
        if i.has_effect
            && let ValKind::Scalar(value) = base.kind
        {
            base.kind = ValKind::Scalar(self.snapshot(value, a.span));
        }
        Ok((base, declared))
    }

    /// Whether the array is the last member of its structure, and those may be longer than they
    /// say.
    fn is_flexible(&mut self, a: &Expr) -> bool {
        self.options.flexible_last_member && self.is_last_member(a)
    }

    pub(super) fn is_last_member(&mut self, a: &Expr) -> bool {
        let ExprKind::Member { of, field, is_arrow } = &a.kind else { return false };
        let Ok(ctype) = self.type_of(of) else { return false };
        let record = if *is_arrow { ctype.pointee().cloned() } else { Some(ctype) };
        let Some(TypeKind::Record(id)) = record.map(|it| it.kind) else { return false };
        let info = &self.types.records[id];
        let last = info.fields.iter().flatten().last().and_then(|it| it.name.as_deref());
        info.is_union || last == Some(&**field)
    }

    /// For a whole declared array the check is on the index alone.
    fn object_guard(
        &mut self,
        base: ExprId,
        element: &CType,
        index: &Val,
        of: &Expr,
        by: &Expr,
        span: Span,
    ) -> Lowered<ObjectGuard> {
        let Node::Addr(object) = self.program.exprs.get(base) else {
            return Ok(ObjectGuard::Pointer(self.text(span)));
        };
        let info = &self.program.objects[object];
        let size = self.types.size(element).unwrap_or(0);
        let (Some(all), false) = (info.size, size == 0 || info.is_const && info.span.is_none())
        else {
            return Ok(ObjectGuard::Pointer(self.text(span)));
        };
        let (cond, message) = self.within(index, all / size, of, by, span)?;
        Ok(ObjectGuard::Index(cond, message))
    }

    /// That an index is less than `n`, and what to say if it is not.
    fn within(
        &mut self,
        index: &Val,
        n: u64,
        of: &Expr,
        by: &Expr,
        span: Span,
    ) -> Lowered<(ExprId, String)> {
        let value = self.convert_index(index, by.span)?;
        let limit = self.size_expr(n);
        let cond = self.node(Node::Binary(BinOp::Ult, value, limit), span);
        let by = match self.program.exprs.as_int(value) {
            Some(value) => {
                let bits = self.options.model.ptr_bits();
                hardbop_cir::eval::signed(value, bits).to_string()
            }
            None => format!("`{}`", self.text(by.span)),
        };
        let range = if n == 0 { "of no element".into() } else { format!("0..{}", n - 1) };
        Ok((cond, format!("index {by} out of bounds {range} of `{}`", self.text(of.span))))
    }

    /// Adds what the declaration of the array asks for.
    #[allow(clippy::too_many_arguments)]
    fn declared_guard(
        &mut self,
        guard: &mut Guard,
        declared: Declared,
        element: &CType,
        index: &Val,
        of: &Expr,
        by: &Expr,
        span: Span,
    ) -> Lowered<()> {
        let Some(n) = declared.len else { return Ok(()) };
        let size = self.types.size(element).unwrap_or(0);
        let (cond, message) = self.within(index, n, of, by, span)?;
        if let ObjectGuard::Index(whole, _) = &guard.object
            && *whole == cond
        {
            return Ok(());
        }
        guard.indices = declared.guard.indices;
        if let ObjectGuard::Index(cond, message) = declared.guard.object.clone() {
            guard.indices.push(IndexGuard { class: Class::Index, cond, message });
        }
        guard.indices.push(IndexGuard { class: Class::Index, cond, message });
        // Inside each array on the way is inside the variable they are part of.
        let is_part = !matches!(declared.guard.object, ObjectGuard::Pointer(_));
        if is_part && size > 0 && self.checks(Class::Index) {
            guard.object = ObjectGuard::Safe;
        }
        Ok(())
    }

    /// That index times size fits a pointer: what wraps around is outside, wherever it lands.
    fn distance_guard(
        &mut self,
        index: &Val,
        element: &CType,
        by: &Expr,
    ) -> Lowered<Option<IndexGuard>> {
        let bits = self.options.model.ptr_bits();
        let Some(size) = self.types.size(element).map(u128::from).filter(|&it| it > 1) else {
            return Ok(None);
        };
        let most = (1u128 << (bits - 1)) / size;
        let width = self.int_bits(&index.ctype);
        let is_signed = index.ctype.is_signed();
        let span = width - u8::from(is_signed);
        if width < 127 && 1u128 << span <= most {
            return Ok(None);
        }
        let value = self.convert_index(index, by.span)?;
        let pool = &mut self.program.exprs;
        let cond = match is_signed {
            true => {
                let (half, all) = (pool.int(bits, most), pool.int(bits, 2 * most));
                let moved = pool.binary(BinOp::Add, value, half);
                pool.binary(BinOp::Ult, moved, all)
            }
            false => {
                let most = pool.int(bits, most);
                pool.binary(BinOp::Ult, value, most)
            }
        };
        let message =
            format!("index `{}` may be farther away than memory reaches", self.text(by.span));
        Ok(Some(IndexGuard { class: Class::Bounds, cond, message }))
    }
}
