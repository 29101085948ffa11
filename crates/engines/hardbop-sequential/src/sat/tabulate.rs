//! Path edges and summaries by symbolic simulation, their fixpoint by QBF.
//!
//! SUM section 3 and figure 1, BOOM section 4.1 and figure 4.3. Callees before callers, and within
//! a procedure in weak topological order, what waits at a location is merged, asked whether it
//! can be reached (SAT) and whether it is new (QBF), and expanded.
//!
//! **Where we depart.**
//! * A path edge of SUM has the values at entry of one calling context. Ours hold for all values
//!   ([`state`](crate::sat::state)); contexts are kept apart ([`context`](crate::sat::context)), and tell what
//!   is worth exploring. A summary is computed once whatever the number of contexts, and applied by
//!   substitution.
//! * SUM's applicability (5) asks whether a *summary* covers all states of a call. A callee that
//!   does not return from some of them then has no applicable summary at all, and figure 1 loses
//!   the path behind the call. We ask whether the *entries explored* cover the call, and apply every
//!   summary to every call.
//! * Only heads of loops, exits and entries are compared by QBF: each cycle of the program passes
//!   one of them.
//!
//! **Invariant.** Every path edge whose entry is in a context of its procedure is expanded, or
//! waits, or is parked because no context reaches it or expanded ones include it. A new context
//! wakes what is parked.
//!
//! Read: [`Tabulation::run`], `visit`, `expand`, `call`, `propose`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use hardbop_base::{Exhausted, IndexVec};
use hardbop_cfg::analysis::Follow;
use hardbop_cfg::{Action, EdgeId, LocRef, ProcId};
use hardbop_engine::RunCtx;
use hardbop_sat::{Copy, Qbf, Term, Unmapped};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::sat::concretize::{Env, Walk, ending};
use crate::sat::context::{ByCall, Context, ContextId, lead_in};
use crate::sat::history::History;
use crate::sat::outcome::Outcome;
use crate::sat::proof::{Entered, Explored, Reach};
use crate::sat::sim::Sim;
use crate::sat::state::{Origin, State, StateId, WayId};
use crate::sat::unroll::Known;

pub struct Tabulation<'s, 'a> {
    sim: &'s mut Sim<'a>,
    ctx: &'s RunCtx,
    qbf: Qbf,
    /// Universal summaries; what has none is tabulated.
    known: IndexVec<ProcId, Known>,
    tables: IndexVec<ProcId, Table>,
    contexts: IndexVec<ContextId, Context>,
    /// Component of the call graph, procedure, position in its weak topological order.
    queue: BTreeSet<(u32, ProcId, u32)>,
    /// Calls in contexts they were not yet proposed with.
    proposals: VecDeque<(ProcId, usize, Vec<ContextId>)>,
    /// Groups of goals that were reached.
    reached: FxHashSet<usize>,
}

/// What is known of a procedure.
#[derive(Debug)]
struct Table {
    /// By position in the weak topological order.
    waiting: BTreeMap<u32, Vec<StateId>>,
    parked: Vec<StateId>,
    history: FxHashMap<u32, History>,
    contexts: Vec<ContextId>,
    /// Their disjunction.
    in_context: Term,
    calls: Vec<PathCall>,
    /// Calls of this procedure.
    callers: Vec<(ProcId, usize)>,
    exits: Vec<StateId>,
    /// All states that were expanded.
    states: Vec<StateId>,
    ways: Vec<(usize, WayId)>,
}

/// A call that was expanded.
#[derive(Clone, Debug)]
struct PathCall {
    from: StateId,
    edge: EdgeId,
    callee: ProcId,
    passed: Rc<[Term]>,
}

impl<'s, 'a> Tabulation<'s, 'a> {
    pub fn new(sim: &'s mut Sim<'a>, ctx: &'s RunCtx, known: IndexVec<ProcId, Known>) -> Self {
        let table = || Table {
            waiting: BTreeMap::new(),
            parked: Vec::new(),
            history: FxHashMap::default(),
            contexts: Vec::new(),
            in_context: Term::FALSE,
            calls: Vec::new(),
            callers: Vec::new(),
            exits: Vec::new(),
            states: Vec::new(),
            ways: Vec::new(),
        };
        Tabulation {
            tables: sim.facts.program.procs.iter().map(|_| table()).collect(),
            qbf: Qbf::new(&ctx.budget),
            sim,
            ctx,
            known,
            contexts: IndexVec::new(),
            queue: BTreeSet::new(),
            proposals: VecDeque::new(),
            reached: FxHashSet::default(),
        }
    }

    pub fn n_qbf_calls(&self) -> u64 {
        self.qbf.n_calls()
    }

    pub fn n_qbf_rounds(&self) -> u64 {
        self.qbf.n_rounds()
    }

    /// Explores up to a goal, or everything.
    pub fn run(&mut self, outcome: &mut Outcome) -> Result<(), Exhausted> {
        let main = self.sim.facts.program.main;
        let condition = self.sim.initial();
        self.add_context(main, Context { condition, by: None }, outcome)?;
        while !self.is_done() {
            self.ctx.budget.check()?;
            if let Some((proc, call, parents)) = self.proposals.pop_front() {
                self.propose(proc, call, parents, outcome)?;
                continue;
            }
            let Some((_, proc, position)) = self.queue.pop_first() else { break };
            self.visit(proc, position, outcome)?;
        }
        Ok(())
    }

    /// What a run that ended without a goal has explored.
    pub fn explored(&self) -> Explored {
        let tables = self.tables.iter_enumerated();
        let reach = tables.map(|(proc, table)| match &self.known[proc] {
            Known::Summary(summary) => Reach::of_summary(summary),
            _ if table.contexts.is_empty() => Reach::Never,
            _ => Reach::States(table.states.clone(), Entered::If(table.in_context)),
        });
        reach.collect()
    }

    fn is_done(&self) -> bool {
        self.reached.len() == self.sim.facts.n_groups()
    }

    fn wait(&mut self, state: Option<StateId>) {
        let Some(state) = state else { return };
        let State { proc, loc, .. } = self.sim.arena.states[state];
        let facts = self.sim.facts;
        let position = facts.order[proc].position(loc);
        let position = position.expect("a reached location is reachable in the graph");
        self.tables[proc].waiting.entry(position).or_default().push(state);
        self.queue.insert((facts.calls.component(proc, Follow::Calls), proc, position));
    }

    /// Merges what waits at a location and expands it if it is reachable and new.
    fn visit(
        &mut self,
        proc: ProcId,
        position: u32,
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        let parts = self.tables[proc].waiting.remove(&position);
        let parts = parts.expect("what is queued waits");
        let state = self.sim.join_any(&parts);
        self.ctx.progress.set_found(self.sim.arena.states.len() as u64);
        self.ctx.progress.set_waiting(self.queue.len() as u64);
        let loc = self.sim.arena.states[state].loc;
        let context = self.tables[proc].in_context;
        if !self.is_checked(state) {
            let guard = self.sim.arena.states[state].guard;
            if !self.sim.oracle.is_satisfiable(&self.sim.aig, &[context, guard])? {
                self.tables[proc].parked.push(state);
                return Ok(());
            }
        }
        let facts = self.sim.facts;
        let at = LocRef { proc, loc };
        let is_exit = loc == facts.program.procs[proc].exit;
        if is_exit || facts.is_head(at) {
            let compared: Vec<usize> =
                if is_exit { facts.exit_vars(proc) } else { facts.live_at(at).collect() };
            let history = self.tables[proc].history.entry(position).or_default();
            if history.includes(self.sim, &mut self.qbf, state, &compared, context)? {
                self.tables[proc].parked.push(state);
                return Ok(());
            }
            history.add(self.sim, state, &compared);
        }
        self.expand(state, outcome)?;
        self.tables[proc].states.push(state);
        if is_exit {
            self.summarise(proc, state);
        }
        Ok(())
    }

    /// Whether the state is as reachable as the expanded one it comes from.
    fn is_checked(&self, state: StateId) -> bool {
        let State { guard, ref origin, .. } = self.sim.arena.states[state];
        matches!(origin, Origin::Step { from, .. } if self.sim.arena.states[*from].guard == guard)
    }

    fn expand(&mut self, state: StateId, outcome: &mut Outcome) -> Result<(), Exhausted> {
        let State { proc, loc, .. } = self.sim.arena.states[state];
        for (site, way) in self.sim.ways_here(state) {
            self.add_way(proc, self.sim.facts.group(site), way, outcome)?;
        }
        let body = &self.sim.facts.program.procs[proc];
        for (id, edge) in body.out_edges(loc) {
            if let Action::Call(_) = edge.action {
                self.call(state, id, outcome)?;
            } else {
                let next = self.sim.step(state, id, edge, Term::TRUE);
                self.wait(next);
            }
        }
        Ok(())
    }

    /// Enters the callee, and returns at once with the summaries known already.
    fn call(&mut self, from: StateId, id: EdgeId, outcome: &mut Outcome) -> Result<(), Exhausted> {
        let proc = self.sim.arena.states[from].proc;
        let edge = &self.sim.facts.program.procs[proc].edges[id];
        let Action::Call(call) = &edge.action else { unreachable!("only calls are called") };
        let callee = call.callee;
        let passed: Rc<[Term]> = self.sim.passed(from, call).into();
        if let Known::Summary(summary) = &self.known[callee] {
            let summary = summary.clone();
            for (group, way) in summary.ways {
                if let Some(way) = self.sim.ways_inside(from, id, callee, &passed, way) {
                    self.add_way(proc, group, way, outcome)?;
                }
            }
            let exit = summary.exit;
            let after = exit.and_then(|exit| self.sim.returned(from, id, edge, &passed, exit));
            self.wait(after);
            return Ok(());
        }
        let call = PathCall { from, edge: id, callee, passed };
        for exit in self.tables[callee].exits.clone() {
            self.resume(&call, exit);
        }
        let number = self.tables[proc].calls.len();
        self.tables[proc].calls.push(call);
        self.tables[callee].callers.push((proc, number));
        self.proposals.push_back((proc, number, self.tables[proc].contexts.clone()));
        Ok(())
    }

    /// Hands a state at the exit to all calls of the procedure.
    fn summarise(&mut self, proc: ProcId, exit: StateId) {
        self.tables[proc].exits.push(exit);
        for (caller, number) in self.tables[proc].callers.clone() {
            let call = self.tables[caller].calls[number].clone();
            self.resume(&call, exit);
        }
    }

    fn resume(&mut self, call: &PathCall, exit: StateId) {
        let proc = self.sim.arena.states[call.from].proc;
        let edge = &self.sim.facts.program.procs[proc].edges[call.edge];
        let after = self.sim.returned(call.from, call.edge, edge, &call.passed, exit);
        self.wait(after);
    }

    /// A call in contexts of its procedure: a context of the callee, if it is a new one.
    fn propose(
        &mut self,
        proc: ProcId,
        number: usize,
        parents: Vec<ContextId>,
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        let PathCall { from, edge, callee, passed } = self.tables[proc].calls[number].clone();
        let sim = &mut *self.sim;
        let conditions: Vec<Term> =
            parents.iter().map(|&parent| self.contexts[parent].condition).collect();
        let in_parents = sim.aig.any(&conditions);
        let called = sim.aig.and(sim.arena.states[from].guard, in_parents);
        let (mut called, mut renamed, mut copy) = (called, passed.to_vec(), None);
        let component = |proc| sim.facts.calls.component(proc, Follow::Calls);
        if component(proc) == component(callee) {
            let mut renaming = Copy::new(Unmapped::Fresh);
            called = renaming.apply(&mut sim.aig, called);
            renamed.iter_mut().for_each(|it| *it = renaming.apply(&mut sim.aig, *it));
            sim.note_control(&renaming);
            copy = Some(renaming);
        }
        if !sim.oracle.is_satisfiable(&sim.aig, &[called])? {
            return Ok(());
        }
        let entry = sim.entry(callee);
        let compared = sim.facts.entry_vars(callee);
        if self.is_covered(callee, called, &compared, &renamed)? {
            return Ok(());
        }
        let sim = &mut *self.sim;
        let mut condition = vec![called];
        for &var in &compared {
            let input = sim.arena.states[entry].values[var];
            condition.push(sim.aig.iff(input, renamed[var]));
        }
        let condition = sim.aig.all(&condition);
        let by = ByCall { from, edge, passed: passed.to_vec(), copy, parents };
        self.add_context(callee, Context { condition, by: Some(Rc::new(by)) }, outcome)
    }

    /// Whether all that is passed where `called` holds was explored already: (5), put right.
    fn is_covered(
        &mut self,
        callee: ProcId,
        called: Term,
        compared: &[usize],
        passed: &[Term],
    ) -> Result<bool, Exhausted> {
        let table = &self.tables[callee];
        if table.contexts.is_empty() {
            return Ok(false);
        }
        let sim = &mut *self.sim;
        let entry = sim.entry(callee);
        let mut copy = Copy::new(Unmapped::Fresh);
        let mut mapped = FxHashSet::default();
        for &var in compared {
            let input = sim.arena.states[entry].values[var];
            copy.map(input, passed[var]);
            mapped.insert(input);
        }
        let matrix = copy.apply(&mut sim.aig, table.in_context);
        sim.note_control(&copy);
        let is_own = |&(input, _): &(Term, Term)| !mapped.contains(&input);
        let exists = copy.inputs(&sim.aig).filter(is_own).map(|(_, own)| own).collect();
        let query = sim.query(called, matrix, exists);
        self.qbf.holds(&sim.aig, &query)
    }

    fn add_context(
        &mut self,
        proc: ProcId,
        context: Context,
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        let condition = context.condition;
        let id = self.contexts.push(context);
        let entry = self.sim.entry(proc);
        let table = &mut self.tables[proc];
        table.contexts.push(id);
        table.in_context = self.sim.aig.or(table.in_context, condition);
        let is_first = table.contexts.len() == 1;
        for state in std::mem::take(&mut table.parked) {
            self.wait(Some(state));
        }
        if is_first {
            self.wait(Some(entry));
        }
        for number in 0..self.tables[proc].calls.len() {
            self.proposals.push_back((proc, number, vec![id]));
        }
        for (group, way) in self.tables[proc].ways.clone() {
            self.try_way(group, way, &[id], outcome)?;
        }
        Ok(())
    }

    fn add_way(
        &mut self,
        proc: ProcId,
        group: usize,
        way: WayId,
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        self.tables[proc].ways.push((group, way));
        self.try_way(group, way, &self.tables[proc].contexts.clone(), outcome)
    }

    /// Whether a way can be taken in one of the contexts.
    fn try_way(
        &mut self,
        group: usize,
        way: WayId,
        contexts: &[ContextId],
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        if self.reached.contains(&group) {
            return Ok(());
        }
        let sim = &mut *self.sim;
        let conditions: Vec<Term> =
            contexts.iter().map(|&context| self.contexts[context].condition).collect();
        let in_context = sim.aig.any(&conditions);
        let guard = sim.arena.ways[way].guard;
        let Some(model) = sim.oracle.model(&sim.aig, &[in_context, guard])? else { return Ok(()) };
        let mut eval = model.eval();
        let context = contexts
            .iter()
            .find(|context| eval.value(&sim.aig, self.contexts[**context].condition))
            .expect("one of the contexts holds");
        let ending = ending(sim, way, &Env::new(model.eval())).expect("all calls are known");
        let budget = self.ctx.for_evidence().budget;
        outcome.note(sim, group, &ending, || {
            let mut walk = Walk::new(&budget);
            let (main, env) = lead_in(sim, &self.contexts, *context, model, &mut walk)?;
            walk.way(sim, way, env)?;
            Ok((main, walk))
        });
        self.reached.insert(group);
        Ok(())
    }
}
