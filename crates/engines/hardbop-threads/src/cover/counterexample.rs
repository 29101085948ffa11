//! From "a goal can be covered" to a trace with the fewest threads.
//!
//! An engine's own run has as many threads as its way of searching gave it: loops unrolled in full. So
//! the goal is looked for once more with 1, 2, … threads, nearest first. That search is a plain one; where
//! it grows too large, a backward search gives a run with few threads, and failing that, the engine's own
//! run is shown.

use std::ops::RangeInclusive;

use crate::counted::explore::{AtBound, Explorer};
use crate::counted::identify::identified_run;
use crate::counted::lift::lift;
use crate::counted::moves::ThreadProgram;
use hardbop_base::Exhausted;
use hardbop_engine::{Claim, GoalSite, InitialThreads, Reached, Reason, RunCtx, Task, Verdict};
use hardbop_evidence::Trace;

use crate::cover::km::{Forward, Until};
use crate::cover::programs::ProgramSystem;
use crate::cover::run::Run;
use crate::cover::system::System;
use crate::cover::unroll::unroll;

/// States explored for each number of threads.
const MOST_STATES: usize = 100_000;

/// The goal can be covered at `site`; `run` is asked for a trace only if nothing shorter is found soon. It is
/// given what may be spent.
pub fn reach(
    claim: &mut Claim,
    task: &Task<'_>,
    site: GoalSite,
    system: &mut ProgramSystem<'_>,
    run: impl FnOnce(&mut ProgramSystem<'_>, &RunCtx) -> Result<Option<Run>, Exhausted>,
    ctx: &RunCtx,
) {
    if !task.want_trace {
        claim.answer = Verdict::Unsafe(Reached { site, trace: None });
        return;
    }
    let spent = ctx.start.elapsed();
    let ctx = &ctx.for_evidence();
    if let Some((site, trace)) = with_fewest_threads(task, &ctx.for_better_evidence(spent)) {
        return claim.reaches(site, Ok(trace));
    }
    let mut meter = ctx.budget.meter(256);
    let found = run(system, ctx).and_then(|run| match run {
        Some(run) => system.trace(&run, &mut meter),
        None => Ok(None),
    });
    match found {
        Ok(Some((site, trace))) => claim.reaches(site, Ok(trace)),
        Ok(None) => {
            claim.reaches(site, Err(Reason::Internal("the run was not found again".into())))
        }
        Err(exhausted) => claim.reaches(site, Err(Reason::Exhausted(exhausted))),
    }
}

/// `None` if the search grows too large, or time is up: then there may still be another way.
pub fn with_fewest_threads(task: &Task<'_>, ctx: &RunCtx) -> Option<(GoalSite, Trace)> {
    for n in 1.. {
        let mut explorer = Explorer::new(ThreadProgram::new(task.program), n);
        (explorer.at_bound, explorer.max_states) = (AtBound::Cut, MOST_STATES);
        for first in first_threads(task, n) {
            explorer.start(first, ctx).ok()?;
        }
        explorer.run(&task.goal, false, ctx).ok()?;
        if let Some(found) = explorer.found.take() {
            let mut meter = ctx.budget.meter(u32::MAX);
            let run = identified_run(&mut explorer, &found, &mut meter).ok()??;
            return Some((found.site, lift(&explorer.threads.contexts, &run)));
        }
    }
    None
}

/// The run of the enumerating tree, for an engine that has none of its own. `None` if that grows too large.
pub fn by_tree(task: &Task<'_>, ctx: &RunCtx) -> Option<(GoalSite, Trace)> {
    let mut system = ProgramSystem::new(&Task { exhaustive: false, ..task.clone() });
    let targets = system.targets();
    let mut forward = Forward::new(targets.clone());
    forward.max_nodes = MOST_STATES;
    forward.explore(&mut system, Until::FirstTarget, ctx).ok()?;
    let mut covered = forward.covered.iter().zip(&targets);
    let (node, target) = covered.find_map(|(node, target)| Some(((*node)?, target)))?;
    let mut meter = ctx.budget.meter(256);
    let run = unroll(&forward, &mut system, node, target, &mut meter).ok()??;
    system.trace(&run, &mut meter).ok()?
}

/// How many threads may be there in the beginning, if there may be at most `n`.
pub fn first_threads(task: &Task<'_>, n: u32) -> RangeInclusive<u32> {
    match task.initial_threads {
        InitialThreads::Count(first) => first..=first.min(n),
        InitialThreads::Unbounded => 1..=n,
    }
}
