//! The program with threads as the abstraction sees it: roles, variables, cuts, and steps between cuts.
//!
//! A **role** is a place where a thread begins: `main`, an instruction that starts a thread and is executed at most
//! once (one thread: its variables are shared variables, whoever may name them), or a function that any number of
//! threads run (its variables belong to each of them). Calls are part of their callers: a **frame** is a
//! function as it is called from one place. A **cut** is where a thread may be while others move. A **step** leads
//! from cut to cut, and has at most one access to what others can see, or one atomic section: everything else that it does
//! commutes with what others do.

use hardbop_base::{IndexVec, Span, define_id};
use hardbop_cir::{BlockId, CheckId, FuncId, ObjId, VarId as Register};
use hardbop_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

define_id!(
    /// A register of a frame, a cell of memory, or what the model itself remembers.
    Var, "x"
);
define_id!(
    /// A role.
    RoleId, "r"
);
define_id!(
    /// A function as called from one place.
    FrameId, "f"
);
define_id!(
    /// A place where a thread may be between two steps.
    CutId, "l"
);
define_id!(
    /// A step.
    StepId, "s"
);

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    Register(FrameId, Register),
    /// A global register, of which each thread has its own.
    Own(RoleId, Register),
    Cell(Cell),
    /// How many threads have been started, `main` included.
    Count,
    /// The number of the one thread of a role.
    Number(RoleId),
    Started(RoleId),
    Ended(RoleId),
    /// Nobody may wait for its one thread any more.
    Forgotten(RoleId),
    /// The thread that is watched has been started.
    Watched,
    /// A thread is in the region of the role that no two are in.
    Inside(RoleId),
}

/// Bytes of an object that are only accessed together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    pub instance: Instance,
    pub offset: u64,
    pub size: u64,
    pub is_pointer: bool,
}

/// An object: that of the program, or of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Instance {
    Global(ObjId),
    Local(FrameId, ObjId),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub meaning: Meaning,
    pub name: String,
    pub term: TermId,
    pub width: u32,
    /// The role it belongs to: its registers and objects.
    pub role: Option<RoleId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    Main,
    /// The instruction is executed once.
    Once(FrameId, BlockId, usize),
    Many(FuncId),
    /// One thread of those that run the function: the one that goes wrong.
    Watched(FuncId),
}

#[derive(Clone, Debug)]
pub struct Role {
    pub start: Start,
    pub func: FuncId,
    pub frame: FrameId,
    pub name: String,
}

impl Role {
    /// Whether any number of threads may have it.
    pub fn is_many(&self) -> bool {
        matches!(self.start, Start::Many(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub role: RoleId,
    pub func: FuncId,
    /// The call.
    pub parent: Option<(FrameId, BlockId, usize)>,
}

/// A place in the graph of a role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub frame: FrameId,
    pub block: BlockId,
    pub at: usize,
    /// No other thread moves.
    pub atomic: Option<Atomic>,
}

/// A section in which no other thread moves, and where it began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atomic {
    pub depth: u32,
    pub begin: (FrameId, BlockId, usize),
}

#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub role: RoleId,
    pub place: Option<Place>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Cut(CutId),
    /// A check fails.
    Error(CheckId),
    /// Something that is not modelled.
    Unsupported(String, Span),
    /// The thread moves no more, what it did counts.
    Ended,
}

/// From a cut to the next: possible where the guard holds.
#[derive(Clone, Debug)]
pub struct Step {
    pub from: CutId,
    pub to: Target,
    pub guard: TermId,
    /// Values of variables afterwards, over those before and arbitrary ones.
    pub updates: Vec<(Var, TermId)>,
    /// Threads that it starts.
    pub starts: Vec<RoleId>,
    /// Steps of the interpreter, and how many of them come before there are several threads.
    pub n_steps: u64,
    pub n_alone: u64,
    /// Arbitrary values that a run asks for, in order.
    pub asked: Vec<TermId>,
    pub span: Span,
}

/// A role and the step that begins it.
pub struct Model {
    pub terms: Terms,
    pub vars: IndexVec<Var, Variable>,
    pub roles: IndexVec<RoleId, Role>,
    pub cuts: IndexVec<CutId, Cut>,
    pub steps: IndexVec<StepId, Step>,
    /// Where each role begins.
    pub entries: FxHashMap<RoleId, CutId>,
    /// By the term of a variable.
    pub by_term: FxHashMap<TermId, Var>,
}

impl Model {
    /// The role whose threads each have a value of their own; `None` if there is one value only.
    pub fn local_to(&self, var: Var) -> Option<RoleId> {
        self.vars[var].role.filter(|&role| self.roles[role].is_many())
    }

    /// The variables that a term depends on.
    pub fn support(&self, term: TermId) -> Vec<Var> {
        let cone = self.terms.cone(&[term]);
        let mut support: Vec<Var> =
            cone.iter().filter_map(|it| self.by_term.get(it).copied()).collect();
        support.sort_unstable();
        support
    }
}
