//! The engines of the command line, for Boolean programs without a bound on threads.

use crate::counted::inline::check_inlinable;
use hardbop_base::Exhausted;
use hardbop_engine::{
    Claim, Engine, GoalSite, Reached, Reason, RunCtx, Task, Threads, Verdict, goals,
};
use hardbop_interp::graph::unreachable_in_graph;

use crate::cover::backward::Backward;
use crate::cover::certificate;
use crate::cover::counterexample::reach;
use crate::cover::cutoff::{self, Outcome};
use crate::cover::fewest::fewest_threads;
use crate::cover::km::{Forward, Until};
use crate::cover::modular::Modular;
use crate::cover::programs::ProgramSystem;
use crate::cover::run::Run;
use crate::cover::system::System;
use crate::cover::unroll::{run_to, unroll};

/// Karp–Miller, forward.
#[derive(Clone, Copy, Default, Debug)]
pub struct KarpMillerExplicit;

/// Backward coverability.
#[derive(Clone, Copy, Default, Debug)]
pub struct BackwardSearch;

/// Bounded runs and a test whether more threads add anything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cutoff;

/// `Err` in words for the user.
pub fn takes(task: &Task<'_>) -> Result<(), String> {
    match task.threads {
        Threads::Sequential => Err("the program has one thread only".into()),
        Threads::AtMost(_) => {
            Err("this engine is for any number of threads (`--threads inf`)".into())
        }
        Threads::Unbounded => check_inlinable(task.program),
    }
}

impl Engine for KarpMillerExplicit {
    fn name(&self) -> &'static str {
        "karp-miller-explicit"
    }

    fn about(&self) -> &'static str {
        "any number of threads, no recursion: coverability tree with ω; need not end with broadcasts"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        takes(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        let mut system = ProgramSystem::new(task);
        let mut forward = Forward::new(system.targets());
        let until = if task.exhaustive { Until::Everything } else { Until::FirstTarget };
        let explored = forward.explore(&mut system, until, ctx);
        claim.stats.set("states", forward.n_nodes() as u64);
        claim.stats.set("maximal", forward.cover().len() as u64);
        claim.stats.set("accelerations", forward.n_accels() as u64);
        claim.stats.set("thread_states", system.explorer.n_locals() as u64);
        let covered = |site: &GoalSite| {
            let number = system.sites.iter().position(|it| it == site);
            number.is_some_and(|number| forward.covered[number].is_some())
        };
        let explored_all = explored.is_ok();
        match explored {
            Err(exhausted) => claim.answer = unknown_or_clearly_safe(task, exhausted),
            Ok(()) if task.exhaustive => claim.goals = goals::statuses(task.program, covered),
            Ok(()) => {}
        }
        let found = system.sites.iter().zip(&forward.covered).enumerate();
        let found = found.filter_map(|(number, (site, node))| Some((number, site, (*node)?)));
        let found = found.into_iter().find(|(_, site, _)| site.is_of(&task.goal));
        if let Some((number, site, node)) = found {
            let (site, target) = (site.clone(), system.targets()[number].clone());
            let run =
                |system: &mut ProgramSystem<'_>, ctx: &RunCtx| match small_run(task, system, ctx) {
                    Some(run) => Ok(Some(run)),
                    None => unroll(&forward, system, node, &target, &mut ctx.budget.meter(256)),
                };
            reach(&mut claim, task, site, &mut system, run, ctx);
        } else if explored_all && task.want_certificate {
            claim.certificate = certificate::cover(&system, task, &forward.cover());
        }
        claim
    }
}

impl Engine for BackwardSearch {
    fn name(&self) -> &'static str {
        "backward"
    }

    fn about(&self) -> &'static str {
        "any number of threads, no recursion: backward coverability within thread-modular bounds"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        if task.exhaustive {
            return Err("this engine looks for one goal, not for all (`--all`)".into());
        }
        takes(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        let mut system = ProgramSystem::new(task);
        if let Err(exhausted) = search(task, &mut system, &mut claim, ctx) {
            claim.answer = unknown_or_clearly_safe(task, exhausted);
        }
        claim
    }
}

impl Engine for Cutoff {
    fn name(&self) -> &'static str {
        "cutoff"
    }

    fn about(&self) -> &'static str {
        "any number of threads, no recursion: runs with 1, 2, … threads until no more can add anything"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        BackwardSearch.accepts(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        let mut system = ProgramSystem::new(task);
        match cutoff::search(&mut system, ctx) {
            Err(exhausted) => claim.answer = unknown_or_clearly_safe(task, exhausted),
            Ok(Outcome::Covered { target, n_threads }) => {
                claim.stats.set("threads", n_threads);
                let site = system.sites[target].clone();
                let target = system.targets()[target].clone();
                let run = |system: &mut ProgramSystem<'_>, ctx: &RunCtx| match small_run(
                    task, system, ctx,
                ) {
                    Some(run) => Ok(Some(run)),
                    None => run_to(system, &target, ctx),
                };
                reach(&mut claim, task, site, &mut system, run, ctx);
            }
            Ok(Outcome::Cutoff(proof)) => {
                claim.stats.set("cutoff", proof.n_threads);
                claim.stats.set("states", proof.reached.n_states as u64);
                claim.stats.set("thread_states", proof.reached.n_pairs() as u64);
                claim.stats.set("queries", proof.n_queries as u64);
                if task.want_certificate {
                    let controls = proof.reached.controls();
                    let locals = &proof.reached.locals;
                    let occurs = controls.iter().map(|it| (*it, locals[it].as_slice()));
                    let never: Vec<_> = proof.never.iter().collect();
                    claim.certificate = certificate::views(&system, task, occurs, &never);
                }
            }
        }
        claim
    }
}

fn search(
    task: &Task<'_>,
    system: &mut ProgramSystem<'_>,
    claim: &mut Claim,
    ctx: &RunCtx,
) -> Result<(), Exhausted> {
    let mut meter = ctx.budget.meter(256);
    let modular = Modular::new(system, &mut meter)?;
    claim.stats.set("thread_states", modular.n_pairs() as u64);
    let mut backward = Backward::new(system, &modular, &mut meter)?;
    backward.listen(ctx);
    let targets = system.targets();
    let outcome = backward.search(system, &targets, ctx);
    claim.stats.set("states", backward.n_elements() as u64);
    if let Some(target) = outcome? {
        let site = system.sites[target].clone();
        let run = |system: &mut ProgramSystem<'_>, ctx: &RunCtx| backward.run(system, ctx);
        reach(claim, task, site, system, run, ctx);
    } else if task.want_certificate {
        let controls = modular.controls();
        let occurs = controls.iter().map(|&control| (control, modular.locals(control)));
        claim.certificate = certificate::views(system, task, occurs, &backward.basis());
    }
    Ok(())
}

/// A run with few threads, if it is not too hard to find.
fn small_run(task: &Task<'_>, system: &mut ProgramSystem<'_>, ctx: &RunCtx) -> Option<Run> {
    let of_goal = system.sites.iter().zip(system.targets());
    let targets: Vec<_> =
        of_goal.filter(|(site, _)| site.is_of(&task.goal)).map(|(_, target)| target).collect();
    let ctx = ctx.for_better_evidence(ctx.start.elapsed());
    fewest_threads(system, &targets, &ctx).ok().flatten()
}

/// Where the graph alone excludes the goal, the time was only for the proof.
pub fn unknown_or_clearly_safe(task: &Task<'_>, exhausted: Exhausted) -> Verdict<Reached> {
    if !task.exhaustive && unreachable_in_graph(task.program, &task.goal) {
        Verdict::Safe
    } else {
        Verdict::Unknown(Reason::Exhausted(exhausted))
    }
}
