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

/// `__ATOMIC_CONSUME` and so on.
const CONSUME: i128 = 1;
const ACQUIRE: i128 = 2;
const RELEASE: i128 = 3;
const ACQ_REL: i128 = 4;
const SEQ_CST: i128 = 5;

/// What an atomic access orders: whether it acquires and releases, and whether it acquires where it is an exchange that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orders {
    acquires: bool,
    releases: bool,
    fails_acquiring: bool,
}

impl Orders {
    pub const FULL: Orders = Orders { acquires: true, releases: true, fails_acquiring: true };
}

/// What is not known is taken for strong.
fn acquires(order: Option<i128>) -> bool {
    order.is_none_or(|it| [CONSUME, ACQUIRE, ACQ_REL, SEQ_CST].contains(&it))
}

fn releases(order: Option<i128>) -> bool {
    order.is_none_or(|it| [RELEASE, ACQ_REL, SEQ_CST].contains(&it))
}

/// The memory that is accessed.
struct Cell {
    ptr: ExprId,
    ctype: CType,
    ty: Ty,
}

impl Lower<'_> {
    pub fn atomic(
        &mut self,
        act: Atomic,
        args: &[Expr],
        orders: Orders,
        span: Span,
    ) -> Lowered<Val> {
        let Some(cell) = self.atomic_cell(&args[0], span)? else {
            self.unsupported(span, NO_NUMBER);
            return self.dead_value(&CType::INT, span);
        };
        match act {
            Atomic::Load(Passing::Value) => {
                let value = self.read_cell(&cell, orders, span);
                Ok(Val::scalar(cell.ctype, value))
            }
            Atomic::Load(Passing::Pointer) => {
                let value = self.read_cell(&cell, orders, span);
                self.write_through(&args[1], &cell, value, span)?;
                Ok(Val::VOID)
            }
            Atomic::Store(passing) => {
                let value = self.atomic_operand(passing, &args[1], &cell, span)?;
                self.write_cell(&cell, value, orders, span);
                Ok(Val::VOID)
            }
            Atomic::Exchange(passing) => {
                let value = self.atomic_operand(passing, &args[1], &cell, span)?;
                self.begin_section(orders, span);
                let old = self.read_cell(&cell, Orders::FULL, span);
                self.write_cell(&cell, value, Orders::FULL, span);
                self.section(ThreadOp::End, span);
                match passing {
                    Passing::Value => Ok(Val::scalar(cell.ctype, old)),
                    Passing::Pointer => {
                        self.write_through(&args[2], &cell, old, span)?;
                        Ok(Val::VOID)
                    }
                }
            }
            Atomic::CompareExchange(passing) => {
                self.compare_exchange(passing, &cell, args, orders, span)
            }
            Atomic::CompareAndSwap(yields) => {
                let expected = self.atomic_operand(Passing::Value, &args[1], &cell, span)?;
                let desired = self.atomic_operand(Passing::Value, &args[2], &cell, span)?;
                self.begin_section(orders, span);
                let old = self.read_cell(&cell, Orders::FULL, span);
                let same = self.node(Node::Binary(BinOp::Eq, old, expected), span);
                let same = self.snapshot(same, span);
                self.write_cell_if(same, &cell, desired, Orders::FULL, span);
                self.section(ThreadOp::End, span);
                Ok(match yields {
                    Yields::Old => Val::scalar(cell.ctype, old),
                    Yields::New => self.bool_of(same),
                })
            }
            Atomic::Modify(combine, yields) => {
                let operand = self.atomic_operand(Passing::Value, &args[1], &cell, span)?;
                self.begin_section(orders, span);
                let old = self.read_cell(&cell, Orders::FULL, span);
                let new = self.combined(combine, old, operand, span);
                let new = self.snapshot(new, span);
                self.write_cell(&cell, new, Orders::FULL, span);
                self.section(ThreadOp::End, span);
                let value = if yields == Yields::Old { old } else { new };
                Ok(Val::scalar(cell.ctype, value))
            }
            Atomic::Release => {
                let zero = self.int_or_null(&cell);
                self.write_cell(&cell, zero, orders, span);
                Ok(Val::VOID)
            }
        }
    }

    /// A flag is a byte, whatever type it is wrapped in.
    pub fn atomic_flag(
        &mut self,
        sets: bool,
        arg: &Expr,
        orders: Orders,
        span: Span,
    ) -> Lowered<Val> {
        let value = self.rvalue(arg)?;
        let flag = self.guarded(&value, CType::BOOL, Ty::Int(8), arg, span)?;
        let new = self.program.exprs.int(8, u128::from(sets));
        if !sets {
            self.write_cell(&flag, new, orders, span);
            return Ok(Val::VOID);
        }
        self.begin_section(orders, span);
        let old = self.read_cell(&flag, Orders::FULL, span);
        self.write_cell(&flag, new, Orders::FULL, span);
        self.section(ThreadOp::End, span);
        let zero = self.program.exprs.int(8, 0);
        let was_set = self.node(Node::Binary(BinOp::Ne, old, zero), span);
        Ok(self.bool_of(was_set))
    }

    /// An exchange that fails has read, and not written.
    fn write_cell_if(
        &mut self,
        done: ExprId,
        cell: &Cell,
        desired: ExprId,
        orders: Orders,
        span: Span,
    ) {
        let (yes, after) = (self.new_block(), self.new_block());
        self.branch(done, yes, after, span);
        self.begin(yes);
        if orders.acquires != orders.fails_acquiring {
            self.orders(orders, span);
        }
        self.write_cell(cell, desired, Orders::FULL, span);
        self.goto(after, span);
    }

    /// A weak exchange may fail although the values are the same.
    fn compare_exchange(
        &mut self,
        passing: Passing,
        cell: &Cell,
        args: &[Expr],
        orders: Orders,
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
        // Until it is known whether it fails it does what it does then.
        self.begin_section(Orders { acquires: orders.fails_acquiring, ..orders }, span);
        let old = self.read_cell(cell, Orders::FULL, span);
        let same = self.node(Node::Binary(BinOp::Eq, old, wanted), span);
        let never = self.program.exprs.int(1, 0);
        let done = self.node(Node::Ite(fails, never, same), span);
        let done = self.snapshot(done, span);
        self.write_cell_if(done, cell, desired, orders, span);
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

    /// Atomic steps that order this.
    fn begin_section(&mut self, orders: Orders, span: Span) {
        self.section(ThreadOp::Begin, span);
        if (orders.acquires, orders.releases) != (true, true) {
            self.orders(orders, span);
        }
    }

    fn orders(&mut self, Orders { acquires, releases, .. }: Orders, span: Span) {
        self.section(ThreadOp::Orders { acquires, releases }, span);
    }

    fn read_plainly(&mut self, cell: &Cell, span: Span) -> ExprId {
        let dst = self.temp(cell.ty, cell.ctype.is_signed());
        self.emit(Op::Load { dst, ptr: cell.ptr }, span);
        self.var_expr(dst)
    }

    fn read_cell(&mut self, cell: &Cell, orders: Orders, span: Span) -> ExprId {
        self.begin_section(orders, span);
        let value = self.read_plainly(cell, span);
        self.section(ThreadOp::End, span);
        value
    }

    fn write_cell(&mut self, cell: &Cell, value: ExprId, orders: Orders, span: Span) {
        self.begin_section(orders, span);
        self.emit(Op::Store { ptr: cell.ptr, value }, span);
        self.section(ThreadOp::End, span);
    }

    /// What the memory order of an atomic access gives. Less than sequential consistency is read as that where it is about values,
    /// which is told.
    pub fn orders_of(
        &mut self,
        builtin: Builtin,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Orders> {
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
        let mut it = Orders::FULL;
        if let Some(&first) = orders.first() {
            it.acquires = acquires(first);
            it.releases = releases(first);
        }
        match builtin {
            Builtin::Atomic(Atomic::Load(_)) => it.releases = true,
            Builtin::Atomic(Atomic::Store(_) | Atomic::Release) | Builtin::AtomicFlag(false) => {
                it.acquires = true;
            }
            _ => {}
        }
        it.fails_acquiring = orders.get(1).map_or(it.acquires, |&other| acquires(other));
        // What is not known is taken for strong; so is what may only be stronger where it fails.
        let is_known = orders.iter().all(|it| it.is_some_and(|it| it != CONSUME));
        if !is_known || (it.fails_acquiring && !it.acquires) {
            self.section(ThreadOp::Unordered, span);
            it.acquires = true;
        }
        Ok(it)
    }

    pub fn fence(&mut self, args: &[Expr], span: Span) -> Lowered<()> {
        let order = match args.first() {
            Some(arg) => self.try_const_int(arg)?,
            None => Some(SEQ_CST),
        };
        self.plain_args(args)?;
        if order.is_none_or(|it| it == CONSUME) {
            self.section(ThreadOp::Unordered, span);
        }
        let (acquires, releases) = (acquires(order), releases(order));
        self.section(ThreadOp::Fence { acquires, releases }, span);
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
