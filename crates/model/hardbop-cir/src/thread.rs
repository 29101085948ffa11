//! What programs with threads have beside: instructions that make threads, wait for them, and keep others
//! out for a while. Locks, condition variables and all the rest are written with these, in C.
//!
//! Threads take turns instruction by instruction (sequential consistency). Each has calls and **global
//! registers of its own**, which begin with their first values: what threads share is memory. Between
//! [`ThreadOp::Begin`] and the [`ThreadOp::End`] that belongs to it no other thread takes a step.

use crate::expr::ExprId;
use crate::program::{Op, Program, Stop, Term, VarId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadOp {
    /// A new thread that calls the function with the argument; its number, counted from 1: `main` has 0.
    Spawn {
        dst: VarId,
        func: ExprId,
        arg: ExprId,
    },
    /// The number of the thread at hand.
    Current {
        dst: VarId,
    },
    /// Whether there is a thread of this number that may be waited for, as an `i1`.
    Exists {
        dst: VarId,
        thread: ExprId,
    },
    /// Whether the thread has come to its end, as an `i1`.
    Ended {
        dst: VarId,
        thread: ExprId,
    },
    /// What the thread has left where it ended: what its function returned, or what [`Stop::Thread`] says.
    /// 0 or null where that is of another type.
    Result {
        dst: VarId,
        thread: ExprId,
    },
    /// From now on nobody may wait for the thread: somebody has, or it was detached.
    Forget {
        thread: ExprId,
    },
    /// Other threads stand still from here on.
    Begin,
    End,
    /// What the thread has just seen or told orders nothing: an atomic access that is not both acquire and
    /// release, a lock that was not got. Where this happens, that no race was seen proves nothing.
    Unordered,
    /// Where the `i1` is false the thread is set back to the outermost [`ThreadOp::Begin`], which it may
    /// try again whenever another thread has moved. Nothing but registers may have changed since.
    Wait {
        cond: ExprId,
    },
}

impl ThreadOp {
    pub fn dst(&self) -> Option<VarId> {
        self.clone().dst_mut().copied()
    }

    pub fn dst_mut(&mut self) -> Option<&mut VarId> {
        match self {
            ThreadOp::Spawn { dst, .. }
            | ThreadOp::Current { dst }
            | ThreadOp::Exists { dst, .. }
            | ThreadOp::Ended { dst, .. }
            | ThreadOp::Result { dst, .. } => Some(dst),
            ThreadOp::Forget { .. }
            | ThreadOp::Begin
            | ThreadOp::End
            | ThreadOp::Unordered
            | ThreadOp::Wait { .. } => None,
        }
    }

    pub fn map_operands(&mut self, mut map: impl FnMut(ExprId) -> ExprId) {
        match self {
            ThreadOp::Spawn { func, arg, .. } => (*func, *arg) = (map(*func), map(*arg)),
            ThreadOp::Exists { thread, .. }
            | ThreadOp::Ended { thread, .. }
            | ThreadOp::Result { thread, .. }
            | ThreadOp::Forget { thread } => *thread = map(*thread),
            ThreadOp::Wait { cond } => *cond = map(*cond),
            ThreadOp::Current { .. } | ThreadOp::Begin | ThreadOp::End | ThreadOp::Unordered => {}
        }
    }
}

impl Program {
    /// Whether it has instructions for threads. No pass and no engine that does not speak of them may
    /// be asked about such a program: what they know of memory holds for one thread.
    pub fn has_threads(&self) -> bool {
        let stops = |it: &crate::program::Block| matches!(it.term, Term::Stop(Stop::Thread(_)));
        self.insts().any(|(_, _, inst)| matches!(inst.op, Op::Thread(_)))
            || self.funcs.iter().any(|func| func.blocks.iter().any(stops))
    }
}
