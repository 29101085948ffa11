//! Programs: registers, objects, functions as graphs of blocks, checks.
//!
//! **Registers** hold one typed value each. A global register is shared by all calls; the others
//! belong to one function and are fresh, with an arbitrary value, in each call. The ids are unique
//! in the program.
//!
//! **Objects** are runs of bytes in memory. A *global* object lives always; a *local* one has an
//! instance per call, alive from its [`Op::Enter`] to its [`Op::Leave`] or the end of the call (each
//! `Enter` makes a fresh instance with arbitrary bytes); a *heap* object has an instance per
//! execution of its [`Op::Alloc`]. Bytes are little-endian.
//!
//! **Pointers** are an instance and a byte offset, or null, or a plain number that lies in no
//! object. A load or store is *valid* if the instance is alive and holds all its bytes. An access
//! that is not valid has no meaning: the front end puts checks before each; where their property is
//! not asked for, an engine cuts the execution there and says that it assumed so.
//!
//! **Checks** are assertions: execution goes on where the condition holds, and where it does not if
//! [`Check::is_fatal`] is false.

use hardbop_base::{IndexVec, Name, Span, define_id};

use crate::assumption::Assumption;
use crate::check::{Check, CheckId, Cond};
use crate::expr::{ExprId, ExprPool};
use crate::scan::Scan;
use crate::thread::ThreadOp;
use crate::ty::Ty;

define_id!(
    /// A register.
    VarId, "v"
);
define_id!(
    /// An object, or the site that makes instances of it.
    ObjId, "o"
);
define_id!(
    /// A function with a body.
    FuncId, "f"
);
define_id!(
    /// A block of a function; block 0 is the entry.
    BlockId, "b"
);

#[derive(Clone, Debug)]
pub struct Program {
    /// 32 or 64.
    pub ptr_bits: u8,
    pub vars: IndexVec<VarId, VarInfo>,
    pub objects: IndexVec<ObjId, ObjInfo>,
    pub funcs: IndexVec<FuncId, Func>,
    pub checks: IndexVec<CheckId, Check>,
    pub exprs: ExprPool,
    pub main: FuncId,
    /// What a verdict rests on, in order of appearance.
    pub assumptions: Vec<Assumption>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarInfo {
    pub name: Name,
    pub ty: Ty,
    /// How the source reads the value: for printing only.
    pub is_signed: bool,
    pub kind: VarKind,
    /// The function it belongs to; `None` for a global register.
    pub owner: Option<FuncId>,
    /// The first value of a global register: an expression without registers.
    pub init: Option<ExprId>,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    Global,
    Param,
    /// Declared in the source.
    Local,
    /// Made by the front end.
    Temp,
    /// A global register of a pass: what it points to is not kept by the program.
    Ghost,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjInfo {
    pub name: Name,
    pub kind: ObjKind,
    /// Bytes; `None` if [`Op::Enter`] or [`Op::Alloc`] says.
    pub size: Option<u64>,
    /// First contents of a global object; bytes not named are 0.
    pub init: Vec<Init>,
    pub is_const: bool,
    /// How the source reads it, for printing. Of an object without a size of its own an array is the most
    /// it can be.
    pub shape: Shape,
    /// Its address is a multiple of this power of two.
    pub align: u64,
    /// The object of the program that was read which a pass made this of.
    pub copy_of: Option<ObjId>,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjKind {
    Global,
    Local(FuncId),
    Heap(FuncId),
    /// Each thread has one of its own, see [`ThreadOp::Own`].
    Thread,
}

/// A value at an offset of an object: an expression without registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Init {
    pub offset: u64,
    pub value: ExprId,
}

/// The C view of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing is known.
    Bytes,
    Scalar {
        ty: Ty,
        is_signed: bool,
    },
    Array {
        element: Box<Shape>,
        stride: u64,
        len: u64,
    },
    /// Fields with their offsets; those of a union overlap.
    Record(Vec<(Name, u64, Shape)>),
}

#[derive(Clone, Debug)]
pub struct Func {
    pub name: Name,
    pub params: Vec<VarId>,
    /// `None` if it returns nothing.
    pub result: Option<Ty>,
    pub blocks: IndexVec<BlockId, Block>,
    pub span: Option<Span>,
}

impl Func {
    /// The name of a function that says how far the end of a text is. Only the C library in brief has it: its calls stay
    /// calls, for those who know what they say.
    pub const LENGTH: &str = "__hardbop_length";

    /// Whether it says how far the end of a text is.
    pub fn is_length(&self) -> bool {
        &*self.name == Func::LENGTH
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub insts: Vec<Inst>,
    pub term: Term,
    /// Of the terminator.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    pub op: Op,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `dst := value`
    Set {
        dst: VarId,
        value: ExprId,
    },
    /// Any value of the type.
    Nondet {
        dst: VarId,
        source: Source,
    },
    /// Reads the bytes of the register's type.
    Load {
        dst: VarId,
        ptr: ExprId,
    },
    Store {
        ptr: ExprId,
        value: ExprId,
    },
    /// `size` bytes, as `memmove`.
    Copy {
        dst: ExprId,
        src: ExprId,
        size: ExprId,
    },
    /// `size` times the `i8` value.
    Fill {
        dst: ExprId,
        byte: ExprId,
        size: ExprId,
    },
    /// The pointer again and again, as often as it fits into `size` bytes.
    Repeat {
        dst: ExprId,
        value: ExprId,
        size: ExprId,
    },
    /// All bytes of the instance pointed into become arbitrary; nothing if it is no live instance.
    Havoc {
        ptr: ExprId,
    },
    /// A fresh instance of a local object; its size if the object has none of its own.
    Enter {
        object: ObjId,
        size: Option<ExprId>,
    },
    Leave {
        object: ObjId,
    },
    /// A fresh instance of a heap object with arbitrary bytes.
    Alloc {
        dst: VarId,
        object: ObjId,
        size: ExprId,
    },
    /// How many bytes the live instance pointed into has; 0 where there is none.
    Size {
        dst: VarId,
        ptr: ExprId,
    },
    /// Ends the life of the heap instance pointed to; null does nothing.
    Free {
        ptr: ExprId,
    },
    Call {
        dst: Option<VarId>,
        callee: Callee,
        args: Vec<ExprId>,
    },
    /// Writes text: no effect on the program; the register gets any value.
    Print {
        dst: Option<VarId>,
        kind: PrintKind,
        args: Vec<ExprId>,
    },
    /// Executions where the `i1` is false are dropped.
    Assume {
        cond: ExprId,
    },
    Check {
        check: CheckId,
        cond: Cond,
    },
    /// Only in programs with threads.
    Thread(ThreadOp),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Func(FuncId),
    Ptr(ExprId),
}

/// Where an arbitrary value comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// An input of the program, such as a call of `__VERIFIER_nondet_int`.
    Input(Name),
    /// The next byte of a stream, or its end: [`Stream::byte`] says which.
    Byte(Stream),
    /// What `scanf` reads of a stream at once.
    Scanned(Stream, Scan),
    /// How many arguments the program gets besides its name.
    ArgCount,
    /// Part of the text of an argument, counted from the program's name on.
    Argument(u8, TextPart),
    /// What the system decides in a call of this library function: whether a file opens, the time, a
    /// random number. 0 is what usually happens.
    System(Name),
    /// The result of a function without a body.
    External(Name),
    /// A variable without initialiser.
    Uninit,
    /// The order of operands that C leaves open: true is from right to left.
    Order,
}

/// What there is to choose about a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextPart {
    /// How many bytes it has, without the 0 behind them.
    Length,
    /// One of its first bytes; 0 stands for a letter.
    Byte(u8),
    /// Each of the others.
    Rest,
}

impl TextPart {
    /// So many bytes are chosen one by one.
    pub const CHOSEN: u8 = 8;
}

/// What a program reads bytes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    Stdin,
    /// Files, devices, the network.
    Other,
}

impl Stream {
    /// Bits of an arbitrary value that stands for a byte or the end.
    pub const BITS: u8 = 9;

    /// The byte a value stands for; 0 is the end.
    pub fn byte(value: u128) -> Option<u8> {
        value.checked_sub(1).map(|it| it as u8)
    }

    pub fn name(self) -> &'static str {
        match self {
            Stream::Stdin => "stdin",
            Stream::Other => "file",
        }
    }
}

impl Source {
    /// The name of an input: a value that is chosen from outside, in the order the program asks.
    pub fn input(&self) -> Option<Name> {
        match self {
            Source::Input(name) | Source::System(name) => Some(name.clone()),
            Source::Byte(stream) | Source::Scanned(stream, Scan::Solid) => {
                Some(stream.name().into())
            }
            Source::Scanned(stream, Scan::Ahead(_)) => {
                Some(format!("{} ahead", stream.name()).into())
            }
            Source::Scanned(stream, Scan::Number(_)) => {
                Some(format!("{} number", stream.name()).into())
            }
            Source::ArgCount => Some("argc".into()),
            Source::Argument(at, _) => Some(format!("argv[{at}]").into()),
            Source::External(_) | Source::Uninit | Source::Order => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrintKind {
    /// Format and arguments, to standard output.
    Printf,
    /// To another stream: the interpreter drops it.
    Other,
    Puts,
    Putchar,
    /// So many bytes from a place on.
    Bytes,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    Goto(BlockId),
    /// On an `i1`.
    Branch {
        cond: ExprId,
        yes: BlockId,
        no: BlockId,
    },
    /// On constants of the value's width, without repetition.
    Switch {
        value: ExprId,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    Return(Option<ExprId>),
    Stop(Stop),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// `exit` with its code.
    Exit(ExprId),
    Abort,
    /// Control cannot come here, by what was checked or assumed before.
    Unreachable,
    /// The thread at hand ends, with a result; the program does where that is the last one.
    Thread(ExprId),
    /// A construct the front end does not model: an execution that comes here is not understood,
    /// so a program is safe only if none does.
    Unsupported(Name),
}

impl Term {
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Term::Goto(to) => vec![*to],
            Term::Branch { yes, no, .. } => vec![*yes, *no],
            Term::Switch { cases, default, .. } => {
                cases.iter().map(|&(_, to)| to).chain([*default]).collect()
            }
            Term::Return(_) | Term::Stop(_) => Vec::new(),
        }
    }

    pub fn map_targets(&mut self, mut map: impl FnMut(BlockId) -> BlockId) {
        match self {
            Term::Goto(to) => *to = map(*to),
            Term::Branch { yes, no, .. } => (*yes, *no) = (map(*yes), map(*no)),
            Term::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| *to = map(*to));
                *default = map(*default);
            }
            Term::Return(_) | Term::Stop(_) => {}
        }
    }

    pub fn operands(&self) -> Option<ExprId> {
        match self {
            Term::Branch { cond, .. } => Some(*cond),
            Term::Switch { value, .. } => Some(*value),
            Term::Return(value) => *value,
            Term::Stop(Stop::Exit(code) | Stop::Thread(code)) => Some(*code),
            Term::Goto(_) | Term::Stop(_) => None,
        }
    }

    pub fn map_operands(&mut self, mut map: impl FnMut(ExprId) -> ExprId) {
        match self {
            Term::Branch { cond, .. } => *cond = map(*cond),
            Term::Switch { value, .. } => *value = map(*value),
            Term::Return(Some(value)) => *value = map(*value),
            Term::Stop(Stop::Exit(code) | Stop::Thread(code)) => *code = map(*code),
            Term::Return(None) | Term::Goto(_) | Term::Stop(_) => {}
        }
    }
}

impl Op {
    /// The register it writes.
    pub fn dst(&self) -> Option<VarId> {
        match self {
            Op::Set { dst, .. }
            | Op::Nondet { dst, .. }
            | Op::Load { dst, .. }
            | Op::Size { dst, .. }
            | Op::Alloc { dst, .. } => Some(*dst),
            Op::Call { dst, .. } | Op::Print { dst, .. } => *dst,
            Op::Thread(op) => op.dst(),
            _ => None,
        }
    }

    /// The expressions it reads, in the order of its fields.
    pub fn operands(&self) -> Vec<ExprId> {
        let mut operands = Vec::new();
        // One list of fields serves reading and rewriting.
        self.clone().map_operands(|id| {
            operands.push(id);
            id
        });
        operands
    }

    pub fn map_operands(&mut self, mut map: impl FnMut(ExprId) -> ExprId) {
        match self {
            Op::Set { value, .. } => *value = map(*value),
            Op::Load { ptr, .. } | Op::Size { ptr, .. } | Op::Havoc { ptr } | Op::Free { ptr } => {
                *ptr = map(*ptr);
            }
            Op::Store { ptr, value } => (*ptr, *value) = (map(*ptr), map(*value)),
            Op::Copy { dst, src, size } => {
                (*dst, *src, *size) = (map(*dst), map(*src), map(*size));
            }
            Op::Fill { dst, byte, size } => {
                (*dst, *byte, *size) = (map(*dst), map(*byte), map(*size));
            }
            Op::Repeat { dst, value, size } => {
                (*dst, *value, *size) = (map(*dst), map(*value), map(*size));
            }
            Op::Enter { size: Some(size), .. } | Op::Alloc { size, .. } => *size = map(*size),
            Op::Call { callee, args, .. } => {
                if let Callee::Ptr(ptr) = callee {
                    *ptr = map(*ptr);
                }
                args.iter_mut().for_each(|arg| *arg = map(*arg));
            }
            Op::Print { args, .. } => args.iter_mut().for_each(|arg| *arg = map(*arg)),
            Op::Assume { cond } => *cond = map(*cond),
            Op::Check { cond, .. } => cond.map_operands(map),
            Op::Thread(op) => op.map_operands(map),
            Op::Nondet { .. } | Op::Enter { size: None, .. } | Op::Leave { .. } => {}
        }
    }
}

impl Program {
    pub fn insts(&self) -> impl Iterator<Item = (FuncId, BlockId, &Inst)> {
        self.funcs.iter_enumerated().flat_map(|(func, it)| {
            it.blocks
                .iter_enumerated()
                .flat_map(move |(block, it)| it.insts.iter().map(move |inst| (func, block, inst)))
        })
    }

    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter_enumerated().find(|(_, func)| &*func.name == name).map(|(id, _)| id)
    }
}
