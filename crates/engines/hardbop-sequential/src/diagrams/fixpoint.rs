//! The fixpoint: path edges and summaries over decision diagrams.
//!
//! BEB section 3 (after Reps, Horwitz and Sagiv), with the work-list of BOOM section 10.6. At each
//! node we keep the *path edges*: the relation between the values with which its procedure was
//! entered and the values now, over all ways to get here. The path edges of an exit are the
//! procedure's summary.
//!
//! *Invariant.* `pending(n) ⊆ reached(n)`, and whatever can be reached in one arc, call or return
//! from a pair in `reached` but not in `pending` is in `reached`. When nothing is pending,
//! `reached` is closed.
//!
//! *Departures.* Only what is new is propagated. A summary is joined behind a call as a relation
//! like that of any statement (`calls`), so that untouched variables are framed.
//!
//! Read: [`Fixpoint::run`], [`Fixpoint::add`], [`Fixpoint::call`], [`Fixpoint::returns`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hardbop_base::Progress;
use hardbop_base::{Bits, Budget, Exhausted, IndexVec};
use hardbop_cfg::analysis::{Live, ModRef};
use hardbop_cfg::{Goal, LocRef, ProcId, Program};
use hardbop_dd::{Dd, Manager, OutOfNodes};
use hardbop_engine::GoalSite;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagrams::calls::Calls;
use crate::diagrams::graph::{Graph, GraphOptions, NodeId, Rank};
use hardbop_encode::encode::Encoder;
use hardbop_encode::slots::{Moment, Slots};

/// Budget questions are asked once in this many steps; a step may be long.
const STEPS_PER_CHECK: u32 = 4;

/// What the fixpoint is computed from; all of it belongs to the caller.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub program: &'a Program,
    pub live: &'a Live,
    pub modref: &'a ModRef,
    pub dd: &'a Manager,
    pub slots: &'a Slots,
}

/// A call that waits for its callee to return.
#[derive(Clone, Debug)]
struct Caller {
    node: NodeId,
    /// Which of the node's calls.
    which: usize,
    /// With what it has entered the callee, over the callee's current values.
    passed: Dd,
}

/// Path edges of all nodes met so far.
#[derive(Debug)]
pub struct Fixpoint<'a> {
    pub enc: Encoder<'a>,
    pub graph: Graph<'a>,
    pub calls: Calls<'a>,
    /// Path edges: entry values and current values.
    pub reached: IndexVec<NodeId, Dd>,
    /// Those that were not yet propagated; false where there are none.
    pending: IndexVec<NodeId, Dd>,
    queue: BinaryHeap<Reverse<(Rank, NodeId)>>,
    /// Calls met so far, by callee.
    callers: FxHashMap<ProcId, Vec<Caller>>,
    /// How many times a node's new path edges were propagated. // stats
    pub n_steps: u64,
}

impl<'a> Fixpoint<'a> {
    pub fn new(facts: Facts<'a>, options: GraphOptions) -> Self {
        let Facts { program, live, modref, dd, slots } = facts;
        Fixpoint {
            enc: Encoder::new(program, dd, slots),
            graph: Graph::new(program, live, options),
            calls: Calls::new(program, live, modref),
            reached: IndexVec::new(),
            pending: IndexVec::new(),
            queue: BinaryHeap::new(),
            callers: FxHashMap::default(),
            n_steps: 0,
        }
    }

    /// Propagates until nothing is pending, or the goal is met.
    pub fn run(
        &mut self,
        goal: Option<&Goal>,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Option<GoalSite>, Exhausted> {
        let mut meter = budget.meter(STEPS_PER_CHECK);
        self.start()?;
        while let Some(Reverse((_, node))) = self.queue.pop() {
            meter.tick()?;
            self.n_steps += 1;
            progress.set_found(self.n_steps);
            progress.set_waiting(self.queue.len() as u64);
            let new = std::mem::replace(&mut self.pending[node], self.enc.dd.zero().clone());
            if let Some(site) = goal.and_then(|goal| self.met(node, &new, goal)) {
                return Ok(Some(site));
            }
            for arc in 0..self.graph.nodes[node].arcs.len() {
                let arc = &self.graph.nodes[node].arcs[arc];
                let (to, post) = (arc.to, arc.arrow.post(&mut self.enc, &new)?);
                self.add(to, post)?;
            }
            for call in 0..self.graph.nodes[node].calls.len() {
                self.call(node, call, &new)?;
            }
            self.returns(node, &new)?;
            self.enc.dd.maybe_gc();
        }
        Ok(None)
    }

    fn start(&mut self) -> Result<(), OutOfNodes> {
        let initial = self.initial()?;
        let initial = self.carried(initial)?;
        self.enter(self.enc.program.main, initial)
    }

    /// The initial states of the program, over all shared variables.
    pub fn initial(&mut self) -> Result<Dd, OutOfNodes> {
        let program = self.enc.program;
        let mut initial = self.enc.dd.one().clone();
        for &(var, expr) in &program.init {
            let takes = self.enc.takes(var, Moment::Now, expr)?;
            initial = self.enc.dd.and(&initial, &takes)?;
        }
        if let Some(expr) = program.procs[program.main].enforce {
            let holds = self.enc.may(expr)?.be_true;
            initial = self.enc.dd.and(&initial, &holds)?;
        }
        Ok(initial)
    }

    /// The same, of what is live at the entry of `main`.
    pub fn carried(&mut self, initial: Dd) -> Result<Dd, OutOfNodes> {
        let program = self.enc.program;
        let entry = LocRef { proc: program.main, loc: program.procs[program.main].entry };
        let mut dead = Bits::full(program.n_shared());
        dead.subtract(self.graph.live().at(entry));
        let dead = self.enc.cube(&dead, Moment::Now)?;
        self.enc.dd.exists(&initial, &dead)
    }

    /// States at the entry of a procedure, over its current values.
    fn enter(&mut self, proc: ProcId, states: Dd) -> Result<(), OutOfNodes> {
        let entry = self.graph.enter(&mut self.enc, proc)?.entry;
        let vars = self.calls.entry_vars(proc);
        let same = self.enc.equal(&vars, Moment::Entry, Moment::Now)?;
        let edges = self.enc.dd.and(&states, &same)?;
        self.add(entry, edges)
    }

    /// Path edges found at a node.
    fn add(&mut self, node: NodeId, edges: Dd) -> Result<(), OutOfNodes> {
        let dd = self.enc.dd;
        while self.reached.len() < self.graph.nodes.len() {
            self.reached.push(dd.zero().clone());
            self.pending.push(dd.zero().clone());
        }
        if dd.leq(&edges, &self.reached[node]) {
            return Ok(());
        }
        self.reached[node] = dd.or(&self.reached[node], &edges)?;
        if dd.is_false(&self.pending[node]) {
            self.queue.push(Reverse((self.graph.nodes[node].rank, node)));
            self.pending[node] = edges;
        } else {
            self.pending[node] = dd.or(&self.pending[node], &edges)?;
        }
        Ok(())
    }

    /// New path edges at a call: enter the callee, and jump over it by what is known of it.
    fn call(&mut self, node: NodeId, which: usize, new: &Dd) -> Result<(), OutOfNodes> {
        let at = self.graph.nodes[node].at;
        let call = self.graph.nodes[node].calls[which].call;
        let states = self.calls.enter(&mut self.enc, at, call, new)?;
        let callers = self.callers.entry(call.callee).or_default();
        match self.graph.nodes[node].calls[which].caller {
            Some(known) => {
                let passed = &mut callers[known].passed;
                *passed = self.enc.dd.or(passed, &states)?;
            }
            None => {
                self.graph.nodes[node].calls[which].caller = Some(callers.len());
                callers.push(Caller { node, which, passed: states.clone() });
            }
        }
        self.enter(call.callee, states)?;
        let exit = self.graph.procs[&call.callee].exit;
        let summary = self.reached[exit].clone();
        self.join(node, which, new, &summary)
    }

    /// New path edges at an exit: every call that waits for them goes on.
    fn returns(&mut self, node: NodeId, new: &Dd) -> Result<(), OutOfNodes> {
        let LocRef { proc, loc } = self.graph.nodes[node].at;
        if loc != self.enc.program.procs[proc].exit {
            return Ok(());
        }
        let Some(callers) = self.callers.get(&proc) else { return Ok(()) };
        // Most calls of a procedure did not enter with what has just come back.
        let entries = self.calls.entries(&mut self.enc, proc, new)?;
        let concerned =
            callers.iter().filter(|caller| !self.enc.dd.disjoint(&caller.passed, &entries));
        let concerned: Vec<_> = concerned.map(|caller| (caller.node, caller.which)).collect();
        for (caller, which) in concerned {
            let waiting = self.reached[caller].clone();
            self.join(caller, which, &waiting, new)?;
        }
        Ok(())
    }

    /// Path edges at a call, followed by a summary of its callee.
    fn join(
        &mut self,
        node: NodeId,
        which: usize,
        edges: &Dd,
        summary: &Dd,
    ) -> Result<(), OutOfNodes> {
        if self.enc.dd.is_false(summary) {
            return Ok(());
        }
        let at = self.graph.nodes[node].at;
        let arc = &self.graph.nodes[node].calls[which];
        let (call, to) = (arc.call, arc.to);
        let target = self.graph.nodes[to].at;
        let arrow = self.calls.arrow(&mut self.enc, at, call, target, summary)?;
        let mut post = arrow.post(&mut self.enc, edges)?;
        if let Some(expr) = self.enc.program.procs[at.proc].enforce {
            let holds = self.enc.may(expr)?.be_true;
            post = self.enc.dd.and(&post, &holds)?;
        }
        self.add(to, post)
    }

    /// What the fixpoint has: path edges, and the relations between nodes.
    pub fn functions(&self) -> Vec<Dd> {
        let relations = self.graph.nodes.iter().flat_map(|node| &node.arcs);
        let all = self.reached.iter().chain(relations.map(|arc| &arc.arrow.relation));
        let mut seen = FxHashSet::default();
        all.filter(|f| seen.insert(*f)).cloned().collect()
    }

    /// A site of the goal that these path edges of a node lead to.
    fn met(&self, node: NodeId, edges: &Dd, goal: &Goal) -> Option<GoalSite> {
        let sites = self.graph.nodes[node].sites.iter();
        let mut met =
            sites.filter(|site| site.goal.is_of(goal) && !self.enc.dd.disjoint(edges, &site.from));
        met.next().map(|site| site.goal.clone())
    }

    /// All sites that were reached.
    pub fn sites_met(&self) -> impl Iterator<Item = &GoalSite> {
        self.graph.nodes.iter_enumerated().flat_map(move |(id, node)| {
            let reached = self.reached.get(id);
            node.sites.iter().filter_map(move |site| {
                let met = !self.enc.dd.disjoint(reached?, &site.from);
                met.then_some(&site.goal)
            })
        })
    }
}
