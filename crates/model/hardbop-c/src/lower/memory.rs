//! Allocation, bulk copies, locks.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, Expr as Node, ExprId, ObjKind, Op, Shape, Source, Ty};

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::syntax::ast::Expr;
use crate::types::{CType, TypeKind};

impl Lower<'_> {
    fn size_arg(&mut self, value: &Val, span: Span) -> Lowered<ExprId> {
        let ctype = self.types.size_type();
        let value = self.convert(value, &ctype, span)?;
        self.scalar(&value, span)
    }

    pub fn pointer_arg(&mut self, value: &Val, span: Span) -> Lowered<ExprId> {
        let value = self.convert(value, &CType::VOID.ptr_to(), span)?;
        self.scalar(&value, span)
    }

    /// A fresh heap object.
    fn allocate(&mut self, size: ExprId, is_zero: bool, span: Span) -> Val {
        self.allocate_at(None, size, is_zero, span)
    }

    /// The same at a multiple of a power of two.
    pub fn allocate_aligned(&mut self, align: u64, size: &Expr, span: Span) -> Lowered<Val> {
        let size = self.rvalue(size)?;
        let size = self.size_arg(&size, span)?;
        Ok(self.allocate_at(Some(align), size, false, span))
    }

    fn allocate_at(&mut self, align: Option<u64>, size: ExprId, is_zero: bool, span: Span) -> Val {
        let line = self.sources.position(span).line;
        let name = format!("heap:{line}").into();
        let kind = ObjKind::Heap(self.func.id);
        let object = self.new_object(name, kind, None, Shape::Bytes, Some(span));
        if let Some(align) = align {
            self.program.objects[object].align = align;
        }
        let dst = self.temp(Ty::Ptr, false);
        let n_bytes = self.program.exprs.as_int(size).and_then(|it| u64::try_from(it).ok());
        self.func.allocated = Some((dst, object, n_bytes));
        self.emit(Op::Alloc { dst, object, size }, span);
        let ptr = self.var_expr(dst);
        if is_zero {
            let byte = self.program.exprs.int(8, 0);
            self.emit(Op::Fill { dst: ptr, byte, size }, span);
        }
        if self.options.malloc_may_fail {
            let ok = self.nondet(Ty::BOOL, false, Source::Input("malloc".into()), span);
            let null = self.program.exprs.add(Node::Null);
            let (value, unused) =
                (self.program.exprs.ite(ok, ptr, null), self.program.exprs.ite(ok, null, ptr));
            self.emit(Op::Free { ptr: unused }, span);
            self.emit(Op::Set { dst, value }, span);
        } else {
            self.assume_said("memory allocation succeeds");
        }
        Val::scalar(CType::VOID.ptr_to(), ptr)
    }

    /// The type that a fresh heap object is first converted to says how people read it.
    pub fn note_shape(&mut self, pointer: ExprId, to: &CType) {
        let (Node::Var(var), TypeKind::Ptr(of)) = (self.program.exprs.get(pointer), &to.kind)
        else {
            return;
        };
        let Some((_, object, n_bytes)) = self.func.allocated.filter(|it| it.0 == var) else {
            return;
        };
        if of.is_void() {
            return;
        }
        if let Some(stride @ 1..) = self.types.size(of) {
            let element = self.types.shape(of);
            let shape = match n_bytes == Some(stride) {
                true => element,
                false => Shape::Array { element: Box::new(element), stride, len: u64::MAX },
            };
            self.heap_shapes.entry(object).or_insert(shape);
        }
    }

    pub fn malloc(&mut self, _: &str, args: &[Expr], is_zero: bool, span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let size = self.size_arg(&values[0], span)?;
        Ok(self.allocate(size, is_zero, span))
    }

    pub fn calloc(&mut self, args: &[Expr], span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let (n, each) = (self.size_arg(&values[0], span)?, self.size_arg(&values[1], span)?);
        let size = self.node(Node::Binary(BinOp::Mul, n, each), span);
        let fits = self.product_fits(n, each, size, span);
        if self.program.exprs.as_int(fits) == Some(1) {
            return Ok(self.allocate(size, true, span));
        }
        // A product that does not fit is memory there is none of.
        let (made, none, after) = (self.new_block(), self.new_block(), self.new_block());
        let dst = self.temp(Ty::Ptr, false);
        let size = self.snapshot(size, span);
        self.branch(fits, made, none, span);
        self.begin(none);
        let null = self.program.exprs.add(Node::Null);
        self.emit(Op::Set { dst, value: null }, span);
        self.goto(after, span);
        self.begin(made);
        let fresh = self.allocate(size, true, span);
        let value = self.scalar(&fresh, span)?;
        self.emit(Op::Set { dst, value }, span);
        self.goto(after, span);
        Ok(Val::scalar(CType::VOID.ptr_to(), self.var_expr(dst)))
    }

    /// Whether a product of sizes is that of the numbers.
    fn product_fits(&mut self, a: ExprId, b: ExprId, product: ExprId, span: Span) -> ExprId {
        let constant = |it: ExprId| self.program.exprs.as_int(it);
        if let Some((known, other)) = match (constant(a), constant(b)) {
            (Some(known), _) => Some((known, b)),
            (_, Some(known)) => Some((known, a)),
            _ => None,
        } {
            let all = hardbop_cir::eval::mask(self.options.model.ptr_bits());
            let most = self.size_expr(all.checked_div(known).unwrap_or(all) as u64);
            return self.node(Node::Binary(BinOp::Ule, other, most), span);
        }
        let wide = |lower: &mut Self, it| lower.program.exprs.resize(it, 128, false);
        let (wide_a, wide_b) = (wide(self, a), wide(self, b));
        let exact = self.node(Node::Binary(BinOp::Mul, wide_a, wide_b), span);
        let rounded = wide(self, product);
        self.node(Node::Binary(BinOp::Eq, exact, rounded), span)
    }

    pub fn alloca(&mut self, args: &[Expr], span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let size = self.size_arg(&values[0], span)?;
        let ptr = self.stack_memory(size, span);
        Ok(Val::scalar(CType::VOID.ptr_to(), ptr))
    }

    pub fn free(&mut self, args: &[Expr], span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let ptr = self.pointer_arg(&values[0], span)?;
        let text = self.text(args[0].span);
        let message = format!("`{text}` may not be allocated memory, or be freed already");
        self.check(Class::Free, Cond::Freeable(ptr), message, span);
        self.emit(Op::Free { ptr }, span);
        Ok(Val::VOID)
    }

    /// `memmove`, or `memcpy`, which is not for memory that overlaps. To copy something to itself is
    /// taken as done by compilers: it does nothing.
    pub fn memcpy(&mut self, args: &[Expr], is_apart: bool, span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let (dst, src) = (self.pointer_arg(&values[0], span)?, self.pointer_arg(&values[1], span)?);
        let size = self.size_arg(&values[2], span)?;
        let (to, from) = (self.text(args[0].span), self.text(args[1].span));
        self.bulk_guard(dst, size, &to, true, span);
        self.bulk_guard(src, size, &from, false, span);
        self.keep_bulk_inside(args, 0, dst, size, span);
        self.keep_bulk_inside(args, 1, src, size, span);
        if is_apart {
            let zero = self.size_expr(0);
            let same = self.program.exprs.binary(BinOp::Eq, dst, src);
            let size = self.program.exprs.ite(same, zero, size);
            let message = format!("`{to}` and `{from}` may overlap");
            self.check(Class::Library, Cond::Apart { a: dst, b: src, size }, message, span);
        }
        self.emit(Op::Copy { dst, src, size }, span);
        Ok(Val::scalar(CType::VOID.ptr_to(), dst))
    }

    pub fn memset(&mut self, args: &[Expr], span: Span) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let dst = self.pointer_arg(&values[0], span)?;
        let byte = self.convert(&values[1], &CType::int(8, false, 1), span)?;
        let byte = self.scalar(&byte, span)?;
        let size = self.size_arg(&values[2], span)?;
        let to = self.text(args[0].span);
        self.bulk_guard(dst, size, &to, true, span);
        self.keep_bulk_inside(args, 0, dst, size, span);
        self.emit(Op::Fill { dst, byte, size }, span);
        Ok(Val::scalar(CType::VOID.ptr_to(), dst))
    }

    /// Nothing is accessed if the size is 0, though C asks for valid pointers even then: checked
    /// so.
    fn bulk_guard(&mut self, ptr: ExprId, size: ExprId, text: &str, is_write: bool, span: Span) {
        self.guard_pointer(ptr, size, text, is_write, span);
    }
}
