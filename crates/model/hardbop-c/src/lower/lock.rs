//! Calls of the functions in the table of locks.

use hardbop_base::Span;
use hardbop_cir::{BinOp, Class, Cond, ExprId, Op, Source, Ty};
use hardbop_diag::codes;

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::locks::LockAct;
use crate::syntax::ast::Expr;
use crate::types::CType;

/// What a call of `trylock` returns that finds the lock held: `EBUSY`.
const BUSY: i128 = 16;

impl Lower<'_> {
    /// The state of a lock is kept in its first four bytes: 0 is free.
    pub fn lock_call(
        &mut self,
        act: LockAct,
        name: &str,
        result: &CType,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Val> {
        let values = self.plain_args(args)?;
        let Some(first) = values.first().filter(|it| it.ctype.is_ptr()) else {
            return self.error(
                codes::c::TYPE,
                span,
                format!("`{name}` takes the address of a lock"),
            );
        };
        let ptr = self.pointer_arg(first, span)?;
        let text = self.text(args[0].span);
        let size = self.size_expr(4);
        self.guard_pointer(ptr, size, &text, true, span);
        let dst = self.temp(Ty::Int(32), false);
        self.emit(Op::Load { dst, ptr }, span);
        let state = self.var_expr(dst);
        let (zero, one) = (self.program.exprs.int(32, 0), self.program.exprs.int(32, 1));
        let is_free = self.program.exprs.binary(BinOp::Eq, state, zero);
        let mut returned = self.int_const(0, CType::INT);
        let new = match act {
            LockAct::Init => zero,
            LockAct::Acquire => {
                let message = format!("`{text}` may be held already where it is acquired");
                // Who waits for himself is a mistake about locks; where only deadlocks are asked about it is one.
                let class = if self.checks(Class::Lock) { Class::Lock } else { Class::Deadlock };
                self.check(class, Cond::Holds(is_free), message, span);
                one
            }
            LockAct::Release => {
                let is_held = self.program.exprs.not(is_free);
                let message = format!("`{text}` may not be held where it is released");
                self.check(Class::Lock, Cond::Holds(is_held), message, span);
                zero
            }
            LockAct::Try | LockAct::TryZero => {
                // Another thread may hold a lock that is free for all we know.
                let source = Source::External(name.into());
                let wins = self.nondet(Ty::BOOL, false, source, span);
                let wins = self.program.exprs.binary(BinOp::And, wins, is_free);
                let (yes, no) = if act == LockAct::Try { (1, 0) } else { (0, BUSY) };
                let value = self.choose(wins, yes, no);
                returned = Val::scalar(CType::INT, value);
                self.program.exprs.ite(wins, one, state)
            }
        };
        self.emit(Op::Store { ptr, value: new }, span);
        self.assume_said(
            "locks are used by one thread, and their first four bytes hold their state",
        );
        match result.is_void() {
            true => Ok(Val::VOID),
            false => self.convert(&returned, result, span),
        }
    }

    fn choose(&mut self, cond: ExprId, yes: i128, no: i128) -> ExprId {
        let pool = &mut self.program.exprs;
        let (yes, no) = (pool.int(32, yes as u128), pool.int(32, no as u128));
        pool.ite(cond, yes, no)
    }
}
