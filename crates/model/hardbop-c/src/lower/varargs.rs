//! Variable arguments: they lie in an object of the caller's, one slot each, and a `va_list` is a pointer into it.
//! Beside each value stands what type it was passed with: `va_arg` with another one has no meaning (7.16.1.1).

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, ExprId, Op, Shape, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::{Val, ValKind};
use super::state::Lower;
use crate::builtins::Builtin;
use crate::syntax::ast::{Expr, TypeName};
use crate::types::{CType, TypeKind};

/// Bytes of a slot.
const SLOT: u64 = 32;
/// Where its type stands.
const TAG: u64 = 16;
/// No argument is so narrow: where a slot is not known, a number as wide as a pointer might be taken for one.
const TAG_BITS: u8 = 16;

/// A type as far as an argument shows it: types of the same kind and size are taken one for the other, as signed and unsigned
/// ones may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Int(u64),
    Float(u64),
    Pointer,
    Record(u64),
}

impl Tag {
    fn code(self) -> u128 {
        let (kind, size) = match self {
            Tag::Int(size) => (0, size),
            Tag::Float(size) => (1, size),
            Tag::Pointer => (2, 0),
            Tag::Record(size) => (3, size),
        };
        // Large records are one size.
        u128::from(kind | size.min(0xfff) << 4)
    }
}

impl Lower<'_> {
    /// An object with a slot for each of them: its value, or the address of a copy of a record, and its type.
    pub fn varargs(
        &mut self,
        values: &[Val],
        copies: &mut Vec<ExprId>,
        span: Span,
    ) -> Lowered<ExprId> {
        let size = SLOT * values.len() as u64;
        let base = self.fresh_object("(arguments)", size, Shape::Bytes, span);
        copies.push(base);
        for (at, value) in values.iter().enumerate() {
            let tag = self.tag(&value.ctype, span)?;
            let value = self.argument(value, copies, span)?;
            let at = SLOT * at as u64;
            let offset = self.size_expr(at);
            let ptr = self.ptr_add(base, offset, span);
            self.emit(Op::Store { ptr, value }, span);
            let offset = self.size_expr(at + TAG);
            let ptr = self.ptr_add(base, offset, span);
            let value = self.tag_expr(tag);
            self.emit(Op::Store { ptr, value }, span);
        }
        Ok(base)
    }

    /// `va_start`, `va_end`, `va_copy`.
    pub fn va_call(&mut self, act: Builtin, args: &[Expr], span: Span) -> Lowered<Val> {
        let Some(list) = args.first() else {
            return self.error(codes::c::TYPE, span, "an argument is missing");
        };
        let list = self.rvalue(list)?;
        let ptr = self.scalar(&list, span)?;
        match act {
            Builtin::VaStart => match self.func.varargs {
                Some(varargs) => {
                    let value = self.var_expr(varargs);
                    self.emit(Op::Store { ptr, value }, span);
                }
                None => {
                    return self.error(
                        codes::c::TYPE,
                        span,
                        "this function has no variable arguments",
                    );
                }
            },
            Builtin::VaCopy => {
                let Some(from) = args.get(1) else {
                    return self.error(codes::c::TYPE, span, "an argument is missing");
                };
                let from = self.rvalue(from)?;
                let src = self.scalar(&from, span)?;
                let size = self.size_expr(u64::from(self.options.model.ptr_bits()) / 8);
                self.emit(Op::Copy { dst: ptr, src, size }, span);
            }
            _ => {}
        }
        Ok(Val::VOID)
    }

    pub fn va_arg(&mut self, list: &Expr, name: &TypeName, span: Span) -> Lowered<Val> {
        let ctype = self.type_name(name)?;
        let list = self.rvalue(list)?;
        let list = self.scalar(&list, span)?;
        let next = self.temp(Ty::Ptr, false);
        self.emit(Op::Load { dst: next, ptr: list }, span);
        let at = self.var_expr(next);
        let slot = self.size_expr(SLOT);
        let value = self.ptr_add(at, slot, span);
        self.emit(Op::Store { ptr: list, value }, span);
        let text = self.text(span);
        if let TypeKind::Record(_) = ctype.kind {
            let size = self.size_expr(u64::from(self.options.model.ptr_bits()) / 8);
            self.guard_pointer(at, size, &text, false, span);
            self.check_tag(at, &ctype, span)?;
            let copy = self.temp(Ty::Ptr, false);
            self.emit(Op::Load { dst: copy, ptr: at }, span);
            return Ok(Val { ctype, kind: ValKind::Record(self.var_expr(copy)) });
        }
        let Some(ty) = self.types.ty(&ctype) else {
            // An array is passed as a pointer: what is read here has not been passed.
            if let TypeKind::Array(..) = ctype.kind {
                self.unsupported(span, "an argument of array type");
                return self.dead_value(&ctype.decayed(), span);
            }
            return self.error(codes::c::TYPE, span, "this is no type of an argument");
        };
        let size = self.size_of(&ctype, span)?;
        let size = self.size_expr(size);
        self.guard_pointer(at, size, &text, false, span);
        self.check_tag(at, &ctype, span)?;
        let dst = self.temp(ty, ctype.is_signed());
        self.emit(Op::Load { dst, ptr: at }, span);
        Ok(Val::scalar(ctype, self.var_expr(dst)))
    }

    fn tag(&self, ctype: &CType, span: Span) -> Lowered<Tag> {
        let size = self.size_of(ctype, span)?;
        Ok(match self.types.ty(ctype) {
            Some(Ty::Ptr) => Tag::Pointer,
            Some(Ty::Float(_)) => Tag::Float(size),
            Some(_) => Tag::Int(size),
            None => Tag::Record(size),
        })
    }

    fn tag_expr(&mut self, tag: Tag) -> ExprId {
        self.program.exprs.int(TAG_BITS, tag.code())
    }

    /// A pointer and a number as wide as one are taken one for the other, too.
    fn check_tag(&mut self, slot: ExprId, ctype: &CType, span: Span) -> Lowered<()> {
        let wanted = self.tag(ctype, span)?;
        let number = Tag::Int(u64::from(self.options.model.ptr_bits()) / 8);
        let offset = self.size_expr(TAG);
        let ptr = self.ptr_add(slot, offset, span);
        let dst = self.temp(Ty::Int(TAG_BITS), false);
        self.emit(Op::Load { dst, ptr }, span);
        let passed = self.var_expr(dst);
        let code = self.tag_expr(wanted);
        let mut fits = self.program.exprs.binary(BinOp::Eq, passed, code);
        let other = match wanted {
            Tag::Pointer => Some(number),
            it if it == number => Some(Tag::Pointer),
            _ => None,
        };
        if let Some(other) = other {
            let code = self.tag_expr(other);
            let is_other = self.program.exprs.binary(BinOp::Eq, passed, code);
            fits = self.program.exprs.binary(BinOp::Or, fits, is_other);
        }
        let name = self.types.describe(ctype);
        let message = format!("the argument may have been passed with another type than `{name}`");
        self.check(Class::Library, Cond::Holds(fits), message, span);
        Ok(())
    }
}
