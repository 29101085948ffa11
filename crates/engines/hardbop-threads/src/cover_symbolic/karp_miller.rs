//! The engine `karp-miller`: any number of threads, by a symbolic coverability tree.
//!
//! BOOM chapter 8. The search is in [`km_search`](crate::cover_symbolic::km_search), where it is also said why sets of
//! states can be accelerated. A goal becomes a trace by a search with 1, 2, … threads, state by state; where
//! there are too many states for that, by the enumerating tree, which finds a longer one; and where that is too
//! large, by diagrams with 1, 2, … threads, which ends because some number is enough. A cover is written down by [`crate::cover_symbolic::km_certificate`].
//!
//! **Limits.** No recursion. With broadcasts the search need not end. A program that ties many locals to
//! shared variables falls into many products.

use crate::counted::explore::AtBound;
use crate::counted::por::Por;
use crate::cover::counterexample::{by_tree, first_threads, with_fewest_threads};
use crate::cover::engines::{takes, unknown_or_clearly_safe};
use hardbop_base::Exhausted;
use hardbop_dd::{Manager, with_stack_for};
use hardbop_encode::reorder::{Allowance, Attempt, FIRST_NODES, better};
use hardbop_encode::slots::Slots;
use hardbop_engine::{Claim, Engine, GoalSite, Reached, Reason, RunCtx, Task, Verdict};
use hardbop_evidence::Trace;

use crate::cover_symbolic::km_certificate;
use crate::cover_symbolic::km_search::KmSearch;
use crate::symbolic::arrangement::Arranged;
use crate::symbolic::counter::trace;
use crate::symbolic::counter_search::{CounterSearch, Way};
use crate::symbolic::layout::check_levels;
use crate::symbolic::run::patiently;
use crate::symbolic::template::Template;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct KarpMiller;

impl Engine for KarpMiller {
    fn name(&self) -> &'static str {
        "karp-miller"
    }

    fn about(&self) -> &'static str {
        "any number of threads, no recursion: coverability tree over diagrams; need not end with broadcasts"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        takes(task)?;
        check_levels(task.program, 1)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check_from(task, ctx, FIRST_NODES)
    }
}

/// What the engine says if its first manager has so many nodes: with few of them it is begun again and again, with another order or
/// more of them.
pub fn check_from(task: &Task<'_>, ctx: &RunCtx, first_nodes: usize) -> Claim {
    patiently(task, ctx, first_nodes, |slots, allowed| attempt(task, ctx, slots, allowed))
}

/// One run with one variable order.
fn attempt(task: &Task<'_>, ctx: &RunCtx, slots: &Slots, allowed: Allowance) -> Attempt {
    let arranged = Arranged::Apart(task.program);
    let layout = arranged.layout(slots);
    let dd = Manager::new(layout.n_levels(), allowed.limits);
    with_stack_for(layout.n_levels(), || {
        let template = || Template::new(task.program, &dd, slots, &layout);
        let mut claim = Claim::new(Verdict::Safe);
        let mut search = KmSearch::new(template(), &ctx.budget);
        let outcome = search.run(task.initial_threads, &task.goal, task.exhaustive, ctx);
        note(&mut claim, &search);
        let is_complete = outcome.is_ok();
        match outcome {
            Err(exhausted) => claim.answer = unknown_or_clearly_safe(task, exhausted),
            Ok(()) if task.exhaustive => {
                claim.goals = search.moves.reached.statuses(task.program);
            }
            Ok(()) => {}
        }
        if let Some(site) = search.moves.found.take() {
            reach(&mut claim, task, site, template, ctx);
        } else if is_complete && task.want_certificate {
            km_certificate::prove(&mut claim, &search, task, ctx);
        }
        claim.stats.set("dd_nodes", dd.n_nodes() as u64);
        allowed.attempt(claim, ctx, || {
            better(task.program, &arranged, slots, &dd, search.moves.sets.functions())
        })
    })
}

fn note(claim: &mut Claim, search: &KmSearch<'_>) {
    claim.stats.set("states", search.n_nodes() as u64);
    claim.stats.set("maximal", search.maximal.iter().count() as u64);
    claim.stats.set("accelerations", search.n_accelerated);
    claim.stats.set("thread_sets", search.moves.sets.len() as u64);
}

/// The goal can be covered at `site`; a trace to it or to another, if it is wanted.
fn reach<'a>(
    claim: &mut Claim,
    task: &Task<'_>,
    site: GoalSite,
    template: impl Fn() -> Template<'a>,
    ctx: &RunCtx,
) {
    if !task.want_trace {
        claim.answer = Verdict::Unsafe(Reached { site, trace: None });
        return;
    }
    let ctx = &ctx.for_evidence();
    let enumerated = with_fewest_threads(task, ctx).or_else(|| by_tree(task, ctx));
    match enumerated.map_or_else(|| with_fewest_by_diagrams(task, template, ctx), Ok) {
        Ok((site, trace)) => claim.reaches(site, Ok(trace)),
        Err(reason) => claim.reaches(site, Err(reason)),
    }
}

/// The same where there are too many states to be followed one by one.
fn with_fewest_by_diagrams<'a>(
    task: &Task<'_>,
    template: impl Fn() -> Template<'a>,
    ctx: &RunCtx,
) -> Result<(GoalSite, Trace), Reason> {
    for bound in 1.. {
        let way = Way::Steps(Box::new(Por::of_task(task)));
        let mut search = CounterSearch::new(template(), bound, AtBound::Cut, way, &ctx.budget);
        let mut explore = || -> Result<(), Exhausted> {
            for first in first_threads(task, bound) {
                search.start(first, &task.goal)?;
            }
            search.run(&task.goal, false, true, ctx)
        };
        explore().map_err(Reason::Exhausted)?;
        if let (Some(site), Some(witness)) = (search.moves.found.take(), search.witness.take()) {
            // Starts that find no room are not part of any run.
            let trace = trace(&mut search, &witness, &site, u32::MAX, ctx)?;
            return Ok((site, trace));
        }
    }
    unreachable!("nobody has so many threads")
}
