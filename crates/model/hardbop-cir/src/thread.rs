//! What programs with threads have beside: instructions that make threads, wait for them, and keep others
//! out for a while. Locks, condition variables and all the rest are written with these, in C.
//!
//! Threads take turns instruction by instruction (sequential consistency). Each has calls and **global
//! registers of its own**, which begin with their first values: what threads share is memory. Between
//! [`ThreadOp::Begin`] and the [`ThreadOp::End`] that belongs to it no other thread takes a step.

use crate::expr::ExprId;
use crate::program::{Init, ObjId, ObjKind, Op, Program, Stop, Term, VarId};

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
    /// Where the instance of the object is that the thread has to itself. It begins with its first bytes, and ends with the thread.
    Own {
        dst: VarId,
        object: ObjId,
    },
    /// Other threads stand still from here on.
    Begin,
    End,
    /// What the thread has just seen or told may order less than it seems, in a way that is not followed. Where
    /// this happens, that no race was seen proves nothing.
    Unordered,
    /// What the atomic steps from the outermost [`ThreadOp::Begin`] on order: whether the thread takes over what was done before the
    /// values that it reads were written (acquire), and whether who reads what it writes takes over what it did (release).
    /// Without this instruction both. If it acquires, what was read since `Begin` counts, too.
    Orders {
        acquires: bool,
        releases: bool,
    },
    /// The same of all atomic accesses of the thread: those that it read before, those that it writes afterwards.
    Fence {
        acquires: bool,
        releases: bool,
    },
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
            | ThreadOp::Own { dst, .. }
            | ThreadOp::Result { dst, .. } => Some(dst),
            ThreadOp::Forget { .. }
            | ThreadOp::Begin
            | ThreadOp::End
            | ThreadOp::Unordered
            | ThreadOp::Orders { .. }
            | ThreadOp::Fence { .. }
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
            ThreadOp::Current { .. }
            | ThreadOp::Own { .. }
            | ThreadOp::Begin
            | ThreadOp::End
            | ThreadOp::Unordered
            | ThreadOp::Orders { .. }
            | ThreadOp::Fence { .. } => {}
        }
    }
}

impl Program {
    /// What is in memory before the program begins. Objects that each thread has begin with the thread.
    pub fn first_values(&self) -> impl Iterator<Item = (ObjId, &Init)> {
        let objects = self.objects.iter_enumerated();
        let globals = objects.filter(|it| it.1.kind == ObjKind::Global);
        globals.flat_map(|(id, object)| object.init.iter().map(move |init| (id, init)))
    }

    /// Whether atomic accesses order less than all that was done before them.
    pub fn has_weak_orders(&self) -> bool {
        let mut all = self.insts();
        all.any(|(_, _, inst)| matches!(inst.op, Op::Thread(ThreadOp::Orders { .. })))
    }

    /// Whether it has instructions for threads. No pass and no engine that does not speak of them may
    /// be asked about such a program: what they know of memory holds for one thread.
    pub fn has_threads(&self) -> bool {
        let stops = |it: &crate::program::Block| matches!(it.term, Term::Stop(Stop::Thread(_)));
        self.insts().any(|(_, _, inst)| matches!(inst.op, Op::Thread(_)))
            || self.funcs.iter().any(|func| func.blocks.iter().any(stops))
    }
}
