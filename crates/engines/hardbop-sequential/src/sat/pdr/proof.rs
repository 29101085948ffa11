//! The certificate: an invariant for every location.
//!
//! At a cutpoint it is the conjunction of the lemmas of an inductive level, on states and contexts.
//! In between it is the weakest condition under which all that follows up to the next cutpoints
//! satisfies their invariants and no goal is met: the lemmas of the cutpoint before imply it, since
//! that is what the solver was asked. Choices are quantified away one by one.

use hardbop_base::{Bits, Budget, Idx, IndexVec};
use hardbop_cfg::{Action, Edge, EdgeRef, Loc, LocRef, ProcId, VarId};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Certificate, Formula, FormulaId, FormulaPool, Invariants, ProcInvariant};
use hardbop_sat::{Copy, Term, Unmapped};

use super::Search;
use super::cube::{Cube, Var};
use super::query::terms;
use crate::sat::rails::{Rails, determined, rails};
use crate::sat::sim::Sim;
use crate::sat::write::Writer;

/// Weakest conditions can double with every choice; past this no certificate is written.
const MOST_NODES: usize = 3_000_000;

/// The invariants of the lemmas of this level or more, which are inductive.
pub fn certificate(search: &mut Search<'_, '_>, level: usize) -> Option<Certificate> {
    let program = search.sim.facts.program;
    let most_nodes = search.sim.aig.n_nodes() + MOST_NODES;
    let mut formulas = FormulaPool::default();
    let mut procs = IndexVec::new();
    for (id, proc) in program.procs.iter_enumerated() {
        let mut frame = Bits::full(program.n_shared());
        frame.subtract(search.sim.facts.modref.modified(id));
        let mut at = IndexVec::from_elem(None, proc.locs.len());
        if search.cuts.scopes[id].is_some() {
            let mut weakest = Weakest::new(search, id);
            weakest.of_cuts(search, level);
            weakest.of_others(search.sim, &search.ctx.budget, most_nodes)?;
            weakest.write(search.sim, &mut formulas, &mut at);
        }
        procs.push(ProcInvariant { frame, at });
    }
    Some(Invariants { goal: search.sim.facts.goal.clone(), formulas, procs }.into())
}

/// Invariants of one procedure over variables for the values at entry and now.
struct Weakest {
    proc: ProcId,
    entry: Vec<Term>,
    /// Those of constants are those of the entry.
    now: Vec<Term>,
    at: IndexVec<Loc, Option<Term>>,
}

impl Weakest {
    fn new(search: &mut Search<'_, '_>, proc: ProcId) -> Self {
        let scope = search.cuts.scope(proc);
        let entry = search.sim.arena.states[scope.entry].values.to_vec();
        let aig = &mut search.sim.aig;
        let now = entry.iter().enumerate();
        let now = now
            .map(|(var, &it)| if scope.constants.contains(var) { it } else { aig.input() })
            .collect();
        let n_locs = search.sim.facts.program.procs[proc].locs.len();
        Weakest { proc, entry, now, at: IndexVec::from_elem(None, n_locs) }
    }

    fn of_cuts(&mut self, search: &mut Search<'_, '_>, level: usize) {
        let not = |it: &Self, sim: &mut Sim<'_>, cube: &Cube| {
            let literals = terms(cube, |var| match var {
                Var::Entry(var) => it.entry[var],
                Var::Now(var) => it.now[var],
            });
            !sim.aig.all(&literals)
        };
        let contexts = search.frames.contexts_from_level(self.proc, level);
        let contexts: Vec<Term> = contexts.map(|cube| not(self, search.sim, cube)).collect();
        for (id, cut) in search.cuts.cuts.iter_enumerated() {
            if cut.at.proc == self.proc {
                let mut all = contexts.clone();
                let lemmas = search.frames.from_level(id, level);
                all.extend(lemmas.map(|cube| not(self, search.sim, cube)));
                self.at[cut.at.loc] = Some(search.sim.aig.all(&all));
            }
        }
    }

    /// Between cutpoints, from the end.
    fn of_others(&mut self, sim: &mut Sim<'_>, budget: &Budget, most_nodes: usize) -> Option<()> {
        let mut meter = budget.meter(64);
        for &loc in sim.facts.order[self.proc].order().iter().rev() {
            if self.at[loc].is_some() {
                continue;
            }
            meter.tick().ok()?;
            if sim.aig.n_nodes() > most_nodes {
                return None;
            }
            let at = LocRef { proc: self.proc, loc };
            let body = &sim.facts.program.procs[self.proc];
            let is_goal = |label: &hardbop_base::Name| {
                GoalSite::Label(at, label.clone()).is_of(&sim.facts.goal)
            };
            let mut all = vec![Term::constant(!body.locs[loc].labels.iter().any(is_goal))];
            for (id, edge) in body.out_edges(loc) {
                all.push(self.before(
                    sim,
                    EdgeRef { proc: self.proc, edge: id },
                    edge,
                    most_nodes,
                )?);
            }
            self.at[loc] = Some(sim.aig.all(&all));
        }
        Some(())
    }

    /// That an edge leads only into the invariant of its target, and fails no assertion.
    fn before(
        &self,
        sim: &mut Sim<'_>,
        at: EdgeRef,
        edge: &Edge,
        most_nodes: usize,
    ) -> Option<Term> {
        let exprs = &sim.facts.program.exprs;
        match &edge.action {
            Action::Skip | Action::AtomicBegin | Action::AtomicEnd => {
                Some(self.arrives(sim, edge.to, &self.now))
            }
            Action::Assume(expr) | Action::Assert(expr) => {
                let may = rails(&mut sim.aig, exprs, *expr, &self.now, &self.now);
                let arrives = self.arrives(sim, edge.to, &self.now);
                let passes = sim.aig.implies(may.be_true, arrives);
                let is_goal = matches!(edge.action, Action::Assert(_))
                    && GoalSite::Assert(at).is_of(&sim.facts.goal);
                Some(if is_goal { sim.aig.and(passes, !may.be_false) } else { passes })
            }
            Action::Assign(assign) => {
                let mut next = self.now.clone();
                let (mut choices, mut allowed) = (Vec::new(), Vec::new());
                for &(target, expr) in &assign.targets {
                    let may = rails(&mut sim.aig, exprs, expr, &self.now, &self.now);
                    next[target.index()] = determined(may).unwrap_or_else(|| {
                        let value = sim.aig.input();
                        choices.push(value);
                        allowed.push(possible(sim, value, may));
                        value
                    });
                }
                if let Some(expr) = assign.constrain {
                    allowed.push(rails(&mut sim.aig, exprs, expr, &self.now, &next).be_true);
                }
                let allowed = sim.aig.all(&allowed);
                let arrives = self.arrives(sim, edge.to, &next);
                let mut before = sim.aig.implies(allowed, arrives);
                for choice in choices {
                    before = for_both(sim, before, choice);
                    if sim.aig.n_nodes() > most_nodes {
                        return None;
                    }
                }
                Some(before)
            }
            Action::EndThread => Some(Term::TRUE),
            Action::Call(_) => unreachable!("calls are made at cutpoints"),
            Action::StartThread(_) => unreachable!("engines accept programs of one thread"),
        }
    }

    /// The invariant of a location for these values, if they may be there.
    fn arrives(&self, sim: &mut Sim<'_>, to: Loc, next: &[Term]) -> Term {
        let invariant = self.at[to].expect("what follows comes first");
        let mut copy = Copy::new(Unmapped::Keep);
        for (&now, &next) in self.now.iter().zip(next) {
            copy.map(now, next);
        }
        let invariant = copy.apply(&mut sim.aig, invariant);
        let enforced = sim.enforced(self.proc, next);
        sim.aig.implies(enforced, invariant)
    }

    /// Into the pool; false is left out, formals that are never assigned keep their values.
    fn write(
        &self,
        sim: &Sim<'_>,
        pool: &mut FormulaPool,
        at: &mut IndexVec<Loc, Option<FormulaId>>,
    ) {
        let mut writer = Writer::new(&self.entry, &self.now);
        let n_shared = sim.facts.program.n_shared();
        let mut kept = Vec::new();
        for var in (n_shared..self.now.len()).filter(|&var| self.now[var] == self.entry[var]) {
            let entry = pool.add(Formula::Entry(VarId::new(var)));
            let now = pool.add(Formula::Current(VarId::new(var)));
            let not_now = pool.add(Formula::Not(now));
            kept.push(pool.add(Formula::Ite(entry, now, not_now)));
        }
        for (loc, invariant) in self.at.iter_enumerated() {
            let Some(invariant) = invariant.filter(|&it| it != Term::FALSE) else { continue };
            let mut all = kept.clone();
            all.push(writer.formula(&sim.aig, pool, invariant));
            at[loc] = Some(pool.add(Formula::And(all)));
        }
    }
}

/// That a value is one of those an expression may have.
fn possible(sim: &mut Sim<'_>, value: Term, may: Rails) -> Term {
    sim.aig.ite(value, may.be_true, may.be_false)
}

/// The term for both values of a variable.
fn for_both(sim: &mut Sim<'_>, term: Term, variable: Term) -> Term {
    let mut with = |value: bool| {
        let mut copy = Copy::new(Unmapped::Keep);
        copy.map(variable, Term::constant(value));
        copy.apply(&mut sim.aig, term)
    };
    let (one, other) = (with(true), with(false));
    sim.aig.and(one, other)
}
