//! Rings in the order of the fixpoint: some trace, soon, instead of the shortest one.
//!
//! Statement by statement, but otherwise as [`fixpoint`](crate::diagrams::fixpoint) does it: what arrives at a
//! location waits there and is joined until it is the location's turn; then it is a ring. So the diagrams are
//! those of what is reachable, not of what is reachable in exactly n statements.
//!
//! *Invariant.* A ring's path edges are those its `by` leads to; each pair of a call's ring and a ring of the
//! callee's exit is joined once, when the later of the two becomes a ring.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hardbop_base::{Budget, Exhausted, IndexVec};
use hardbop_cfg::analysis::reverse_postorder;
use hardbop_cfg::{Action, EdgeId, Goal, Loc, LocRef, ProcId};
use hardbop_dd::{Dd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::diagrams::graph::Rank;
use crate::diagrams::past::{By, Met, Past, Ring, RingId};

/// What is known, and what waits.
pub struct Sweep<'p, 'a, 'b> {
    past: &'p mut Past<'a, 'b>,
    /// All path edges of each location so far, those that wait included.
    reached: FxHashMap<LocRef, Dd>,
    waiting: FxHashMap<LocRef, (Dd, Vec<By>)>,
    queue: BinaryHeap<Reverse<(Rank, LocRef)>>,
    /// The ranks of the locations of each procedure that was entered.
    ranks: FxHashMap<ProcId, IndexVec<Loc, Rank>>,
    /// The rings at which a procedure was called.
    calls_of: FxHashMap<ProcId, Vec<(RingId, EdgeId)>>,
    /// The rings at the exit of each procedure.
    exits_of: FxHashMap<ProcId, Vec<RingId>>,
}

impl<'p, 'a, 'b> Sweep<'p, 'a, 'b> {
    pub fn new(past: &'p mut Past<'a, 'b>) -> Self {
        Sweep {
            past,
            reached: FxHashMap::default(),
            waiting: FxHashMap::default(),
            queue: BinaryHeap::new(),
            ranks: FxHashMap::default(),
            calls_of: FxHashMap::default(),
            exits_of: FxHashMap::default(),
        }
    }

    /// Propagates until the goal is met; `None` if it never is.
    pub fn search(
        &mut self,
        initial: &Dd,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Option<Met>, Exhausted> {
        let mut meter = budget.meter(4);
        self.enter(self.past.program.main, initial, By::Start(initial.clone()))?;
        while let Some(Reverse((_, at))) = self.queue.pop() {
            meter.tick()?;
            let (edges, by) = self.waiting.remove(&at).expect("what is queued waits");
            let ring = self.past.rings.push(Ring { at, edges: edges.clone(), by });
            if let Some(assert) = self.past.meets(at, &edges, goal)? {
                return Ok(Some(Met { ring, assert }));
            }
            self.leave(ring, at, &edges)?;
            self.past.enc.dd.maybe_gc();
        }
        Ok(None)
    }

    /// Everywhere a new ring leads to.
    fn leave(&mut self, ring: RingId, at: LocRef, edges: &Dd) -> Result<(), OutOfNodes> {
        let body = &self.past.program.procs[at.proc];
        for (id, edge) in body.out_edges(at.loc) {
            match &edge.action {
                Action::EndThread => {}
                Action::Call(call) => {
                    let Past { calls, enc, .. } = &mut *self.past;
                    let states = calls.enter(enc, at, call, edges)?;
                    self.enter(call.callee, &states, By::Call(ring, id))?;
                    self.calls_of.entry(call.callee).or_default().push((ring, id));
                    for exit in self.exits_of.get(&call.callee).cloned().unwrap_or_default() {
                        self.returns(ring, id, exit)?;
                    }
                }
                _ => {
                    let post = self.past.post(at.proc, id, edges)?;
                    self.add(LocRef { loc: edge.to, ..at }, post, By::Edge(ring, id))?;
                }
            }
        }
        if at.loc == body.exit {
            self.exits_of.entry(at.proc).or_default().push(ring);
            for (call, edge) in self.calls_of.get(&at.proc).cloned().unwrap_or_default() {
                self.returns(call, edge, ring)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, proc: ProcId, states: &Dd, by: By) -> Result<(), OutOfNodes> {
        let met = self.ranks.len() as u32;
        let body = &self.past.program.procs[proc];
        self.ranks.entry(proc).or_insert_with(|| {
            let mut ranks = IndexVec::from_elem(Rank::Inside(u32::MAX), body.locs.len());
            for (at, loc) in reverse_postorder(body).into_iter().enumerate() {
                let is_call =
                    |(_, edge): (_, &hardbop_cfg::Edge)| matches!(edge.action, Action::Call(_));
                ranks[loc] = if loc == body.exit {
                    Rank::Return(Reverse(met))
                } else if body.out_edges(loc).any(is_call) {
                    Rank::Call(met)
                } else {
                    Rank::Inside(at as u32)
                };
            }
            ranks
        });
        let edges = self.past.entering(proc, states)?;
        self.add(LocRef { proc, loc: body.entry }, edges, by)
    }

    fn returns(&mut self, call: RingId, edge: EdgeId, exit: RingId) -> Result<(), OutOfNodes> {
        let edges = self.past.returned(call, edge, exit)?;
        let at = self.past.rings[call].at;
        let to = LocRef { loc: self.past.program.procs[at.proc].edges[edge].to, ..at };
        self.add(to, edges, By::Return(call, edge, exit))
    }

    /// Path edges found at a location.
    fn add(&mut self, at: LocRef, edges: Dd, by: By) -> Result<(), OutOfNodes> {
        let dd = self.past.enc.dd;
        let reached = self.reached.entry(at).or_insert_with(|| dd.zero().clone());
        if dd.leq(&edges, reached) {
            return Ok(());
        }
        *reached = dd.or(reached, &edges)?;
        match self.waiting.get_mut(&at) {
            Some((waiting, causes)) => {
                *waiting = dd.or(waiting, &edges)?;
                causes.push(by);
            }
            None => {
                self.waiting.insert(at, (edges, vec![by]));
                self.queue.push(Reverse((self.ranks[&at.proc][at.loc], at)));
            }
        }
        Ok(())
    }
}
