//! Symbolic simulation: the successors of symbolic states (SUM table 1, BOOM table 3.1).
//!
//! **Departure.** The papers replace every `*` by a choice variable of its own. We use one for each
//! assignment of an expression with choices, and none in conditions: [`rails`](crate::sat::rails).

use std::rc::Rc;

use hardbop_base::{Budget, Idx, IndexVec};
use hardbop_cfg::{Action, Assign, Call, Edge, EdgeId, ExprId, Loc, ProcId, VarId};
use hardbop_engine::GoalSite;
use hardbop_sat::{Aig, Copy, Oracle, Term, Unmapped};
use rustc_hash::FxHashSet;

use crate::sat::facts::Facts;
use crate::sat::rails::{Rails, choose, determined, rails};
use crate::sat::state::{Arena, How, Instance, Origin, State, StateId, Values, Way, WayId};

pub struct Sim<'a> {
    pub facts: &'a Facts<'a>,
    pub aig: Aig,
    pub oracle: Oracle,
    pub arena: Arena,
    /// Choice variables that pick a path, by node.
    pub control: FxHashSet<u32>,
    entries: IndexVec<ProcId, Option<StateId>>,
}

impl<'a> Sim<'a> {
    pub fn new(facts: &'a Facts<'a>, budget: &Budget) -> Self {
        Sim {
            facts,
            aig: Aig::default(),
            oracle: Oracle::new(budget),
            arena: Arena::default(),
            control: FxHashSet::default(),
            entries: IndexVec::from_elem(None, facts.program.procs.len()),
        }
    }

    /// The entry of a procedure: every value is a variable, the guard is what it enforces.
    pub fn entry(&mut self, proc: ProcId) -> StateId {
        if let Some(known) = self.entries[proc] {
            return known;
        }
        let program = self.facts.program;
        let values: Values = self.aig.inputs(program.scope_width(proc)).into();
        let guard = self.enforced(proc, &values);
        let loc = program.procs[proc].entry;
        let entry = self.add(State { proc, loc, guard, values, origin: Origin::Entry });
        self.entries[proc] = Some(entry);
        entry
    }

    /// The entry of a procedure, if something was asked about it before.
    pub fn known_entry(&self, proc: ProcId) -> Option<StateId> {
        self.entries[proc]
    }

    /// The procedure that an edge out of a state calls.
    pub fn callee(&self, from: StateId, edge: EdgeId) -> Option<ProcId> {
        match &self.facts.program.procs[self.arena.states[from].proc].edges[edge].action {
            Action::Call(call) => Some(call.callee),
            _ => None,
        }
    }

    /// That the values at the entry of `main` are initial ones.
    pub fn initial(&mut self) -> Term {
        let program = self.facts.program;
        let entry = self.entry(program.main);
        let values = Rc::clone(&self.arena.states[entry].values);
        let mut all = vec![self.arena.states[entry].guard];
        for &(var, expr) in &program.init {
            let may = rails(&mut self.aig, &program.exprs, expr, &values, &values);
            let value = values[var.index()];
            all.push(self.aig.ite(value, may.be_true, may.be_false));
        }
        self.aig.all(&all)
    }

    pub fn add(&mut self, state: State) -> StateId {
        self.arena.states.push(state)
    }

    /// Under which values the statement of an edge can be executed.
    pub fn enabled(&mut self, from: StateId, edge: &Edge) -> Term {
        match edge.action {
            Action::Assume(expr) | Action::Assert(expr) => self.rails_at(from, expr).be_true,
            _ => Term::TRUE,
        }
    }

    /// The state after an edge that is no call, under the condition `pick`; nothing if it is
    /// contradictory on its face or the run ends.
    pub fn step(&mut self, from: StateId, id: EdgeId, edge: &Edge, pick: Term) -> Option<StateId> {
        let State { proc, guard, ref values, .. } = self.arena.states[from];
        let mut values = Rc::clone(values);
        let mut guard = self.aig.and(guard, pick);
        match &edge.action {
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd => {}
            Action::Assume(_) | Action::Assert(_) => {
                let passes = self.enabled(from, edge);
                guard = self.aig.and(guard, passes);
            }
            Action::Assign(assign) => {
                let (next, holds) = self.assigned(&values, assign);
                values = next;
                guard = self.aig.and(guard, holds);
            }
            Action::EndThread => return None,
            Action::Call(_) => unreachable!("calls are stepped over with a summary"),
            Action::StartThread(_) => unreachable!("engines accept programs of one thread"),
        }
        let enforced = self.enforced(proc, &values);
        guard = self.aig.and(guard, enforced);
        let origin = Origin::Step { from, edge: id };
        self.reached(State { proc, loc: edge.to, guard, values, origin })
    }

    /// The values a callee is entered with; nothing for locals that are no formals.
    pub fn passed(&mut self, from: StateId, call: &Call) -> Vec<Term> {
        let values = Rc::clone(&self.arena.states[from].values);
        let mut passed = values[..self.facts.program.n_shared()].to_vec();
        for &arg in &call.args {
            passed.push(self.chosen(&values, arg));
        }
        passed
    }

    /// A renaming of the callee's variables: what was passed for its entry, new ones for choices.
    pub fn instance(&mut self, callee: ProcId, passed: &[Term]) -> Copy {
        let entry = self.entry(callee);
        let mut copy = Copy::new(Unmapped::Fresh);
        for (&input, &value) in self.arena.states[entry].values.iter().zip(passed) {
            copy.map(input, value);
        }
        copy
    }

    /// The state after a call that enters with `passed` and leaves with the state `exit` of the
    /// callee (SUM (6) and (7)).
    pub fn returned(
        &mut self,
        from: StateId,
        id: EdgeId,
        edge: &Edge,
        passed: &[Term],
        exit: StateId,
    ) -> Option<StateId> {
        let Action::Call(call) = &edge.action else { unreachable!("only calls return") };
        let mut copy = self.instance(call.callee, passed);
        let State { guard: exit_guard, values: ref exit_values, .. } = self.arena.states[exit];
        let exit_values = Rc::clone(exit_values);
        let holds = copy.apply(&mut self.aig, exit_guard);
        let mut values = self.arena.states[from].values.to_vec();
        for var in self.facts.modref.modified(call.callee).iter() {
            values[var] = copy.apply(&mut self.aig, exit_values[var]);
        }
        for (result, target) in self.facts.program.returns(call.callee).zip(&call.results) {
            if let Some(target) = target {
                values[target.index()] = copy.apply(&mut self.aig, exit_values[result.index()]);
            }
        }
        self.note_control(&copy);
        let through = Instance { what: exit, copy: Rc::new(copy) };
        let origin = Origin::Call { from, edge: id, through };
        self.after_call(from, edge.to, holds, values, origin)
    }

    /// The state after a call that may do anything to what it may modify, with what it left of
    /// the callee's variables.
    pub fn returned_somehow(
        &mut self,
        from: StateId,
        id: EdgeId,
        edge: &Edge,
    ) -> (Option<StateId>, Vec<(usize, Term)>) {
        let Action::Call(call) = &edge.action else { unreachable!("only calls return") };
        let mut values = self.arena.states[from].values.to_vec();
        let mut left = Vec::new();
        for var in self.facts.modref.modified(call.callee).iter() {
            values[var] = self.aig.input();
            left.push((var, values[var]));
        }
        for (result, target) in self.facts.program.returns(call.callee).zip(&call.results) {
            if let Some(target) = target {
                values[target.index()] = self.aig.input();
                left.push((result.index(), values[target.index()]));
            }
        }
        let origin = Origin::Unknown { from, edge: id };
        (self.after_call(from, edge.to, Term::TRUE, values, origin), left)
    }

    fn after_call(
        &mut self,
        from: StateId,
        to: Loc,
        holds: Term,
        values: Vec<Term>,
        origin: Origin,
    ) -> Option<StateId> {
        let State { proc, guard, .. } = self.arena.states[from];
        let values: Values = values.into();
        let enforced = self.enforced(proc, &values);
        let guard = self.aig.all(&[guard, holds, enforced]);
        self.reached(State { proc, loc: to, guard, values, origin })
    }

    /// The ways of the callee to a goal, seen from a call.
    pub fn ways_inside(
        &mut self,
        from: StateId,
        edge: EdgeId,
        callee: ProcId,
        passed: &[Term],
        way: WayId,
    ) -> Option<WayId> {
        let mut copy = self.instance(callee, passed);
        let inside = copy.apply(&mut self.aig, self.arena.ways[way].guard);
        let guard = self.aig.and(self.arena.states[from].guard, inside);
        self.note_control(&copy);
        let through = Instance { what: way, copy: Rc::new(copy) };
        self.way(guard, How::Inside { from, edge, through })
    }

    /// The places asked for that a state reaches by itself: its location, or failing assertions.
    pub fn ways_here(&mut self, state: StateId) -> Vec<(usize, WayId)> {
        let facts = self.facts;
        let State { proc, loc, guard, .. } = self.arena.states[state];
        let at = hardbop_cfg::LocRef { proc, loc };
        let body = &facts.program.procs[proc];
        let mut ways = Vec::new();
        for label in &body.locs[loc].labels {
            if let Some(site) = facts.site(&GoalSite::Label(at, label.clone())) {
                let way = self.way(guard, How::Here { state, edge: None });
                ways.extend(way.map(|way| (site, way)));
            }
        }
        for (id, edge) in body.out_edges(loc) {
            let Action::Assert(expr) = edge.action else { continue };
            let at = hardbop_cfg::EdgeRef { proc, edge: id };
            if let Some(site) = facts.site(&GoalSite::Assert(at)) {
                let fails = self.rails_at(state, expr).be_false;
                let guard = self.aig.and(guard, fails);
                let way = self.way(guard, How::Here { state, edge: Some(id) });
                ways.extend(way.map(|way| (site, way)));
            }
        }
        ways
    }

    /// A new way, unless its guard is plainly false.
    pub fn way(&mut self, guard: Term, how: How) -> Option<WayId> {
        (guard != Term::FALSE).then(|| self.arena.ways.push(Way { guard, how }))
    }

    /// One state for several at one location, no two of which are reached under the same choices.
    pub fn join_disjoint(&mut self, parts: &[StateId]) -> StateId {
        let parts: Vec<(Term, StateId)> =
            parts.iter().map(|&part| (self.arena.states[part].guard, part)).collect();
        self.join(parts, Vec::new())
    }

    /// One state for several at one location: new variables pick one of them (BOOM section 10.5).
    pub fn join_any(&mut self, parts: &[StateId]) -> StateId {
        let mut picks = Vec::new();
        let mut taken = Term::TRUE;
        let mut joined = Vec::new();
        for (i, &part) in parts.iter().enumerate() {
            let mut pick = taken;
            if i + 1 < parts.len() {
                let choice = self.choice();
                pick = self.aig.and(taken, choice);
                taken = self.aig.and(taken, !choice);
            }
            picks.push(pick);
            joined.push((pick, part));
        }
        self.join(joined, picks)
    }

    /// `picks` restrict the guards of the parts, if there are any.
    fn join(&mut self, parts: Vec<(Term, StateId)>, picks: Vec<Term>) -> StateId {
        if let [(_, only)] = parts[..] {
            return only;
        }
        let (last, others) = parts.split_last().expect("a join has parts");
        let State { proc, loc, ref values, .. } = self.arena.states[last.1];
        let mut values = values.to_vec();
        for &(term, part) in others.iter().rev() {
            let theirs = Rc::clone(&self.arena.states[part].values);
            for (value, &their) in values.iter_mut().zip(theirs.iter()) {
                *value = self.aig.ite(term, their, *value);
            }
        }
        let mut guards = Vec::new();
        for (i, &(_, part)) in parts.iter().enumerate() {
            let pick = picks.get(i).copied().unwrap_or(Term::TRUE);
            guards.push(self.aig.and(pick, self.arena.states[part].guard));
        }
        let guard = self.aig.any(&guards);
        self.add(State { proc, loc, guard, values: values.into(), origin: Origin::Join(parts) })
    }

    /// The state under a further condition.
    pub fn restricted(&mut self, state: StateId, condition: Term) -> StateId {
        if condition == Term::TRUE {
            return state;
        }
        let mut restricted = self.arena.states[state].clone();
        restricted.guard = self.aig.and(restricted.guard, condition);
        restricted.origin = Origin::Join(vec![(Term::TRUE, state)]);
        self.add(restricted)
    }

    /// A new variable that picks a path.
    pub fn choice(&mut self) -> Term {
        let choice = self.aig.input();
        self.control.insert(choice.node());
        choice
    }

    /// Copies of variables that pick a path pick one too.
    pub fn note_control(&mut self, copy: &Copy) {
        for (input, copied) in copy.inputs(&self.aig) {
            if self.control.contains(&input.node()) && self.aig.is_input(copied) {
                self.control.insert(copied.node());
            }
        }
    }

    fn reached(&mut self, state: State) -> Option<StateId> {
        (state.guard != Term::FALSE).then(|| self.add(state))
    }

    pub(crate) fn enforced(&mut self, proc: ProcId, values: &[Term]) -> Term {
        let program = self.facts.program;
        match program.procs[proc].enforce {
            Some(expr) => rails(&mut self.aig, &program.exprs, expr, values, values).be_true,
            None => Term::TRUE,
        }
    }

    fn rails_at(&mut self, state: StateId, expr: ExprId) -> Rails {
        let values = Rc::clone(&self.arena.states[state].values);
        rails(&mut self.aig, &self.facts.program.exprs, expr, &values, &values)
    }

    /// One of the values an expression may have.
    fn chosen(&mut self, values: &[Term], expr: ExprId) -> Term {
        let may = rails(&mut self.aig, &self.facts.program.exprs, expr, values, values);
        determined(may).unwrap_or_else(|| {
            let choice = self.aig.input();
            choose(&mut self.aig, may, choice)
        })
    }

    /// The values after an assignment, and that its constraint may hold.
    fn assigned(&mut self, now: &[Term], assign: &Assign) -> (Values, Term) {
        let mut next = now.to_vec();
        for &(target, expr) in &assign.targets {
            next[VarId::index(target)] = self.chosen(now, expr);
        }
        let exprs = &self.facts.program.exprs;
        let holds = assign
            .constrain
            .map_or(Term::TRUE, |expr| rails(&mut self.aig, exprs, expr, now, &next).be_true);
        (next.into(), holds)
    }
}
