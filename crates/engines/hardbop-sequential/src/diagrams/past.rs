//! Path edges with what led to them: what a trace is read off.
//!
//! A *ring* is a set of path edges found together at a location. Whoever searches says of each ring by what its
//! path edges came, always from rings that were there before; so going back ends.
//! [`rings`](crate::diagrams::rings) searches in the order of time, [`sweep`](crate::diagrams::sweep) in that of
//! the fixpoint.

use std::rc::Rc;

use hardbop_base::{Bits, IndexVec, define_id};
use hardbop_cfg::analysis::Live;
use hardbop_cfg::{Action, Call, EdgeId, Goal, LocRef, ProcId, Program};
use hardbop_dd::{Dd, OutOfNodes};

use crate::diagrams::calls::Calls;
use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::Moment;
use hardbop_encode::transfer::{Arrow, Transfers};

define_id!(
    /// A ring.
    RingId, "ring"
);

/// Path edges found together.
#[derive(Debug)]
pub struct Ring {
    pub at: LocRef,
    pub edges: Dd,
    /// Each path edge came by one of these at least.
    pub by: Vec<By>,
}

/// What leads to path edges, from rings with smaller numbers.
#[derive(Clone, Debug)]
pub enum By {
    /// The program starts, in one of these states.
    Start(Dd),
    /// A statement of the procedure.
    Edge(RingId, EdgeId),
    /// A call, which enters the procedure.
    Call(RingId, EdgeId),
    /// A return: the ring of the call, its edge, and the ring of the callee's exit.
    Return(RingId, EdgeId, RingId),
}

/// Where the goal was met.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub ring: RingId,
    /// The assertion that fails; `None` for a label.
    pub assert: Option<EdgeId>,
}

/// The tools the fixpoint was computed with, and the rings found so far.
pub struct Past<'a, 'b> {
    pub program: &'a Program,
    pub live: &'a Live,
    pub enc: &'b mut Encoder<'a>,
    pub transfers: &'b mut Transfers,
    pub calls: &'b mut Calls<'a>,
    pub rings: IndexVec<RingId, Ring>,
}

impl<'a, 'b> Past<'a, 'b> {
    pub fn new(
        live: &'a Live,
        enc: &'b mut Encoder<'a>,
        transfers: &'b mut Transfers,
        calls: &'b mut Calls<'a>,
    ) -> Self {
        Past { program: enc.program, live, enc, transfers, calls, rings: IndexVec::new() }
    }

    /// Whether path edges at a location meet the goal; if so, the assertion that fails.
    pub fn meets(
        &mut self,
        at: LocRef,
        edges: &Dd,
        goal: &Goal,
    ) -> Result<Option<Option<EdgeId>>, OutOfNodes> {
        let body = &self.program.procs[at.proc];
        if let Goal::Label(name) = goal {
            return Ok(body.locs[at.loc].has_label(name).then_some(None));
        }
        for (id, edge) in body.out_edges(at.loc) {
            if let Action::Assert(expr) = edge.action
                && !self.enc.dd.disjoint(edges, &self.enc.may(expr)?.be_false)
            {
                return Ok(Some(Some(id)));
            }
        }
        Ok(None)
    }

    /// The path edges with which a procedure is entered in these states.
    pub fn entering(&mut self, proc: ProcId, states: &Dd) -> Result<Dd, OutOfNodes> {
        let vars = self.calls.entry_vars(proc);
        let same = self.enc.equal(&vars, Moment::Entry, Moment::Now)?;
        self.enc.dd.and(states, &same)
    }

    /// The path edges that a statement of the procedure leads to.
    pub fn post(&mut self, proc: ProcId, edge: EdgeId, edges: &Dd) -> Result<Dd, OutOfNodes> {
        self.arrow(proc, edge)?.post(self.enc, edges)
    }

    /// The path edges behind a call, by a ring of the call and one of the callee's exit.
    pub fn returned(&mut self, call: RingId, edge: EdgeId, exit: RingId) -> Result<Dd, OutOfNodes> {
        let before = self.rings[call].edges.clone();
        let proc = self.rings[call].at.proc;
        let edges = self.call_arrow(proc, edge, exit)?.post(self.enc, &before)?;
        match self.program.procs[proc].enforce {
            None => Ok(edges),
            Some(expr) => {
                let holds = self.enc.may(expr)?.be_true;
                self.enc.dd.and(&edges, &holds)
            }
        }
    }

    /// The arrow of an edge that stays in its procedure.
    pub fn arrow(&mut self, proc: ProcId, edge: EdgeId) -> Result<Rc<Arrow>, OutOfNodes> {
        let body = &self.program.procs[proc];
        let edge = &body.edges[edge];
        let transfer = self.transfers.of_action(self.enc, &edge.action, body.enforce)?;
        let carried = |loc| self.live.at(LocRef { proc, loc });
        self.transfers.arrow(self.enc, transfer, carried(edge.from), carried(edge.to))
    }

    /// The arrow of a call by a ring of its callee's exit.
    pub fn call_arrow(
        &mut self,
        proc: ProcId,
        edge: EdgeId,
        exit: RingId,
    ) -> Result<Arrow, OutOfNodes> {
        let edge = &self.program.procs[proc].edges[edge];
        let at = |loc| LocRef { proc, loc };
        let summary = self.rings[exit].edges.clone();
        self.calls.arrow(self.enc, at(edge.from), call_of(edge), at(edge.to), &summary)
    }

    /// The variables whose values a ring tells: at entry, and now.
    pub fn vars(&self, ring: RingId) -> (Bits, Bits) {
        let at = self.rings[ring].at;
        (self.calls.entry_vars(at.proc), self.live.at(at).clone())
    }
}

/// The call on an edge that is one.
pub fn call_of(edge: &hardbop_cfg::Edge) -> &Call {
    match &edge.action {
        Action::Call(call) => call,
        other => unreachable!("{other:?} is no call"),
    }
}
