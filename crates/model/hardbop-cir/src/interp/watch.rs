//! What happens in a run, told step by step to whoever asks.

use hardbop_base::Span;

use super::value::Value;
use crate::program::{BlockId, FuncId, ObjId, Op, Source, VarId};
use crate::ty::Ty;

/// One thing that happened. Values and places are in C notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which thread; `main` is 0.
    pub thread: u32,
    /// Calls around it: 0 in the function the run starts with.
    pub depth: usize,
    pub func: FuncId,
    pub span: Span,
    pub event: Event,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Input {
        source: Source,
        value: String,
    },
    Set {
        var: VarId,
        value: String,
    },
    Store {
        object: Option<ObjId>,
        place: String,
        value: String,
    },
    /// An object of the heap was given back.
    Free {
        object: String,
    },
    /// A condition or a switch sent the run to `to`.
    Branch {
        block: BlockId,
        to: BlockId,
    },
    Call {
        func: FuncId,
        args: Vec<String>,
    },
    Return {
        value: Option<String>,
    },
}

/// An instruction that a thread is about to execute.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Which thread; `main` is 0.
    pub thread: u32,
    /// Its calls and where each of them is, outermost first.
    pub stack: &'a [(FuncId, Span)],
    pub op: &'a Op,
    /// The objects it reads (false) or writes (true).
    pub accesses: &'a [(ObjId, bool)],
    /// How many times the thread has begun to keep others out.
    pub depth: u32,
}

/// Someone who watches a run, and may choose its inputs.
pub trait Watch {
    /// Whether anything that happens here is of interest: what is not is not even put into words.
    fn wants(&self, func: FuncId, span: Span) -> bool;
    fn step(&mut self, step: Step);
    /// A block of the running call begins; `var` reads its registers.
    fn enters(&mut self, _func: FuncId, _block: BlockId, _var: &dyn Fn(VarId) -> Value) {}

    /// Whether it is to be told of each instruction by [`Watch::executes`].
    fn follows(&self) -> bool {
        false
    }

    fn executes(&mut self, _moment: Moment<'_>) {}

    /// The value of an input, instead of the one of the configuration.
    fn choose(&mut self, _var: VarId, _ty: Ty) -> Option<u128> {
        None
    }
}
