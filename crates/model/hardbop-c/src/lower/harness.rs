//! Objects for the pointers that an entry other than `main` gets (`--entry-depth`): each pointer leads to an
//! object of its own, whose pointers lead on or are null.

use hardbop_base::Span;
use hardbop_cir::{Expr as Node, ExprId, Op, Shape, Source, Ty};

use super::Lowered;
use super::state::Lower;
use crate::types::{CType, Len, TypeKind};

/// Bytes of a text; the last one is 0.
const TEXT_BYTES: u64 = 8;
/// Elements of an array inside of an object that are chosen one by one.
const MAX_ELEMENTS: u64 = 16;

impl Lower<'_> {
    /// An argument that is a pointer: never null.
    pub fn entry_objects(
        &mut self,
        entry: &str,
        name: &str,
        param: &CType,
        span: Span,
    ) -> Lowered<ExprId> {
        let depth = self.options.entry_depth;
        self.assume_said(format!(
            "`{entry}` is called with pointers to different objects, each of one element or a text of up to \
             {} bytes, and from there {} further; beyond they are null",
            TEXT_BYTES - 1,
            depth - 1
        ));
        match param.pointee().cloned() {
            Some(to) => self.some_object(name, &to, depth, span),
            None => Ok(self.program.exprs.add(Node::Null)),
        }
    }

    fn some_object(&mut self, name: &str, to: &CType, depth: u32, span: Span) -> Lowered<ExprId> {
        let size = self.types.size(to).filter(|&it| it > 0 && !to.is_void());
        let (Some(size), true) = (size, depth > 0 && to.func().is_none()) else {
            return Ok(self.program.exprs.add(Node::Null));
        };
        let shown = format!("*({name})");
        if size == 1 && to.is_integer() {
            let element = Box::new(self.types.shape(to));
            let shape = Shape::Array { element, stride: 1, len: TEXT_BYTES };
            let text = self.fresh_object(&shown, TEXT_BYTES, shape, span);
            for at in 0..TEXT_BYTES - 1 {
                self.any_value(text, at, &format!("{shown}[{at}]"), to, depth, span)?;
            }
            let (at, value) = (self.size_expr(TEXT_BYTES - 1), self.program.exprs.int(8, 0));
            let ptr = self.ptr_add(text, at, span);
            self.emit(Op::Store { ptr, value }, span);
            return Ok(text);
        }
        let shape = self.types.shape(to);
        let object = self.fresh_object(&shown, size, shape, span);
        // What is not chosen below, such as bit-fields and what lies between members.
        self.emit(Op::Havoc { ptr: object }, span);
        self.any_value(object, 0, &shown, to, depth, span)?;
        Ok(object)
    }

    /// Any value of a type at an offset of an object.
    fn any_value(
        &mut self,
        object: ExprId,
        at: u64,
        name: &str,
        ctype: &CType,
        depth: u32,
        span: Span,
    ) -> Lowered<()> {
        match &ctype.kind {
            TypeKind::Record(id) => {
                let fields = self.types.records[*id].fields.clone().unwrap_or_default();
                for field in fields.iter().filter(|it| it.bits.is_none()) {
                    let inner = match &field.name {
                        Some(field) => format!("{name}.{field}"),
                        None => name.to_string(),
                    };
                    self.any_value(object, at + field.offset, &inner, &field.ctype, depth, span)?;
                }
                Ok(())
            }
            TypeKind::Array(of, Len::Fixed(n)) => {
                let stride = self.types.size(of).unwrap_or(0);
                for i in 0..(*n).min(MAX_ELEMENTS) {
                    let inner = format!("{name}[{i}]");
                    self.any_value(object, at + i * stride, &inner, of, depth, span)?;
                }
                Ok(())
            }
            TypeKind::Ptr(to) => {
                let inner = self.some_object(name, to, depth - 1, span)?;
                let source = Source::Input(format!("{name} is null").into());
                let is_null = self.nondet(Ty::BOOL, false, source, span);
                let null = self.program.exprs.add(Node::Null);
                let value = self.program.exprs.ite(is_null, null, inner);
                self.store_at(object, at, value, span);
                Ok(())
            }
            _ => {
                let Some(ty) = self.types.ty(ctype) else { return Ok(()) };
                let source = Source::Input(name.into());
                let value = self.nondet(ty, ctype.is_signed(), source, span);
                self.bool_range(ctype, value, span);
                self.store_at(object, at, value, span);
                Ok(())
            }
        }
    }

    fn store_at(&mut self, object: ExprId, at: u64, value: ExprId, span: Span) {
        let at = self.size_expr(at);
        let ptr = self.ptr_add(object, at, span);
        self.emit(Op::Store { ptr, value }, span);
    }
}
