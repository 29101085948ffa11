//! What the library's models of threads are made of, and functions that no other thread interrupts.

use hardbop_base::Span;
use hardbop_cir::{Check, Class, Cond, Inst, Op, Program, Term, ThreadOp, Ty};

use super::Lowered;
use super::place::Val;
use super::state::Lower;
use crate::syntax::ast::Expr;
use crate::types::CType;

impl Lower<'_> {
    /// `None` if the word is no instruction for threads.
    pub fn thread_call(&mut self, word: &str, args: &[Expr], span: Span) -> Lowered<Option<Val>> {
        if !self.has_threads {
            return self.lone_call(word, args, span);
        }
        let number = self.types.long(false);
        let bits = self.options.model.ptr_bits();
        let (op, ctype) = match (word, args) {
            ("begin", []) => (ThreadOp::Begin, CType::VOID),
            ("end", []) => (ThreadOp::End, CType::VOID),
            ("ordered", []) => (ThreadOp::Orders { acquires: true, releases: true }, CType::VOID),
            ("relaxed", []) => (ThreadOp::Orders { acquires: false, releases: false }, CType::VOID),
            ("wait", [cond]) => (ThreadOp::Wait { cond: self.condition(cond)? }, CType::VOID),
            ("self", []) => (ThreadOp::Current { dst: self.temp(Ty::Int(bits), false) }, number),
            ("spawn", [func, arg]) => {
                let (func, arg) = (self.pointer_value(func)?, self.pointer_value(arg)?);
                let dst = self.temp(Ty::Int(bits), false);
                (ThreadOp::Spawn { dst, func, arg }, number)
            }
            ("exists" | "ended" | "result" | "result_int" | "forget", [thread]) => {
                let thread = self.rvalue(thread)?;
                let thread = self.convert(&thread, &number, span)?;
                let thread = self.scalar(&thread, span)?;
                match word {
                    "exists" | "ended" => {
                        let dst = self.temp(Ty::BOOL, false);
                        let op = match word {
                            "exists" => ThreadOp::Exists { dst, thread },
                            _ => ThreadOp::Ended { dst, thread },
                        };
                        self.emit(Op::Thread(op), span);
                        let value = self.var_expr(dst);
                        return Ok(Some(self.bool_of(value)));
                    }
                    "forget" => (ThreadOp::Forget { thread }, CType::VOID),
                    "result" => {
                        let dst = self.temp(Ty::Ptr, false);
                        (ThreadOp::Result { dst, thread }, CType::VOID.ptr_to())
                    }
                    _ => {
                        let dst = self.temp(Ty::Int(32), true);
                        (ThreadOp::Result { dst, thread }, CType::INT)
                    }
                }
            }
            _ => return Ok(None),
        };
        let dst = op.dst();
        self.emit(Op::Thread(op), span);
        Ok(Some(match dst {
            Some(dst) => Val::scalar(ctype, self.var_expr(dst)),
            None => Val::VOID,
        }))
    }
}

impl Lower<'_> {
    /// The same in a program with one thread: nobody interrupts, and nobody ends a wait.
    fn lone_call(&mut self, word: &str, args: &[Expr], span: Span) -> Lowered<Option<Val>> {
        Ok(Some(match (word, args) {
            ("begin" | "end" | "ordered" | "relaxed", []) | ("forget", [_]) => Val::VOID,
            // The one that there is.
            ("exists", [_]) => self.int_const(1, CType::INT),
            ("wait", [cond]) => {
                let cond = self.condition(cond)?;
                let message = "the only thread may wait for ever";
                self.check_said(Class::Deadlock, Cond::Holds(cond), message, span);
                self.emit(Op::Assume { cond }, span);
                self.assume_said("there is one thread, which nobody wakes up");
                Val::VOID
            }
            ("self", []) => self.int_const(0, self.types.long(false)),
            _ => return Ok(None),
        }))
    }
}

/// What may go wrong in any step of any thread is watched from the start.
pub(super) fn watch(program: &mut Program, classes: &[Class], span: Span) {
    let deadlock = "threads may wait for each other for ever: none of those left can move";
    let race = "two threads may access the same memory, one of them to write it, with nothing that orders the \
                two";
    let watched = [(Class::Race, race), (Class::Deadlock, deadlock)];
    for (class, message) in watched.into_iter().filter(|it| classes.contains(&it.0)) {
        let check = program.checks.push(Check { class, message: message.into(), span });
        let op = Op::Check { check, cond: Cond::Watched };
        if let Some(entry) = program.funcs[program.main].blocks.as_mut_slice().first_mut() {
            entry.insts.insert(0, Inst { op, span });
        }
    }
}

/// Functions whose names say so run without interruption.
pub(super) fn close_atomic(program: &mut Program, has_threads: bool) {
    let is_atomic = |name: &str| name.starts_with("__VERIFIER_atomic_");
    let funcs = program.funcs.as_mut_slice().iter_mut();
    for func in funcs.filter(|it| has_threads && is_atomic(&it.name)) {
        let at = |op, span| Inst { op: Op::Thread(op), span };
        for block in func.blocks.as_mut_slice() {
            if let Term::Return(_) = block.term {
                block.insts.push(at(ThreadOp::End, block.span));
            }
        }
        if let Some(entry) = func.blocks.as_mut_slice().first_mut() {
            entry.insts.insert(0, at(ThreadOp::Begin, entry.span));
        }
    }
}
