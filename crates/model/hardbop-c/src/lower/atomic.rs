//! The compiler's `__atomic_…` and `__sync_…`: with one thread each is an ordinary access; where there are
//! more, no other one moves between its read and its write. The operands are ordinary accesses.

use hardbop_base::Span;
use hardbop_cir::{Assumption, BinOp, Expr as Node, ExprId, Op, Source, ThreadOp, Ty, UnOp};

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::builtins::{Atomic, Builtin, Combine, Passing, Yields};
use crate::syntax::ast::Expr;
use crate::types::CType;

const NO_NUMBER: &str = "an atomic access to what is no number and no pointer";

/// `__ATOMIC_ACQUIRE` and so on.
const ACQUIRE: i128 = 2;
const RELEASE: i128 = 3;
const ACQ_REL: i128 = 4;
const SEQ_CST: i128 = 5;

/// The memory that is accessed.
struct Cell {
    ptr: ExprId,
    ctype: CType,
    ty: Ty,
}

impl Lower<'_> {
    pub fn atomic(&mut self, act: Atomic, args: &[Expr], span: Span) -> Lowered<Val> {
        let Some(cell) = self.atomic_cell(&args[0], span)? else {
            self.unsupported(span, NO_NUMBER);
            return self.dead_value(&CType::INT, span);
        };
        match act {
            Atomic::Load(Passing::Value) => {
                let value = self.read_cell(&cell, span);
                Ok(Val::scalar(cell.ctype, value))
            }
            Atomic::Load(Passing::Pointer) => {
                let value = self.read_cell(&cell, span);
                self.write_through(&args[1], &cell, value, span)?;
                Ok(Val::VOID)
            }
            Atomic::Store(passing) => {
                let value = self.atomic_operand(passing, &args[1], &cell, span)?;
                self.write_cell(&cell, value, span);
                Ok(Val::VOID)
            }
            Atomic::Exchange(passing) => {
                let value = self.atomic_operand(passing, &args[1], &cell, span)?;
                self.section(ThreadOp::Begin, span);
                let old = self.read_cell(&cell, span);
                self.write_cell(&cell, value, span);
                self.section(ThreadOp::End, span);
                match passing {
                    Passing::Value => Ok(Val::scalar(cell.ctype, old)),
                    Passing::Pointer => {
                        self.write_through(&args[2], &cell, old, span)?;
                        Ok(Val::VOID)
                    }
                }
            }
            Atomic::CompareExchange(passing) => self.compare_exchange(passing, &cell, args, span),
            Atomic::CompareAndSwap(yields) => {
                let expected = self.atomic_operand(Passing::Value, &args[1], &cell, span)?;
                let desired = self.atomic_operand(Passing::Value, &args[2], &cell, span)?;
                self.section(ThreadOp::Begin, span);
                let old = self.read_cell(&cell, span);
                let same = self.node(Node::Binary(BinOp::Eq, old, expected), span);
                let same = self.snapshot(same, span);
                self.write_cell_if(same, &cell, desired, span);
                self.section(ThreadOp::End, span);
                Ok(match yields {
                    Yields::Old => Val::scalar(cell.ctype, old),
                    Yields::New => self.bool_of(same),
                })
            }
            Atomic::Modify(combine, yields) => {
                let operand = self.atomic_operand(Passing::Value, &args[1], &cell, span)?;
                self.section(ThreadOp::Begin, span);
                let old = self.read_cell(&cell, span);
                let new = self.combined(combine, old, operand, span);
                let new = self.snapshot(new, span);
                self.write_cell(&cell, new, span);
                self.section(ThreadOp::End, span);
                let value = if yields == Yields::Old { old } else { new };
                Ok(Val::scalar(cell.ctype, value))
            }
            Atomic::Release => {
                let zero = self.int_or_null(&cell);
                self.write_cell(&cell, zero, span);
                Ok(Val::VOID)
            }
        }
    }

    /// A flag is a byte, whatever type it is wrapped in.
    pub fn atomic_flag(&mut self, sets: bool, arg: &Expr, span: Span) -> Lowered<Val> {
        let value = self.rvalue(arg)?;
        let flag = self.guarded(&value, CType::BOOL, Ty::Int(8), arg, span)?;
        self.section(ThreadOp::Begin, span);
        let old = self.read_cell(&flag, span);
        let new = self.program.exprs.int(8, u128::from(sets));
        self.write_cell(&flag, new, span);
        self.section(ThreadOp::End, span);
        let zero = self.program.exprs.int(8, 0);
        let was_set = self.node(Node::Binary(BinOp::Ne, old, zero), span);
        Ok(if sets { self.bool_of(was_set) } else { Val::VOID })
    }

    /// An exchange that fails has read, and not written.
    fn write_cell_if(&mut self, done: ExprId, cell: &Cell, desired: ExprId, span: Span) {
        let (yes, after) = (self.new_block(), self.new_block());
        self.branch(done, yes, after, span);
        self.begin(yes);
        self.write_cell(cell, desired, span);
        self.goto(after, span);
    }

    /// A weak exchange may fail although the values are the same.
    fn compare_exchange(
        &mut self,
        passing: Passing,
        cell: &Cell,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let Some(expected) = self.atomic_cell(&args[1], span)? else {
            self.unsupported(span, NO_NUMBER);
            return self.dead_value(&CType::BOOL, span);
        };
        let desired = self.atomic_operand(passing, &args[2], cell, span)?;
        let weak = self.rvalue(&args[3])?;
        let weak = self.truth(&weak, span)?;
        let fails = self.nondet(Ty::BOOL, false, Source::System("a weak exchange".into()), span);
        let fails = self.node(Node::Binary(BinOp::And, weak, fails), span);
        let wanted = self.read_plainly(&expected, span);
        self.section(ThreadOp::Begin, span);
        let old = self.read_cell(cell, span);
        let same = self.node(Node::Binary(BinOp::Eq, old, wanted), span);
        let never = self.program.exprs.int(1, 0);
        let done = self.node(Node::Ite(fails, never, same), span);
        let done = self.snapshot(done, span);
        self.write_cell_if(done, cell, desired, span);
        self.section(ThreadOp::End, span);
        let seen = self.node(Node::Ite(done, wanted, old), span);
        self.emit(Op::Store { ptr: expected.ptr, value: seen }, span);
        Ok(self.bool_of(done))
    }

    /// What an argument points to, if it is a number or a pointer; checked.
    fn atomic_cell(&mut self, arg: &Expr, span: Span) -> Lowered<Option<Cell>> {
        let value = self.rvalue(arg)?;
        let Some(ctype) = value.ctype.pointee().map(|it| it.unqualified()) else { return Ok(None) };
        match self.types.ty(&ctype) {
            Some(ty @ (Ty::Int(_) | Ty::Ptr)) => {
                self.guarded(&value, ctype, ty, arg, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn guarded(
        &mut self,
        pointer: &Val,
        ctype: CType,
        ty: Ty,
        arg: &Expr,
        span: Span,
    ) -> Lowered<Cell> {
        let ptr = self.scalar(pointer, span)?;
        let ptr = self.snapshot(ptr, span);
        let bits = if let Ty::Int(bits) = ty { bits } else { self.options.model.ptr_bits() };
        let (text, size) = (self.text(arg.span), self.size_expr(u64::from(bits / 8)));
        self.guard_pointer(ptr, size, &text, true, span);
        Ok(Cell { ptr, ctype, ty })
    }

    fn section(&mut self, op: ThreadOp, span: Span) {
        if self.has_threads {
            self.emit(Op::Thread(op), span);
        }
    }

    fn read_plainly(&mut self, cell: &Cell, span: Span) -> ExprId {
        let dst = self.temp(cell.ty, cell.ctype.is_signed());
        self.emit(Op::Load { dst, ptr: cell.ptr }, span);
        self.var_expr(dst)
    }

    fn read_cell(&mut self, cell: &Cell, span: Span) -> ExprId {
        self.section(ThreadOp::Begin, span);
        let value = self.read_plainly(cell, span);
        self.section(ThreadOp::End, span);
        value
    }

    fn write_cell(&mut self, cell: &Cell, value: ExprId, span: Span) {
        self.section(ThreadOp::Begin, span);
        self.emit(Op::Store { ptr: cell.ptr, value }, span);
        self.section(ThreadOp::End, span);
    }

    /// What the memory order of an atomic access does not give: less than sequential consistency is read as
    /// that, which is told, and less than acquire and release orders nothing.
    pub fn note_order(
        &mut self,
        builtin: Builtin,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Lowered<()> {
        let given: &[Expr] = match builtin {
            _ if !name.starts_with("__atomic_") => &[],
            Builtin::Atomic(Atomic::CompareExchange(_)) => &args[4..6],
            _ => &args[args.len() - 1..],
        };
        let mut orders = Vec::new();
        for it in given {
            orders.push(self.try_const_int(it)?);
        }
        match name {
            "__sync_lock_test_and_set" => orders.push(Some(ACQUIRE)),
            "__sync_lock_release" => orders.push(Some(RELEASE)),
            _ => {}
        }
        if orders.iter().any(|it| *it != Some(SEQ_CST)) {
            self.assume_said(Assumption::SequentialConsistency);
        }
        let enough: &[i128] = match builtin {
            Builtin::Atomic(Atomic::Load(_)) => &[ACQUIRE, SEQ_CST],
            Builtin::Atomic(Atomic::Store(_) | Atomic::Release) | Builtin::AtomicFlag(false) => {
                &[RELEASE, SEQ_CST]
            }
            _ => &[ACQ_REL, SEQ_CST],
        };
        // Of a compare and exchange the second order is that of a mere load.
        let is_enough = |(at, it): (usize, &Option<i128>)| match it {
            Some(ACQUIRE) if at == 1 => true,
            Some(order) => enough.contains(order),
            None => false,
        };
        if !orders.iter().enumerate().all(is_enough) {
            self.emit(Op::Thread(ThreadOp::Unordered), span);
        }
        Ok(())
    }

    fn write_through(&mut self, to: &Expr, like: &Cell, value: ExprId, span: Span) -> Lowered<()> {
        match self.atomic_cell(to, span)? {
            Some(cell) if cell.ty == like.ty => {
                self.emit(Op::Store { ptr: cell.ptr, value }, span);
            }
            _ => self.unsupported(span, NO_NUMBER),
        }
        Ok(())
    }

    fn atomic_operand(
        &mut self,
        passing: Passing,
        arg: &Expr,
        cell: &Cell,
        span: Span,
    ) -> Lowered<ExprId> {
        if passing == Passing::Pointer {
            return match self.atomic_cell(arg, span)? {
                Some(from) if from.ty == cell.ty => Ok(self.read_plainly(&from, span)),
                _ => {
                    self.unsupported(span, NO_NUMBER);
                    Ok(self.int_or_null(cell))
                }
            };
        }
        let value = self.rvalue(arg)?;
        let value = self.convert(&value, &cell.ctype, span)?;
        let value = self.scalar(&value, span)?;
        Ok(self.snapshot(value, span))
    }

    /// Numbers wrap, signed ones too; a pointer moves by bytes.
    fn combined(&mut self, combine: Combine, old: ExprId, by: ExprId, span: Span) -> ExprId {
        if self.program.exprs.ty(old) == Ty::Ptr {
            self.unsupported(span, "atomic arithmetic on a pointer");
            return old;
        }
        let op = match combine {
            Combine::Add => BinOp::Add,
            Combine::Sub => BinOp::Sub,
            Combine::And | Combine::Nand => BinOp::And,
            Combine::Or => BinOp::Or,
            Combine::Xor => BinOp::Xor,
        };
        let value = self.node(Node::Binary(op, old, by), span);
        match combine {
            Combine::Nand => self.node(Node::Unary(UnOp::Not, value), span),
            _ => value,
        }
    }

    fn int_or_null(&mut self, cell: &Cell) -> ExprId {
        match cell.ty {
            Ty::Int(bits) => self.program.exprs.int(bits, 0),
            _ => self.program.exprs.add(Node::Null),
        }
    }

    pub fn bool_of(&mut self, truth: ExprId) -> Val {
        Val::scalar(CType::BOOL, self.program.exprs.resize(truth, 8, false))
    }
}
