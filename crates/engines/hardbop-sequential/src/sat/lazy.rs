//! The engine `lazy`: calls that may do anything, until a spurious run says otherwise.
//!
//! BOOM section 4.3 and figure 4.8 (structural abstraction). Only `main` is unrolled at first; a call
//! of another procedure may change whatever it may change and reach whatever goal is below it. If
//! no goal is reached like this, none is. If one is, and the run makes calls of which nothing is
//! known, the procedures of these calls get their universal summaries, in which calls may again do
//! anything.
//!
//! **Where we depart.** If the run ends inside an unknown call, only that one is refined: the others
//! on the way may turn out not to matter. A procedure that cannot be unrolled with unknown calls gets
//! its callees refined, since these may be what keeps its loops going. If it still cannot be, or its
//! recursion nests too deep, the fixpoint of [`tabulate`](crate::sat::tabulate) takes over, as in the
//! thesis.

use hardbop_base::{Bits, Exhausted, Idx, IndexVec};
use hardbop_cfg::ProcId;
use hardbop_cfg::analysis::Follow;
use hardbop_engine::{Claim, Engine, RunCtx, Task};
use rustc_hash::FxHashSet;

use crate::sat::accept::sequential;
use crate::sat::concretize::{Env, Walk, ending};
use crate::sat::facts::Facts;
use crate::sat::outcome::Outcome;
use crate::sat::proof::{self, Explored, Reach};
use crate::sat::recursion;
use crate::sat::sim::Sim;
use crate::sat::tabulate::Tabulation;
use crate::sat::universal::LIMITS;
use crate::sat::unroll::{Known, Stopped, Summary, unroll, unroll_main};

/// After so many rounds what is called by a procedure is refined with it, each round one level more:
/// long chains of calls would take as many rounds otherwise.
const PATIENT_ROUNDS: u64 = 8;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lazy;

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn about(&self) -> &'static str {
        "sequential programs: universal summaries by SAT, computed only for calls that matter"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        sequential(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let facts = Facts::of(task);
        let mut sim = Sim::new(&facts, &ctx.budget);
        let mut outcome = Outcome::new(task);
        let mut refinement = Refinement::new(&mut sim, ctx);
        let result = refinement.run(&mut outcome);
        let n_refined = refinement.refined.len() as u64;
        let (n_rounds, n_qbf) = (refinement.n_rounds, refinement.n_qbf);
        let explored = refinement.explored.take();
        let n_procs = facts.calls.reachable(Follow::Calls).len() as u64;
        let mut claim = outcome.claim(task, result);
        proof::certify(&mut claim, task, ctx, &mut sim, explored);
        claim.stats.set("rounds", n_rounds);
        claim.stats.set("refined", n_refined);
        claim.stats.set("never_refined", n_procs - n_refined);
        claim.stats.set("qbf_calls", n_qbf);
        claim.stats.set("sat_calls", sim.oracle.n_calls());
        claim.stats.set("formula_nodes", sim.aig.n_nodes() as u64);
        claim
    }
}

struct Refinement<'s, 'a> {
    sim: &'s mut Sim<'a>,
    ctx: &'s RunCtx,
    known: IndexVec<ProcId, Known>,
    /// Procedures that have, or are to get, a summary.
    refined: Bits,
    /// Those of them whose summary is missing or rests on less than is known now.
    stale: Bits,
    /// Groups of goals that are settled.
    settled: FxHashSet<usize>,
    /// What is known at the end.
    explored: Option<Explored>,
    n_rounds: u64,
    n_qbf: u64,
}

/// A procedure that gets no summary whatever is refined.
struct Hard;

impl<'s, 'a> Refinement<'s, 'a> {
    fn new(sim: &'s mut Sim<'a>, ctx: &'s RunCtx) -> Self {
        let known = IndexVec::from_elem(Known::Nothing, sim.facts.program.procs.len());
        let mut refinement = Refinement {
            sim,
            ctx,
            known,
            refined: Bits::new(),
            stale: Bits::new(),
            settled: FxHashSet::default(),
            explored: None,
            n_rounds: 0,
            n_qbf: 0,
        };
        let main = refinement.sim.facts.program.main;
        refinement.refine(main);
        refinement
    }

    fn run(&mut self, outcome: &mut Outcome) -> Result<(), Exhausted> {
        loop {
            self.ctx.budget.check()?;
            self.n_rounds += 1; // stats
            self.ctx.progress.set_round(self.n_rounds);
            if let Err(Hard) = self.renew()? {
                return self.leave_to_fixpoint(outcome);
            }
            let main = self.sim.facts.program.main;
            let Known::Summary(summary) = self.known[main].clone() else {
                unreachable!("main is refined and renewed")
            };
            if self.decide(&summary, outcome)? {
                let known = self.known.iter_enumerated();
                let reach = known.map(|(proc, it)| Reach::of_known(self.sim, proc, it));
                self.explored = Some(reach.collect());
                return Ok(());
            }
        }
    }

    /// Gives a procedure, and all of its component, a summary; callers must be renewed.
    fn refine(&mut self, proc: ProcId) {
        let calls = &self.sim.facts.calls;
        let component = calls.component(proc, Follow::Calls);
        let members = self.sim.facts.program.procs.ids();
        let members: Vec<ProcId> =
            members.filter(|&it| calls.component(it, Follow::Calls) == component).collect();
        self.refined.extend(members.iter().map(|it| it.index()));
        let mut todo = members;
        while let Some(proc) = todo.pop() {
            if self.refined.contains(proc.index()) && self.stale.insert(proc.index()) {
                todo.extend(calls.callers(proc));
            }
        }
    }

    /// Computes the summaries that are stale, callees first.
    fn renew(&mut self) -> Result<Result<(), Hard>, Exhausted> {
        while let Some(too_large) = self.renew_in_order()? {
            let facts = self.sim.facts;
            let callees = too_large.iter().flat_map(|&proc| facts.calls.callees(proc));
            let is_unknown = |callee: &&ProcId| !self.refined.contains(callee.index());
            let unknown: Vec<ProcId> = callees.filter(is_unknown).copied().collect();
            if unknown.is_empty() {
                return Ok(Err(Hard));
            }
            unknown.into_iter().for_each(|callee| self.refine(callee));
        }
        Ok(Ok(()))
    }

    /// Ends early with a component that cannot be unrolled.
    fn renew_in_order(&mut self) -> Result<Option<&'a [ProcId]>, Exhausted> {
        let facts = self.sim.facts;
        for component in facts.calls.components(Follow::Calls) {
            if !self.stale.contains(component[0].index()) {
                continue;
            }
            self.ctx.budget.check()?;
            let summaries = if facts.calls.is_recursive(component[0]) {
                recursion::summarise(self.sim, component, &self.known, LIMITS)
            } else if component[0] == facts.program.main {
                let unrolled = unroll_main(self.sim, &self.known, LIMITS, facts.goals());
                unrolled.map(|unrolled| vec![unrolled.summary])
            } else {
                let unrolled = unroll(self.sim, component[0], &self.known, LIMITS);
                unrolled.map(|unrolled| vec![unrolled.summary])
            };
            match summaries {
                Ok(summaries) => {
                    for (&proc, summary) in component.iter().zip(summaries) {
                        self.known[proc] = Known::Summary(summary);
                        self.stale.remove(proc.index());
                    }
                }
                Err(Stopped::Exhausted(limit)) => return Err(limit),
                Err(Stopped::TooLarge) => return Ok(Some(component)),
            }
        }
        Ok(None)
    }

    /// Looks for runs to the goals that are not settled; false if something had to be refined.
    fn decide(&mut self, main: &Summary, outcome: &mut Outcome) -> Result<bool, Exhausted> {
        let initial = self.sim.initial();
        let mut unknown = Vec::new();
        for &(group, way) in &main.ways {
            if self.settled.contains(&group) {
                continue;
            }
            let guard = self.sim.arena.ways[way].guard;
            let Some(model) = self.sim.oracle.model(&self.sim.aig, &[initial, guard])? else {
                self.settled.insert(group);
                continue;
            };
            let env = Env::new(model.eval());
            let mut walk = Walk::new(&self.ctx.budget);
            walk.way(self.sim, way, env.clone())?;
            if walk.ending.is_some() && walk.unknown.is_empty() {
                self.settled.insert(group);
                let ending = ending(self.sim, way, &env).expect("the walk has found it");
                outcome.note(self.sim, group, &ending, || Ok((env, walk)));
            } else if walk.ending.is_none() {
                // The walk is written from its end: the first is the one it ends in.
                unknown.extend(walk.unknown.first());
            } else {
                unknown.extend(walk.unknown);
            }
        }
        let is_done = unknown.is_empty();
        for _ in 0..self.n_rounds.saturating_sub(PATIENT_ROUNDS) {
            let callees = unknown.iter().flat_map(|&proc| self.sim.facts.calls.callees(proc));
            let is_unknown = |callee: &&ProcId| !self.refined.contains(callee.index());
            let below: Vec<ProcId> = callees.filter(is_unknown).copied().collect();
            unknown.iter().for_each(|&proc| self.refine(proc));
            unknown = below;
        }
        unknown.iter().for_each(|&proc| self.refine(proc));
        Ok(is_done)
    }

    /// The fixpoint, with the summaries that rest on no unknown call.
    fn leave_to_fixpoint(&mut self, outcome: &mut Outcome) -> Result<(), Exhausted> {
        let facts = self.sim.facts;
        let mut exact = Bits::new();
        for component in facts.calls.components(Follow::Calls) {
            let is_exact = |proc: &ProcId| {
                let callees = facts.calls.callees(*proc).iter();
                let known =
                    |callee: &ProcId| exact.contains(callee.index()) || component.contains(callee);
                matches!(self.known[*proc], Known::Summary(_))
                    && !self.stale.contains(proc.index())
                    && callees.clone().all(known)
            };
            if component.iter().all(is_exact) {
                exact.extend(component.iter().map(|proc| proc.index()));
            }
        }
        let mut known = self.known.clone();
        for proc in facts.program.procs.ids() {
            if !exact.contains(proc.index()) {
                known[proc] = Known::Nothing;
            }
        }
        let mut tabulation = Tabulation::new(self.sim, self.ctx, known);
        let result = tabulation.run(outcome);
        self.n_qbf = tabulation.n_qbf_calls();
        self.explored = Some(tabulation.explored());
        result
    }
}
