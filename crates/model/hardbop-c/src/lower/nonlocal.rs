//! `setjmp` and `longjmp` (C11 7.13).
//!
//! A call of a function that comes to `setjmp` is a frame with a number of its own, and each `setjmp` written in it a point
//! with a number; both are what `setjmp` leaves in the buffer, so that copies of it are as good. `longjmp` puts them into
//! registers, and functions return one by one: after every call it is asked whether something is on the way, and whose
//! frame it is for. There it goes on behind the `setjmp`, with the objects alive that are alive there. What is for a frame
//! that has ended comes out of the entry, and the path ends as unsupported.
//!
//! Variables of the frame keep what they have got between the two (C leaves that open unless they are `volatile`),
//! which the report lists. A program that starts threads, or calls `setjmp` and leaves `longjmp` to others, is not
//! followed.

use hardbop_base::{Name, Span};
use hardbop_cir::{
    BinOp, Block, BlockId, Expr as Node, ExprId, Inst, Op, Stop, Term, Ty, VarId, VarKind,
};

use super::Lowered;
use super::jump::Jump;
use super::place::Val;
use super::state::Lower;
use crate::builtins::{Builtin, TABLE};
use crate::syntax::ast::Expr;
use crate::types::{CType, TypeKind};

const WORD: Ty = Ty::Int(32);

/// Registers of the program; the frame is 0 unless something is on the way.
#[derive(Clone, Copy)]
pub(super) struct Nonlocal {
    n_frames: VarId,
    frame: VarId,
    point: VarId,
    value: VarId,
}

/// A `setjmp` of the function at hand.
#[derive(Clone)]
pub(super) struct Point {
    label: Name,
    result: VarId,
}

impl Lower<'_> {
    /// Before anything is lowered: whether the program jumps out of functions.
    pub fn announce_nonlocal(&mut self) {
        let calls = |what| TABLE.iter().any(|row| row.3 == what && self.used.contains(row.0));
        if self.has_threads || !calls(Builtin::SetJump) || !calls(Builtin::LongJump) {
            return;
        }
        let mut register = |name: &str| {
            let var = self.new_var(name.into(), WORD, true, VarKind::Global, None);
            self.program.vars[var].init = Some(self.program.exprs.int(32, 0));
            var
        };
        let n_frames = register("(frames)");
        let (frame, point) = (register("(jumps to frame)"), register("(jumps to point)"));
        let value = register("(jumps with)");
        self.nonlocal = Some(Nonlocal { n_frames, frame, point, value });
    }

    /// `setjmp(buffer)`
    pub fn set_jump(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Val> {
        if self.nonlocal.is_none() {
            self.unsupported(span, format!("`{name}`"));
            return self.dead_value(&CType::INT, span);
        }
        let buffer = self.buffer(&args[0], true, span)?;
        for arg in &args[1..] {
            self.rvalue(arg)?;
        }
        let frame = match self.func.frame {
            Some(frame) => frame,
            None => self.new_var("(frame)".into(), WORD, true, VarKind::Local, None),
        };
        let result = self.new_var("(setjmp)".into(), WORD, true, VarKind::Local, None);
        let number = self.program.exprs.int(32, self.func.points.len() as u128 + 1);
        let frame_number = self.var_expr(frame);
        self.emit(Op::Store { ptr: buffer[0], value: frame_number }, span);
        self.emit(Op::Store { ptr: buffer[1], value: number }, span);
        let zero = self.program.exprs.int(32, 0);
        self.emit(Op::Set { dst: result, value: zero }, span);
        let label: Name = format!("(setjmp)#{}", result).into();
        self.label(&label, span)?;
        if !self.is_unevaluated() {
            self.func.frame = Some(frame);
            self.func.points.push(Point { label, result });
            self.assume_said(
                "variables keep their values where `longjmp` comes back to, `volatile` or not",
            );
        }
        let value = self.var_expr(result);
        Ok(Val::scalar(CType::INT, self.spill(value, span)))
    }

    /// `longjmp(buffer, value)`
    pub fn long_jump(&mut self, name: &str, args: &[Expr], span: Span) -> Lowered<Val> {
        let Some(to) = self.nonlocal else {
            self.unsupported(span, format!("`{name}`"));
            return Ok(Val::VOID);
        };
        let buffer = self.buffer(&args[0], false, span)?;
        let value = self.rvalue(&args[1])?;
        let value = self.convert(&value, &CType::INT, span)?;
        let value = self.scalar(&value, span)?;
        let (frame, point) = (self.temp(WORD, true), self.temp(WORD, true));
        self.emit(Op::Load { dst: frame, ptr: buffer[0] }, span);
        self.emit(Op::Load { dst: point, ptr: buffer[1] }, span);
        let (frame, point) = (self.var_expr(frame), self.var_expr(point));
        let (zero, one) = (self.program.exprs.int(32, 0), self.program.exprs.int(32, 1));
        let n_frames = self.var_expr(to.n_frames);
        let is_after = self.program.exprs.binary(BinOp::Slt, zero, frame);
        let is_known = self.program.exprs.binary(BinOp::Sle, frame, n_frames);
        let is_set = self.program.exprs.binary(BinOp::And, is_after, is_known);
        let (set, unset) = (self.new_block(), self.new_block());
        self.branch(is_set, set, unset, span);
        self.begin(unset);
        self.refuse(span);
        self.begin(set);
        let is_zero = self.program.exprs.binary(BinOp::Eq, value, zero);
        let value = self.program.exprs.ite(is_zero, one, value);
        for (dst, value) in [(to.value, value), (to.point, point), (to.frame, frame)] {
            self.emit(Op::Set { dst, value }, span);
        }
        self.jump_on(span);
        Ok(Val::VOID)
    }

    /// Where the numbers of frame and point stand.
    fn buffer(&mut self, arg: &Expr, is_write: bool, span: Span) -> Lowered<[ExprId; 2]> {
        let ptr = self.pointer_value(arg)?;
        let ptr = self.snapshot(ptr, span);
        let (size, text) = (self.size_expr(8), self.text(arg.span));
        self.guard_pointer(ptr, size, &text, is_write, span);
        Ok([ptr, self.offset_by(ptr, 4, span)])
    }

    /// Behind a call: what is on the way goes on from here.
    pub fn let_jumps_pass(&mut self, span: Span) {
        if let Some(to) = self.nonlocal {
            let (jumps, after) = self.fork_on_jump(to, span);
            self.begin(jumps);
            self.jump_on(span);
            self.begin(after);
        }
    }

    /// Behind a call that nothing is followed out of: of a function at the start or the end of the program, or of one
    /// without a body.
    pub fn let_no_jump_pass(&mut self, span: Span) {
        if let Some(to) = self.nonlocal {
            let (jumps, after) = self.fork_on_jump(to, span);
            self.begin(jumps);
            self.refuse(span);
            self.begin(after);
        }
    }

    fn fork_on_jump(&mut self, to: Nonlocal, span: Span) -> (BlockId, BlockId) {
        let (jumps, after) = (self.new_block(), self.new_block());
        let (frame, zero) = (self.var_expr(to.frame), self.program.exprs.int(32, 0));
        let is_jump = self.program.exprs.binary(BinOp::Ne, frame, zero);
        self.branch(is_jump, jumps, after, span);
        (jumps, after)
    }

    fn refuse(&mut self, span: Span) {
        let what = "`longjmp` to where no `setjmp` waits";
        self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
    }

    /// Gives a jump that leaves calls behind its targets: the points of this function, and its caller.
    pub(super) fn resolve_nonlocal(&mut self, jump: &Jump, span: Span) -> Lowered<()> {
        let Some(to) = self.nonlocal else { return Ok(()) };
        let mut cases = Vec::new();
        for (at, point) in self.func.points.clone().into_iter().enumerate() {
            let (block, mut insts) = self.way_to(&point.label, jump)?;
            let (value, zero) = (self.var_expr(to.value), self.program.exprs.int(32, 0));
            for (dst, value) in [(point.result, value), (to.frame, zero)] {
                insts.push(Inst { op: Op::Set { dst, value }, span });
            }
            let way = Block { insts, term: Term::Goto(block), span };
            cases.push((at as u128 + 1, self.func.blocks.push(Some(way))));
        }
        let out = self.way_out(span);
        let term = match self.func.frame {
            None => Term::Goto(out),
            Some(frame) => {
                let (frame, wanted) = (self.var_expr(frame), self.var_expr(to.frame));
                let cond = self.program.exprs.binary(BinOp::Eq, frame, wanted);
                let value = self.var_expr(to.point);
                let here = self.new_block();
                self.begin(here);
                self.finish(Term::Switch { value, cases, default: out }, span);
                Term::Branch { cond, yes: here, no: out }
            }
        };
        if let Some(it) = &mut self.func.blocks[jump.block] {
            it.term = term;
        }
        Ok(())
    }

    /// Returns, with whatever value.
    fn way_out(&mut self, span: Span) -> BlockId {
        let out = self.new_block();
        self.begin(out);
        if !self.func.cleanups.is_empty() {
            let what = "`longjmp` past a variable with `cleanup`";
            self.finish(Term::Stop(Stop::Unsupported(what.into())), span);
            return out;
        }
        let result = self.func.result.clone();
        let value = self.types.ty(&result).map(|ty| match ty {
            Ty::Int(bits) => self.program.exprs.int(bits, 0),
            Ty::Float(ty) => self.program.exprs.add(Node::Float { ty, bits: 0 }),
            Ty::Ptr => self.program.exprs.add(Node::Null),
        });
        let value = value.filter(|_| !matches!(result.kind, TypeKind::Record(_)));
        self.end_allocas(span);
        self.finish(Term::Return(value), span);
        out
    }

    /// At the end of a function: a frame gets its number where it begins.
    pub fn number_frame(&mut self, span: Span) {
        let (Some(to), Some(dst)) = (self.nonlocal, self.func.frame) else { return };
        let (n, one) = (self.var_expr(to.n_frames), self.program.exprs.int(32, 1));
        let value = self.program.exprs.binary(BinOp::Add, n, one);
        let count = Inst { op: Op::Set { dst: to.n_frames, value }, span };
        let value = self.var_expr(to.n_frames);
        let number = Inst { op: Op::Set { dst, value }, span };
        if let Some(first) = self.func.blocks.iter_mut().next().and_then(|it| it.as_mut()) {
            first.insts.splice(0..0, [count, number]);
        }
    }
}
