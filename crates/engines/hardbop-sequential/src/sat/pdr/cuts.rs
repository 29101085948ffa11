//! Cutpoints, and the flows between them as formulas.
//!
//! The entry and exit of a procedure, heads of loops, calls and where calls return to. What lies
//! between is free of loops and calls, so one symbolic simulation from each cutpoint gives the
//! flows out of it.

use std::collections::BTreeMap;

use hardbop_base::{Bits, Idx, IndexVec, define_id};
use hardbop_cfg::analysis::Follow;
use hardbop_cfg::{Action, EdgeId, Loc, LocRef, Proc, ProcId};
use hardbop_sat::Term;

use super::cube::Var;
use crate::sat::sim::Sim;
use crate::sat::state::{Origin, State, StateId, WayId};
use crate::sat::unroll::picks;

define_id!(
    /// A cutpoint.
    CutId, "cut"
);
define_id!(
    /// A flow.
    FlowId, "flow"
);

pub struct Cuts {
    pub cuts: IndexVec<CutId, Cut>,
    pub flows: IndexVec<FlowId, Flow>,
    /// Callees first, then in weak topological order: uncounted flows lead forward.
    pub order: Vec<CutId>,
    /// The procedures that are reachable in the call graph, callees first.
    pub procs: Vec<ProcId>,
    pub scopes: IndexVec<ProcId, Option<Scope>>,
}

/// What is common to the cutpoints of a procedure.
pub struct Scope {
    /// Its entry: the values are the variables at entry.
    pub entry: StateId,
    /// Variables whose values at entry can matter.
    pub entry_vars: Vec<usize>,
    /// Variables that are never assigned.
    pub constants: Bits,
    pub exit: Option<CutId>,
    /// The flows that call it.
    pub called_by: Vec<FlowId>,
}

pub struct Cut {
    pub at: LocRef,
    /// The values are variables of the cutpoint's own.
    pub start: StateId,
    /// The variables whose values now can matter.
    pub vars: Vec<usize>,
    pub incoming: Vec<FlowId>,
    /// To goals before the next cutpoint, by group.
    pub ways: Vec<(usize, WayId)>,
}

pub struct Flow {
    pub proc: ProcId,
    /// Nothing for the start of the procedure.
    pub from: Option<CutId>,
    pub to: CutId,
    /// The state it leads to, in terms of where it comes from.
    pub after: StateId,
    /// Whether it leads back to the head of a loop.
    pub is_counted: bool,
    pub call: Option<CallFlow>,
}

/// A call, and any return from it.
pub struct CallFlow {
    pub edge: EdgeId,
    pub callee: ProcId,
    pub passed: Vec<Term>,
    /// What it leaves of the callee's variables.
    pub left: Vec<(usize, Term)>,
    /// Whether the callee may call the caller.
    pub is_counted: bool,
}

impl Cuts {
    pub fn of(sim: &mut Sim<'_>) -> Self {
        let facts = sim.facts;
        let reachable = facts.calls.reachable(Follow::Calls);
        let components = facts.calls.components(Follow::Calls);
        let procs: Vec<ProcId> =
            components.flatten().copied().filter(|proc| reachable.contains(proc.index())).collect();
        let mut cuts = Cuts {
            cuts: IndexVec::new(),
            flows: IndexVec::new(),
            order: Vec::new(),
            scopes: facts.program.procs.iter().map(|_| None).collect(),
            procs: procs.clone(),
        };
        for &proc in &procs {
            cuts.add_scope(sim, proc);
        }
        for &proc in &procs {
            cuts.add_proc(sim, proc);
        }
        cuts
    }

    pub fn scope(&self, proc: ProcId) -> &Scope {
        self.scopes[proc].as_ref().expect("only reachable procedures are asked for")
    }

    fn add_scope(&mut self, sim: &mut Sim<'_>, proc: ProcId) {
        let constants = constants(sim, proc);
        let entry = sim.entry(proc);
        let known = sim.facts.program.n_shared() + sim.facts.program.procs[proc].n_formals;
        let mut entry_vars: Bits = sim.facts.entry_vars(proc).into_iter().collect();
        for &loc in sim.facts.order[proc].order() {
            let live = sim.facts.live_at(LocRef { proc, loc });
            entry_vars.extend(live.filter(|&var| var < known && constants.contains(var)));
        }
        let entry_vars = entry_vars.iter().collect();
        let scope = Scope { entry, entry_vars, constants, exit: None, called_by: Vec::new() };
        self.scopes[proc] = Some(scope);
    }

    fn add_proc(&mut self, sim: &mut Sim<'_>, proc: ProcId) {
        let body = &sim.facts.program.procs[proc];
        let mut cut_at: BTreeMap<Loc, CutId> = BTreeMap::new();
        let around_calls = around_calls(body);
        for &loc in sim.facts.order[proc].order() {
            let is_end = loc == body.entry || loc == body.exit;
            let is_head = sim.facts.is_head(LocRef { proc, loc });
            if is_end || is_head || around_calls.contains(loc.index()) {
                let id = self.add_cut(sim, LocRef { proc, loc });
                cut_at.insert(loc, id);
                self.order.push(id);
            }
        }
        let scope = self.scopes[proc].as_mut().expect("it was just made");
        scope.exit = cut_at.get(&body.exit).copied();
        let entry = scope.entry;
        let to = cut_at[&body.entry];
        let start = Flow { proc, from: None, to, after: entry, is_counted: false, call: None };
        self.add_flow(start);
        for (&loc, &id) in &cut_at {
            let targets = self.simulate(sim, id, &cut_at);
            for after in targets {
                let to = cut_at[&sim.arena.states[after].loc];
                let is_counted = is_backward(sim, proc, loc, sim.arena.states[after].loc);
                self.add_flow(Flow { proc, from: Some(id), to, after, is_counted, call: None });
            }
            for (edge, it) in body.out_edges(loc) {
                if matches!(it.action, Action::Call(_)) {
                    self.add_call(sim, id, edge, cut_at[&it.to]);
                }
            }
        }
    }

    fn add_cut(&mut self, sim: &mut Sim<'_>, at: LocRef) -> CutId {
        let scope = self.scope(at.proc);
        let is_exit = at.loc == sim.facts.program.procs[at.proc].exit;
        let live: Vec<usize> =
            if is_exit { sim.facts.exit_vars(at.proc) } else { sim.facts.live_at(at).collect() };
        let vars = live.into_iter().filter(|&var| !scope.constants.contains(var)).collect();
        let entry = sim.arena.states[scope.entry].clone();
        let values: Vec<Term> = (0..entry.values.len())
            .map(|var| {
                let is_constant = scope.constants.contains(var);
                if is_constant { entry.values[var] } else { sim.aig.input() }
            })
            .collect();
        let start = sim.fresh_at(at, values.into());
        self.cuts.push(Cut { at, start, vars, incoming: Vec::new(), ways: Vec::new() })
    }

    fn add_flow(&mut self, flow: Flow) {
        let (to, callee) = (flow.to, flow.call.as_ref().map(|call| call.callee));
        let id = self.flows.push(flow);
        self.cuts[to].incoming.push(id);
        if let Some(scope) = callee.and_then(|callee| self.scopes[callee].as_mut()) {
            scope.called_by.push(id);
        }
    }

    fn add_call(&mut self, sim: &mut Sim<'_>, from: CutId, edge: EdgeId, to: CutId) {
        let Cut { at: LocRef { proc, loc }, start, .. } = self.cuts[from];
        let facts = sim.facts;
        let it = &facts.program.procs[proc].edges[edge];
        let Action::Call(call) = &it.action else { unreachable!("only calls are called") };
        let passed = sim.passed(start, call);
        let (after, mut left) = sim.returned_somehow(start, edge, it);
        for var in facts.exit_vars(call.callee) {
            if left.iter().all(|&(known, _)| known != var) {
                left.push((var, sim.aig.input()));
            }
        }
        // A call whose return is impossible on its face still enters the callee.
        let after = after.unwrap_or_else(|| sim.restricted(start, Term::FALSE));
        let component = |proc| facts.calls.component(proc, Follow::Calls);
        let is_counted = component(call.callee) == component(proc);
        let call = Some(CallFlow { edge, callee: call.callee, passed, left, is_counted });
        let is_counted = is_backward(sim, proc, loc, it.to);
        self.add_flow(Flow { proc, from: Some(from), to, after, is_counted, call });
    }

    /// The states at the next cutpoints; notes the ways to goals.
    fn simulate(
        &mut self,
        sim: &mut Sim<'_>,
        id: CutId,
        cut_at: &BTreeMap<Loc, CutId>,
    ) -> Vec<StateId> {
        let Cut { at: LocRef { proc, .. }, start, .. } = self.cuts[id];
        let body = &sim.facts.program.procs[proc];
        let order = &sim.facts.order[proc];
        let (mut targets, mut arrived) = (Vec::new(), BTreeMap::<Loc, Vec<StateId>>::new());
        let mut waiting: BTreeMap<u32, Vec<StateId>> = BTreeMap::new();
        let mut state = start;
        loop {
            for (site, way) in sim.ways_here(state) {
                self.cuts[id].ways.push((sim.facts.group(site), way));
            }
            let loc = sim.arena.states[state].loc;
            let edges: Vec<_> = body
                .out_edges(loc)
                .filter(|(_, edge)| !matches!(edge.action, Action::Call(_)))
                .collect();
            let enabled: Vec<Term> =
                edges.iter().map(|(_, edge)| sim.enabled(state, edge)).collect();
            for (&(edge, it), pick) in edges.iter().zip(picks(sim, &enabled)) {
                let Some(next) = sim.step(state, edge, it, pick) else { continue };
                if cut_at.contains_key(&it.to) {
                    arrived.entry(it.to).or_default().push(next);
                } else {
                    let position = order.position(it.to).expect("it was just reached");
                    waiting.entry(position).or_default().push(next);
                }
            }
            let Some((_, parts)) = waiting.pop_first() else { break };
            state = sim.join_disjoint(&parts);
        }
        for parts in arrived.into_values() {
            targets.push(sim.join_disjoint(&parts));
        }
        targets
    }
}

/// Where calls are made, and where they return to.
fn around_calls(body: &Proc) -> Bits {
    let calls = body.edges.iter().filter(|edge| matches!(edge.action, Action::Call(_)));
    calls.flat_map(|edge| [edge.from.index(), edge.to.index()]).collect()
}

fn is_backward(sim: &Sim<'_>, proc: ProcId, from: Loc, to: Loc) -> bool {
    sim.facts.order[proc].position(to) <= sim.facts.order[proc].position(from)
}

/// What no statement of the procedure nor anything it calls assigns.
fn constants(sim: &Sim<'_>, proc: ProcId) -> Bits {
    let program = sim.facts.program;
    let mut constants = Bits::full(program.n_shared() + program.procs[proc].n_formals);
    constants.subtract(sim.facts.modref.modified(proc));
    for edge in program.procs[proc].edges.iter() {
        match &edge.action {
            Action::Assign(assign) => {
                for &(target, _) in &assign.targets {
                    constants.remove(target.index());
                }
            }
            Action::Call(call) => {
                for target in call.results.iter().flatten() {
                    constants.remove(target.index());
                }
            }
            _ => {}
        }
    }
    constants
}

impl Cuts {
    /// The term of a variable at a cutpoint, or at the start of a procedure.
    pub fn term(&self, sim: &Sim<'_>, proc: ProcId, state: StateId, var: Var) -> Term {
        match var {
            Var::Entry(var) => sim.arena.states[self.scope(proc).entry].values[var],
            Var::Now(var) => sim.arena.states[state].values[var],
        }
    }

    /// The variables that tell states of a cutpoint apart.
    pub fn vars(&self, cut: CutId) -> impl Iterator<Item = Var> + '_ {
        let now = self.cuts[cut].vars.iter().map(|&var| Var::Now(var));
        now.chain(self.context_vars(self.cuts[cut].at.proc))
    }

    /// The variables that tell contexts of a procedure apart.
    pub fn context_vars(&self, proc: ProcId) -> impl Iterator<Item = Var> + '_ {
        self.scope(proc).entry_vars.iter().map(|&var| Var::Entry(var))
    }
}

impl CallFlow {
    /// The term of a variable of the callee's exit.
    pub fn term(&self, var: Var) -> Term {
        match var {
            Var::Entry(var) => self.passed[var],
            Var::Now(var) => {
                let left = self.left.iter().find(|&&(known, _)| known == var);
                left.expect("a call leaves all that matters at the exit").1
            }
        }
    }
}

impl Sim<'_> {
    /// A state with the given values from which simulation begins anew.
    pub fn fresh_at(&mut self, at: LocRef, values: crate::sat::state::Values) -> StateId {
        let guard = self.enforced(at.proc, &values);
        let LocRef { proc, loc } = at;
        self.add(State { proc, loc, guard, values, origin: Origin::Entry })
    }
}
