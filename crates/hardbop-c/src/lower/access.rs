//! Expressions that name a place in memory: variables, what a pointer points to, elements and members.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Expr as Node, ExprId};
use hardbop_diag::codes;

use super::Lowered;
use super::expr::is_function_name;
use super::place::{At, Guard, Place, Val, ValKind};
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Expr, ExprKind, Unary};
use crate::syntax::literal::Encoding;
use crate::types::{CType, Len, TypeKind};

impl Lower<'_> {
    pub fn address_of(&mut self, of: &Expr, span: Span) -> Lowered<Val> {
        let place = self.place(of)?;
        let ptr = self.address(&place, span)?;
        Ok(Val::scalar(place.ctype.ptr_to(), ptr))
    }

    pub fn deref(&mut self, of: &Expr, span: Span) -> Lowered<Place> {
        let pointer = self.rvalue(of)?;
        let Some(to) = pointer.ctype.pointee().cloned() else {
            let name = self.types.describe(&pointer.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` is no pointer"));
        };
        let ptr = self.scalar(&pointer, span)?;
        let guard = Guard::Pointer(self.text(of.span));
        Ok(Place { ctype: to, at: At::Memory { ptr, guard } })
    }

    pub fn place(&mut self, expr: &Expr) -> Lowered<Place> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Ident(name) => self.named_place(name, span),
            ExprKind::Unary(Unary::Deref, of) => self.deref(of, span),
            ExprKind::Index(a, i) => self.index(a, i, span),
            ExprKind::Member { of, field, is_arrow } => self.member(of, field, *is_arrow, span),
            ExprKind::Str { units, encoding } => Ok(self.text_place(units.clone(), *encoding)),
            ExprKind::CompoundLit(name, init) => {
                let ctype = self.type_name(name)?;
                self.compound_literal(ctype, init, span)
            }
            ExprKind::Generic(control, cases) => {
                let chosen = self.generic(control, cases, span)?;
                self.place(chosen)
            }
            ExprKind::ChooseExpr(cond, yes, no) => {
                let chosen = if self.const_int(cond)? != 0 { yes } else { no };
                self.place(chosen)
            }
            ExprKind::Unary(op @ (Unary::Real | Unary::Imag), of) => {
                self.unary(*op, of, span)?;
                self.error(codes::c::UNSUPPORTED, span, "complex numbers are not supported")
            }
            _ => {
                // A record value has an address, though not one the program may keep.
                let value = self.rvalue(expr)?;
                match value.kind {
                    ValKind::Record(ptr) => Ok(self.record_place(&value, ptr)),
                    _ => self.error(
                        codes::c::TYPE,
                        span,
                        "this cannot be assigned and has no address",
                    ),
                }
            }
        }
    }

    fn text_place(&mut self, units: Vec<u32>, encoding: Encoding) -> Place {
        let element = self.types.text_element(encoding);
        let len = Len::Fixed(units.len() as u64 + 1);
        let object = self.string(units, encoding.width());
        let ptr = self.program.exprs.add(Node::Addr(object));
        Place { ctype: element.array(len), at: At::Memory { ptr, guard: Guard::Safe } }
    }

    fn named_place(&mut self, name: &str, span: Span) -> Lowered<Place> {
        let Some(entity) = self.lookup(name) else {
            if is_function_name(name) {
                let func = self.program.funcs.get(self.func.id).map(|it| it.name.clone());
                let units = func.iter().flat_map(|it| it.bytes()).map(u32::from).collect();
                return Ok(self.text_place(units, Encoding::Plain));
            }
            return self.error(codes::c::UNDECLARED, span, format!("there is no `{name}` here"));
        };
        let (home, ctype) = match entity.clone() {
            Entity::Var { home, ctype } => (home, ctype),
            Entity::Func { link, ctype } => {
                let ptr = self.func_address(&link, &ctype, span);
                return Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::Safe } });
            }
            Entity::Global { link } => match self.globals.get(&link) {
                Some(Global::Var { home, ctype, .. }) => (*home, ctype.clone()),
                _ => {
                    return self.error(
                        codes::c::UNDECLARED,
                        span,
                        format!("there is no `{name}` here"),
                    );
                }
            },
            Entity::Enumerator { .. } | Entity::Typedef(_) => {
                return self.error(codes::c::TYPE, span, format!("`{name}` is no variable"));
            }
        };
        Ok(Place { at: self.at_home(home), ctype })
    }

    fn at_home(&mut self, home: Home) -> At {
        match home {
            Home::Register(var, known) => At::Register(var, known),
            Home::Object(object) => {
                let ptr = self.program.exprs.add(Node::Addr(object));
                At::Memory { ptr, guard: Guard::Safe }
            }
            Home::At(var) => At::Memory { ptr: self.var_expr(var), guard: Guard::Safe },
        }
    }

    fn index(&mut self, a: &Expr, i: &Expr, span: Span) -> Lowered<Place> {
        let base = self.operand_before(a, i)?;
        let index = self.rvalue(i)?;
        let (base, index, of, by) = match base.ctype.is_ptr() {
            true => (base, index, a, i),
            false => (index, base, i, a),
        };
        if !base.ctype.is_ptr() {
            return self.error(codes::c::TYPE, span, "only arrays and pointers can be indexed");
        }
        let Some(element) = base.ctype.pointee().cloned() else {
            return self.error(codes::c::TYPE, span, "only arrays and pointers can be indexed");
        };
        let pointer = self.pointer_add(&base, &index, false, span)?;
        let ptr = self.scalar(&pointer, span)?;
        let base_ptr = self.scalar(&base, span)?;
        let guard = self.index_guard(base_ptr, &element, &index, of, by, span)?;
        Ok(Place { ctype: element, at: At::Memory { ptr, guard } })
    }

    /// For a whole declared array the check is on the index alone.
    fn index_guard(
        &mut self,
        base: ExprId,
        element: &CType,
        index: &Val,
        of: &Expr,
        by: &Expr,
        span: Span,
    ) -> Lowered<Guard> {
        let text = self.text(of.span);
        let Node::Addr(object) = self.program.exprs.get(base) else {
            return Ok(Guard::Pointer(self.text(span)));
        };
        let info = &self.program.objects[object];
        let size = self.types.size(element).unwrap_or(0);
        let (Some(all), false) = (info.size, size == 0 || info.is_const && info.span.is_none())
        else {
            return Ok(Guard::Pointer(self.text(span)));
        };
        let n = all / size;
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
        Ok(Guard::Index(cond, format!("index {by} out of bounds {range} of `{text}`")))
    }

    fn member(&mut self, of: &Expr, field: &str, is_arrow: bool, span: Span) -> Lowered<Place> {
        let base = match is_arrow {
            true => self.deref(of, span)?,
            false => self.place(of)?,
        };
        let TypeKind::Record(id) = base.ctype.kind else {
            let name = self.types.describe(&base.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` has no fields"));
        };
        let Some((offset, info)) = self.types.field(id, field) else {
            let name = self.types.describe(&base.ctype);
            return self.error(
                codes::c::UNDECLARED,
                span,
                format!("`{name}` has no field `{field}`"),
            );
        };
        let At::Memory { ptr, guard } = base.at else {
            return self.error(codes::c::TYPE, span, "a bit-field has no fields");
        };
        let bytes = self.size_expr(offset);
        let ptr = self.ptr_add(ptr, bytes, span);
        let mut ctype = info.ctype;
        ctype.is_const |= base.ctype.is_const;
        let at = match info.bits {
            Some((first, width)) => At::Bits { ptr, guard, first, width },
            None => At::Memory { ptr, guard },
        };
        Ok(Place { ctype, at })
    }
}
