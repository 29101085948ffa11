//! The engine `pdr`: property-directed reachability with summaries.
//!
//! After IC3 (Bradley, VMCAI 2011) and its forms for recursion, GPDR (Hoder and Bjørner, SAT 2012)
//! and Spacer (Komuravelli, Gurfinkel and Chaki, CAV 2014); propositional here. For each cutpoint
//! of a procedure there are *lemmas* on the values at entry and now: together an over-approximation
//! of the path edges there, whoever calls. Those of the exit are the summary from above. Each
//! procedure has lemmas on the values it is entered with in reachable states. And each has *facts*,
//! pairs of entry and exit that are known to be reached: the summary from below.
//!
//! **Levels.** A lemma of level k holds of all that is derived with at most k *counted* steps on any
//! branch of the derivation. IC3 counts every step; we count steps back to the head of a loop and
//! calls within a component of the call graph, since nothing else can go on for ever. A program
//! without these is decided at level 0.
//!
//! **Pushing.** A lemma that does not hold one level higher is tried again only when something was learned where the flows
//! into its cutpoint come from ([`changes`]): else a program of n levels would ask n times about each lemma.
//!
//! **Invariant.** The lemmas of level k or more hold of everything derived with at most k counted
//! steps; when no lemma has level exactly k, those above are inductive.
//!
//! Reading order: [`cube`], [`cuts`], [`frames`], [`query`], [`obligation`], [`derivation`],
//! [`proof`], [`kept`]; the main loop is here.

pub mod changes;
pub mod cube;
pub mod cuts;
pub mod derivation;
pub mod frames;
pub mod kept;
pub mod obligation;
pub mod proof;
pub mod query;

use hardbop_base::Exhausted;
use hardbop_engine::{Claim, Engine, RunCtx, Task, Verdict};
use rustc_hash::FxHashSet;

use crate::sat::accept::sequential;
use crate::sat::facts::Facts;
use crate::sat::outcome::Outcome;
use crate::sat::sim::Sim;
use cuts::Cuts;
use derivation::Derivations;
use frames::Frames;
use kept::Lemma;
use obligation::{Goal, Reached};
use query::Solvers;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Pdr;

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn about(&self) -> &'static str {
        "sequential programs with recursion: property-directed reachability with summaries, by SAT"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        sequential(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        self.check_keeping(task, ctx, &mut Vec::new())
    }
}

impl Pdr {
    /// The same, beginning with lemmas of another run, as far as they hold; its own are left in their place.
    pub fn check_keeping(&self, task: &Task<'_>, ctx: &RunCtx, kept: &mut Vec<Lemma>) -> Claim {
        let facts = Facts::of(task);
        let mut sim = Sim::new(&facts, &ctx.budget);
        let cuts = Cuts::of(&mut sim);
        let mut search = Search {
            solvers: Solvers::new(&cuts, &ctx.budget),
            frames: Frames::new(&cuts),
            derivations: Derivations::default(),
            sim: &mut sim,
            cuts: &cuts,
            ctx,
            top: 0,
        };
        let mut outcome = Outcome::new(task);
        let recalled = kept::recall(&mut search, kept);
        let result = recalled.and_then(|_| search.run(&mut outcome));
        *kept = kept::lemmas(&search);
        let mut claim = outcome.claim(task, result.as_ref().map(|_| ()).map_err(|&limit| limit));
        claim.stats.set("levels", search.top as u64);
        if let Ok(n_recalled @ 1..) = recalled {
            claim.stats.set("lemmas_kept", n_recalled);
        }
        claim.stats.set("lemmas", search.frames.n_lemmas());
        claim.stats.set("facts", search.frames.n_facts());
        claim.stats.set("sat_calls", search.solvers.n_calls());
        if let (Verdict::Safe, Ok(level), true) = (&claim.answer, result, task.want_certificate) {
            claim.certificate = proof::certificate(&mut search, level);
        }
        claim
    }
}

/// The state of a run.
pub struct Search<'s, 'a> {
    pub sim: &'s mut Sim<'a>,
    pub cuts: &'s Cuts,
    pub ctx: &'s RunCtx,
    pub solvers: Solvers,
    pub frames: Frames,
    pub derivations: Derivations,
    /// The level at which goals are excluded now.
    pub top: usize,
}

impl Search<'_, '_> {
    /// Up to a goal, or to a level whose lemmas are inductive.
    fn run(&mut self, outcome: &mut Outcome) -> Result<usize, Exhausted> {
        let mut reached = FxHashSet::default();
        self.ctx.progress.count("lemmas", "level");
        loop {
            self.ctx.progress.set_round(self.top as u64);
            self.exclude_goals(&mut reached, outcome)?;
            if reached.len() == self.sim.facts.n_groups() {
                // Nothing is left to exclude, so any invariant will do: that without lemmas.
                return Ok(usize::MAX);
            }
            if let Some(level) = self.push()? {
                return Ok(level);
            }
            self.top += 1;
        }
    }

    /// Excludes the goals at the top level, or reaches them.
    fn exclude_goals(
        &mut self,
        reached: &mut FxHashSet<usize>,
        outcome: &mut Outcome,
    ) -> Result<(), Exhausted> {
        for (at, cut) in self.cuts.cuts.iter_enumerated() {
            for &(group, way) in &cut.ways {
                while !reached.contains(&group) {
                    self.ctx.budget.check()?;
                    self.ctx.progress.set_found(self.frames.n_lemmas());
                    let goal = Goal { at, way };
                    match self.exclude(goal)? {
                        None => break,
                        Some(Reached::Goal { state, context, model }) => {
                            let ending = self.ending(state, goal, &model);
                            let budget = self.ctx.for_evidence().budget;
                            outcome.note(self.sim, group, &ending, || {
                                self.walk(state, context, goal, model, &budget)
                            });
                            reached.insert(group);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves lemmas up where they hold; a level that loses all of its own is inductive.
    fn push(&mut self) -> Result<Option<usize>, Exhausted> {
        for level in 0..=self.top {
            for &at in &self.cuts.order {
                for (lemma, tried) in self.frames.at_level(at, level) {
                    if self.changed_before(at, level + 1) <= tried {
                        continue;
                    }
                    if self.holds_at(at, &lemma, level + 1)? {
                        self.raise(at, &lemma, level + 1);
                    } else {
                        self.frames.tried(at, &lemma, self.frames.now());
                    }
                }
            }
            for &proc in self.cuts.procs.iter().rev() {
                for (lemma, tried) in self.frames.contexts_at_level(proc, level) {
                    if self.changed_at_callers(proc, level + 1) <= tried {
                        continue;
                    }
                    if self.context_holds_at(proc, &lemma, level + 1)? {
                        self.raise_context(proc, &lemma, level + 1);
                    } else {
                        self.frames.tried_context(proc, &lemma, self.frames.now());
                    }
                }
            }
            if self.frames.is_empty_at(level) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}
