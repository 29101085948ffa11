//! Building a procedure's graph in any order and freezing it with sorted edges.

use hardbop_base::{IndexVec, Name, Span};

use crate::expr::ExprId;
use crate::program::{Action, Edge, Loc, LocInfo, Proc, VarInfo};

/// A procedure under construction. Location 0 is the exit.
#[derive(Debug)]
pub struct ProcBuilder {
    proc: Proc,
    edges: Vec<Edge>,
}

impl ProcBuilder {
    pub fn new(name: Name, span: Option<Span>) -> Self {
        let mut builder = ProcBuilder::empty(name, span);
        builder.loc(span);
        builder
    }

    /// Without any location, not even an exit: for [`ProcBuilder::finish_between`].
    pub(crate) fn empty(name: Name, span: Option<Span>) -> Self {
        let exit = Loc::from_u32(0);
        ProcBuilder {
            proc: Proc {
                name,
                span,
                locals: Vec::new(),
                n_formals: 0,
                n_returns: 0,
                enforce: None,
                entry: exit,
                exit,
                locs: IndexVec::new(),
                edges: IndexVec::new(),
            },
            edges: Vec::new(),
        }
    }

    pub fn locals(&mut self, locals: Vec<VarInfo>, n_formals: usize, n_returns: usize) {
        assert!(n_formals + n_returns <= locals.len());
        (self.proc.locals, self.proc.n_formals, self.proc.n_returns) =
            (locals, n_formals, n_returns);
    }

    pub fn enforce(&mut self, enforce: Option<ExprId>) {
        self.proc.enforce = enforce;
    }

    pub fn exit(&self) -> Loc {
        self.proc.exit
    }

    pub fn entry(&mut self, entry: Loc) {
        self.proc.entry = entry;
    }

    /// A new location for the statement at `span`.
    pub fn loc(&mut self, span: Option<Span>) -> Loc {
        self.proc.locs.push(LocInfo { span, ..LocInfo::default() })
    }

    pub fn label(&mut self, loc: Loc, label: Name) {
        self.proc.locs[loc].labels.push(label);
    }

    pub(crate) fn span(&mut self, loc: Loc, span: Option<Span>) {
        self.proc.locs[loc].span = span;
    }

    pub fn edge(&mut self, from: Loc, action: Action, to: Loc) {
        self.edges.push(Edge { from, to, action });
    }

    pub(crate) fn finish_between(mut self, entry: Loc, exit: Loc) -> Proc {
        (self.proc.entry, self.proc.exit) = (entry, exit);
        self.finish()
    }

    /// Sorts the edges by source, keeping the order they were added in.
    pub fn finish(mut self) -> Proc {
        self.edges.sort_by_key(|edge| edge.from);
        let mut at = 0;
        for (loc, info) in self.proc.locs.as_mut_slice().iter_mut().enumerate() {
            let start = at;
            while self.edges.get(at).is_some_and(|edge| edge.from.as_u32() as usize == loc) {
                at += 1;
            }
            info.out = (start as u32, at as u32);
        }
        // A program is kept as long as anything is asked of it: no room for more.
        self.edges.shrink_to_fit();
        self.proc.edges = self.edges.into();
        self.proc.locs = self.proc.locs.iter_mut().map(std::mem::take).collect();
        self.proc
    }
}
