//! A procedure of the sequential program under construction, each edge with what it means.

use hardbop_base::{IndexVec, Span};
use hardbop_cfg::{Action, Assign, EdgeId, EdgeRef, ExprId, Loc, LocRef, Proc, ProcBuilder, VarId};

/// What an edge of the sequential program is in the program with threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Nothing: it steers.
    Silent,
    /// The running thread executes this edge; a call enters the callee.
    Take(EdgeRef),
    /// The same for an edge that starts a thread.
    Start(EdgeRef, Started),
    /// The running thread is at the label that was asked for.
    Reach(LocRef),
    /// The running thread fails this assertion.
    Violate(EdgeRef),
    /// The running thread returns to its caller: the results are stored.
    Stored,
    /// A call whose results are stored by an edge of their own.
    CallAndStore(EdgeRef),
    /// The thread whose first context this is begins to run.
    Begin(usize),
    /// One of the initial threads beside the first gets this first context.
    AlsoInitial(usize),
}

/// Which thread a start brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Started {
    /// None: the bound is reached.
    None,
    /// One that never runs.
    Idle,
    /// One whose first context is this.
    In(usize),
}

pub struct Body {
    builder: ProcBuilder,
    origins: Vec<(Loc, Origin)>,
}

impl Body {
    pub fn new(builder: ProcBuilder) -> Self {
        Body { builder, origins: Vec::new() }
    }

    pub fn builder(&mut self) -> &mut ProcBuilder {
        &mut self.builder
    }

    pub fn exit(&self) -> Loc {
        self.builder.exit()
    }

    pub fn loc(&mut self, span: Option<Span>) -> Loc {
        self.builder.loc(span)
    }

    pub fn edge(&mut self, from: Loc, action: Action, to: Loc, origin: Origin) {
        self.builder.edge(from, action, to);
        self.origins.push((from, origin));
    }

    /// Where the condition may hold, the targets get their values.
    pub fn assign(
        &mut self,
        from: Loc,
        condition: ExprId,
        targets: Vec<(VarId, ExprId)>,
        to: Loc,
        origin: Origin,
    ) {
        let assign = Assign { targets, broadcast: Vec::new(), constrain: Some(condition) };
        self.edge(from, Action::Assign(Box::new(assign)), to, origin);
    }

    pub fn finish(mut self) -> (Proc, IndexVec<EdgeId, Origin>) {
        // As the builder sorts its edges.
        self.origins.sort_by_key(|&(from, _)| from);
        (self.builder.finish(), self.origins.into_iter().map(|(_, origin)| origin).collect())
    }
}
