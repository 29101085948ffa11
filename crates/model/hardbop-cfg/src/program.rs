//! Programs, procedures, locations, edges and their actions.
//!
//! **Variables.** A [`VarId`] is a position in a *scope*: the shared variables of the program come
//! first, the locals of the procedure at hand follow (formals, return values, declared locals). Two
//! procedures use the same ids for their locals; an id means something only together with a
//! procedure. So a valuation or a set of variables has as many bits as a scope is wide, whatever
//! the size of the program.
//!
//! **Locations are statements.** Each location but a procedure's exit stands for one statement of
//! the source, and each edge out of it for one way to execute it. Returning from the exit to the
//! caller is no statement and counts no step.
//!
//! **Enforce.** A procedure's `enforce` must possibly hold, for the thread that moves, at the
//! location it leaves and at the location it arrives at.

use hardbop_base::{IndexVec, Name, Span, define_id};

use crate::expr::{ExprId, ExprPool};

define_id!(
    /// A variable of a scope: shared variables first, then the procedure's locals.
    VarId, "v"
);
define_id!(
    /// A procedure.
    ProcId, "p"
);
define_id!(
    /// A location of a procedure.
    Loc, "l"
);
define_id!(
    /// An edge of a procedure.
    EdgeId, "t"
);

/// A location of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocRef {
    pub proc: ProcId,
    pub loc: Loc,
}

/// An edge of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeRef {
    pub proc: ProcId,
    pub edge: EdgeId,
}

/// A declared variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarInfo {
    pub name: Name,
    pub span: Option<Span>,
}

/// A whole Boolean program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The shared variables: `VarId` 0 to `n_shared() - 1`.
    pub shared: Vec<VarInfo>,
    /// Initial values of shared variables, in order of declaration; an expression mentions only
    /// variables declared before. The others start with any value.
    pub init: Vec<(VarId, ExprId)>,
    pub procs: IndexVec<ProcId, Proc>,
    /// Where the first thread starts.
    pub main: ProcId,
    pub exprs: ExprPool,
}

/// One procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: Name,
    pub span: Option<Span>,
    /// All locals: formals, then return values, then declared locals.
    pub locals: Vec<VarInfo>,
    pub n_formals: usize,
    pub n_returns: usize,
    /// What must possibly hold at every location.
    pub enforce: Option<ExprId>,
    pub entry: Loc,
    /// The one location without a statement and without edges.
    pub exit: Loc,
    pub locs: IndexVec<Loc, LocInfo>,
    /// Sorted by source.
    pub edges: IndexVec<EdgeId, Edge>,
}

/// What is known of a location beside its edges.
#[derive(Clone, Default, Debug)]
pub struct LocInfo {
    pub labels: Vec<Name>,
    /// The statement in the source.
    pub span: Option<Span>,
    /// The edges out of it: a range of [`Proc::edges`].
    pub(crate) out: (u32, u32),
}

/// One way to execute the statement at `from`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: Loc,
    /// Where the thread is afterwards. For [`Action::EndThread`] the exit, never reached.
    pub to: Loc,
    pub action: Action,
}

/// What executing an edge does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Skip,
    /// Passes where the expression may be true.
    Assume(ExprId),
    /// Is violated where the expression may be false, passes where it may be true.
    Assert(ExprId),
    Assign(Box<Assign>),
    Call(Box<Call>),
    StartThread(Box<Spawn>),
    /// Ends the thread, whatever its stack, and gives the atomic flag back.
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

/// A parallel assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assign {
    /// Distinct targets with their values.
    pub targets: Vec<(VarId, ExprId)>,
    /// `x$ := e`: in every *other* thread, each frame of this procedure gets a value of `e` for
    /// its local x; `e` is evaluated in the moving thread, its choices made anew for each frame.
    pub broadcast: Vec<(VarId, ExprId)>,
    /// Must possibly hold between the values before and after.
    pub constrain: Option<ExprId>,
}

/// A procedure call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    pub callee: ProcId,
    /// As many as the callee has formals.
    pub args: Vec<ExprId>,
    /// Empty (results dropped), or as many as the callee returns; `None` drops one.
    pub results: Vec<Option<VarId>>,
}

/// How a new thread begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Spawn {
    /// At a location of the same procedure, with a copy of the locals.
    Goto(Loc),
    /// By running a call, ending with it.
    Call { callee: ProcId, args: Vec<ExprId> },
}

/// What is asked of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Some assertion fails.
    Assert,
    /// Some location with this label is reached.
    Label(Name),
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Goal::Assert => f.write_str("assert"),
            Goal::Label(name) => write!(f, "label:{name}"),
        }
    }
}

impl Program {
    pub fn n_shared(&self) -> usize {
        self.shared.len()
    }

    /// How many variables are in scope inside a procedure.
    pub fn scope_width(&self, proc: ProcId) -> usize {
        self.n_shared() + self.procs[proc].locals.len()
    }

    /// The width of the widest scope.
    pub fn widest_scope(&self) -> usize {
        self.n_shared() + self.procs.iter().map(|proc| proc.locals.len()).max().unwrap_or(0)
    }

    pub fn is_shared(&self, var: VarId) -> bool {
        (var.as_u32() as usize) < self.n_shared()
    }

    pub fn scope(&self, proc: ProcId) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        (0..self.scope_width(proc) as u32).map(VarId::from_u32)
    }

    pub fn shared_vars(&self) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        (0..self.n_shared() as u32).map(VarId::from_u32)
    }

    /// All locals of a procedure: formals, returns, declared.
    pub fn locals(&self, proc: ProcId) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        self.local_range(0, self.procs[proc].locals.len())
    }

    pub fn formals(&self, proc: ProcId) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        self.local_range(0, self.procs[proc].n_formals)
    }

    pub fn returns(&self, proc: ProcId) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        let proc = &self.procs[proc];
        self.local_range(proc.n_formals, proc.n_formals + proc.n_returns)
    }

    fn local_range(
        &self,
        from: usize,
        to: usize,
    ) -> impl DoubleEndedIterator<Item = VarId> + use<> {
        let n_shared = self.n_shared();
        (from..to).map(move |local| VarId::from_u32((n_shared + local) as u32))
    }

    pub fn var_info(&self, proc: ProcId, var: VarId) -> &VarInfo {
        let index = var.as_u32() as usize;
        match self.shared.get(index) {
            Some(shared) => shared,
            None => &self.procs[proc].locals[index - self.n_shared()],
        }
    }

    pub fn proc_named(&self, name: &str) -> Option<ProcId> {
        self.procs.iter_enumerated().find(|(_, proc)| &*proc.name == name).map(|(id, _)| id)
    }

    pub fn edge(&self, at: EdgeRef) -> &Edge {
        &self.procs[at.proc].edges[at.edge]
    }

    /// All edges of the program, procedure by procedure.
    pub fn all_edges(&self) -> impl Iterator<Item = (EdgeRef, &Edge)> {
        self.procs.iter_enumerated().flat_map(|(proc, body)| {
            body.edges.iter_enumerated().map(move |(edge, it)| (EdgeRef { proc, edge }, it))
        })
    }

    /// All locations of the program, procedure by procedure.
    pub fn all_locs(&self) -> impl Iterator<Item = (LocRef, &LocInfo)> {
        self.procs.iter_enumerated().flat_map(|(proc, body)| {
            body.locs.iter_enumerated().map(move |(loc, it)| (LocRef { proc, loc }, it))
        })
    }

    /// Every `assert` of the program.
    pub fn asserts(&self) -> impl Iterator<Item = EdgeRef> {
        self.all_edges().filter(|(_, e)| matches!(e.action, Action::Assert(_))).map(|(at, _)| at)
    }

    /// Every location that carries the label.
    pub fn labelled<'a>(&'a self, label: &'a str) -> impl Iterator<Item = LocRef> + 'a {
        self.all_locs().filter(move |(_, info)| info.has_label(label)).map(|(at, _)| at)
    }

    /// The goal of a file for which none was asked: its asserts, or else the error label of the
    /// SLAM tools (design section 2, item 12).
    pub fn default_goal(&self) -> Goal {
        if self.asserts().next().is_none() {
            for label in ["SLIC_ERROR", "ERROR"] {
                if self.labelled(label).next().is_some() {
                    return Goal::Label(label.into());
                }
            }
        }
        Goal::Assert
    }

    /// Whether some statement starts a thread.
    pub fn starts_threads(&self) -> bool {
        self.all_edges().any(|(_, edge)| matches!(edge.action, Action::StartThread(_)))
    }

    /// Whether some statement writes the locals of other threads (`x$ := …`).
    pub fn has_broadcasts(&self) -> bool {
        let is_one = |action: &Action| matches!(action, Action::Assign(assign) if !assign.broadcast.is_empty());
        self.all_edges().any(|(_, edge)| is_one(&edge.action))
    }
}

impl Proc {
    /// The edges out of a location, with their ids.
    pub fn out_edges(&self, loc: Loc) -> impl DoubleEndedIterator<Item = (EdgeId, &Edge)> {
        let (start, end) = self.locs[loc].out;
        let edges = &self.edges.as_slice()[start as usize..end as usize];
        edges.iter().enumerate().map(move |(i, edge)| (EdgeId::from_u32(start + i as u32), edge))
    }

    /// The locations control may be at after one edge, calls counted as one.
    pub fn successors(&self, loc: Loc) -> impl DoubleEndedIterator<Item = Loc> + '_ {
        self.out_edges(loc).filter(|(_, edge)| edge.falls_through()).map(|(_, edge)| edge.to)
    }
}

impl LocInfo {
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|name| &**name == label)
    }
}

impl Edge {
    /// Whether the thread goes on at `to`; false only for the end of a thread.
    pub fn falls_through(&self) -> bool {
        self.action != Action::EndThread
    }
}
