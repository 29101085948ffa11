//! Expressions that name a place in memory: variables, what a pointer points to, elements and members.

use hardbop_base::Span;
use hardbop_cir::{Class, Expr as Node, Op, ThreadOp, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::expr::is_function_name;
use super::mistake::Wrong;
use super::place::{At, Guard, Place, Val, ValKind};
use super::scope::{Entity, Global, Home};
use super::state::Lower;
use crate::syntax::ast::{Binary, Expr, ExprKind, Unary};
use crate::syntax::literal::Encoding;
use crate::types::{Len, TypeKind};

impl Lower<'_> {
    pub fn address_of(&mut self, of: &Expr, span: Span) -> Lowered<Val> {
        if let ExprKind::Unary(Unary::Deref, pointer) = &of.kind
            && self.is_errno(pointer)
        {
            return self.rvalue(pointer);
        }
        let place = self.place(of)?;
        let ptr = self.address(&place, span)?;
        Ok(Val::scalar(place.ctype.ptr_to(), ptr))
    }

    pub fn deref(&mut self, of: &Expr, span: Span) -> Lowered<Place> {
        match &of.kind {
            _ if self.is_errno(of) => return self.errno_of_thread(span),
            ExprKind::Binary(Binary::Add, a, i) => return self.index(a, i, span),
            ExprKind::Binary(Binary::Sub, a, i) => return self.index_back(a, i, span),
            _ => {}
        }
        let pointer = self.rvalue(of)?;
        let Some(to) = pointer.ctype.pointee().cloned() else {
            let name = self.types.describe(&pointer.ctype);
            return self.error(codes::c::TYPE, span, format!("`{name}` is no pointer"));
        };
        let ptr = self.scalar(&pointer, span)?;
        let guard = Guard::pointer(self.text(of.span));
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

    /// Whether the pointer is that to `errno` of the thread at hand: each has a variable of its own, without an address.
    fn is_errno(&self, pointer: &Expr) -> bool {
        let ExprKind::Call(callee, _) = &pointer.kind else { return false };
        let ExprKind::Ident(name) = &callee.kind else { return false };
        let name = crate::library::names::canonical(name);
        name == "__errno_location"
            && self.has_threads
            && matches!(self.globals.get(name), Some(Global::Func { id: Some(id), .. }) if self.library.contains(id))
    }

    fn errno_of_thread(&mut self, span: Span) -> Lowered<Place> {
        match self.globals.get("__hardbop_errno") {
            Some(Global::Var { home, ctype, .. }) => {
                let (home, ctype) = (*home, ctype.clone());
                Ok(Place { at: self.at_home(home, span), ctype })
            }
            _ => self.error(codes::c::UNSUPPORTED, span, "`errno` is not known here"),
        }
    }

    fn text_place(&mut self, units: Vec<u32>, encoding: Encoding) -> Place {
        let element = self.types.text_element(encoding);
        let len = Len::Fixed(units.len() as u64 + 1);
        let object = self.string(units, encoding.width());
        let ptr = self.program.exprs.add(Node::Addr(object));
        Place { ctype: element.array(len), at: At::Memory { ptr, guard: Guard::SAFE } }
    }

    fn named_place(&mut self, name: &str, span: Span) -> Lowered<Place> {
        let Some(entity) = self.lookup(name) else {
            if is_function_name(name) {
                let func = self.program.funcs.get(self.func.id).map(|it| it.name.clone());
                let units = func.iter().flat_map(|it| it.bytes()).map(u32::from).collect();
                return Ok(self.text_place(units, Encoding::Plain));
            }
            return self.undeclared(name, span, format!("there is no `{name}` here"));
        };
        let (home, ctype) = match entity.clone() {
            Entity::Var { home, ctype } => (home, ctype),
            Entity::Func { link, ctype } => {
                let ptr = self.func_address(&link, &ctype, span);
                return Ok(Place { ctype, at: At::Memory { ptr, guard: Guard::SAFE } });
            }
            Entity::Global { link } => match self.globals.get(&link) {
                Some(Global::Var { ctype, .. }) if self.is_nowhere(&name.into(), &link) => {
                    let ctype = ctype.clone();
                    self.weak_is_null(name);
                    let ptr = self.program.exprs.add(Node::Null);
                    let guard = Guard::pointer(format!("&{name}"));
                    return Ok(Place { ctype, at: At::Memory { ptr, guard } });
                }
                Some(Global::Var { home, ctype, .. }) => (*home, ctype.clone()),
                _ => {
                    return self.undeclared(name, span, format!("there is no `{name}` here"));
                }
            },
            Entity::Poisoned => return Err(Wrong::Told),
            Entity::Enumerator { .. } | Entity::Typedef(_) => {
                return self.error(codes::c::TYPE, span, format!("`{name}` is no variable"));
            }
        };
        Ok(Place { at: self.at_home(home, span), ctype })
    }

    fn at_home(&mut self, home: Home, span: Span) -> At {
        match home {
            Home::Register(var, known) => At::Register(var, known),
            Home::Object(object) => {
                let ptr = self.program.exprs.add(Node::Addr(object));
                At::Memory { ptr, guard: Guard::SAFE }
            }
            Home::At(var) => At::Memory { ptr: self.var_expr(var), guard: Guard::SAFE },
            Home::Own(object) => {
                let dst = self.temp(Ty::Ptr, false);
                self.emit(Op::Thread(ThreadOp::Own { dst, object }), span);
                At::Memory { ptr: self.var_expr(dst), guard: Guard::SAFE }
            }
        }
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
            return self.undeclared(field, span, format!("`{name}` has no field `{field}`"));
        };
        let At::Memory { ptr, guard } = base.at else {
            return self.error(codes::c::TYPE, span, "a bit-field has no fields");
        };
        let (mut offset, mut bits) = (offset, info.bits);
        if let (Some((first, width)), true) = (bits, self.has_threads && self.checks(Class::Race)) {
            // Soundness: bit-fields that follow each other are one memory location, so each access begins at the first.
            let back = info.offset - info.location;
            let first = back * 8 + u64::from(first);
            if first + u64::from(width) <= 128 {
                (offset, bits) = (offset - back, Some((first as u8, width)));
            } else {
                let what = "races between bit-fields of which more than 128 bits follow each other";
                self.unsupported(span, what);
            }
        }
        let bytes = self.size_expr(offset);
        let ptr = self.ptr_add(ptr, bytes, span);
        let ctype = info.ctype.with_qualifiers(base.ctype.is_const, base.ctype.is_volatile);
        let at = match bits {
            Some((first, width)) => At::Bits { ptr, guard, first, width },
            None => At::Memory { ptr, guard },
        };
        Ok(Place { ctype, at })
    }
}
