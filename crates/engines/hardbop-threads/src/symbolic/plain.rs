//! The engine `symbolic`: at most N identified threads, explicit places, one diagram for all values.
//!
//! BOOM sections 10.2 and 10.3: the plain exploration that `counter` is compared with. It keeps every
//! tie between variables of different threads, and tells states apart that differ only in which thread
//! is which. The search is in [`symbolic_search`](crate::symbolic::symbolic_search).

use crate::counted::counter_explicit::bounds;
use crate::counted::inline::check_inlinable;
use crate::counted::por::Por;
use hardbop_dd::{Manager, with_stack_for};
use hardbop_encode::reorder::{Allowance, Attempt, FIRST_NODES, better};
use hardbop_encode::slots::Slots;
use hardbop_engine::{Claim, Engine, Reason, RunCtx, Task, Verdict};

use crate::symbolic::arrangement::Arranged;
use crate::symbolic::layout::check_levels;
use crate::symbolic::run::{claim_of, patiently, reach, trace_to};
use crate::symbolic::symbolic_search::{SymbolicSearch, pick};
use crate::symbolic::template::Template;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Symbolic;

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn about(&self) -> &'static str {
        "threads up to a bound, no recursion: one diagram for the values of all threads"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        let (bound, _) = bounds(task)?;
        check_inlinable(task.program)?;
        check_levels(task.program, bound as usize)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check_from(task, ctx, FIRST_NODES)
    }
}

/// What the engine says if its first manager has so many nodes: with few of them it is begun again and again, with another order or
/// more of them.
pub fn check_from(task: &Task<'_>, ctx: &RunCtx, first_nodes: usize) -> Claim {
    claim_of(task, ctx, |bound, initial| {
        patiently(task, ctx, first_nodes, |slots, allowed| {
            attempt(task, ctx, bound, initial, slots, allowed)
        })
    })
}

/// One run with one variable order.
fn attempt(
    task: &Task<'_>,
    ctx: &RunCtx,
    bound: u32,
    initial: u32,
    slots: &Slots,
    allowed: Allowance,
) -> Attempt {
    let program = task.program;
    let arranged = Arranged::Together { program, n_threads: bound as usize, n_above: 0 };
    let layout = arranged.layout(slots);
    let dd = Manager::new(layout.n_levels(), allowed.limits);
    with_stack_for(layout.n_levels(), || {
        let template = Template::new(program, &dd, slots, &layout);
        let mut search = SymbolicSearch::new(template, Por::of_task(task));
        let outcome = search
            .start(initial as usize)
            .map_err(Into::into)
            .and_then(|()| search.run(&task.goal, task.exhaustive, task.want_trace, ctx));
        let mut claim = Claim::new(Verdict::Safe);
        claim.stats.set("place_combinations", search.n_combos() as u64);
        claim.stats.set("dd_nodes", dd.n_nodes() as u64);
        if let Err(exhausted) = outcome {
            claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
        } else if task.exhaustive {
            claim.goals = search.reached.statuses(program);
        }
        // A goal found before the budget ran out is found all the same.
        if let Some(found) = search.found.take() {
            let SymbolicSearch { template, kept, .. } = &mut search;
            reach(&mut claim, task, found.site, |site| {
                let last = pick(template, &found.combo, &found.states);
                let ctx = &ctx.for_evidence();
                trace_to(template, kept, bound, (last, found.culprit), site, ctx)
            });
        }
        allowed.attempt(claim, ctx, || better(program, &arranged, slots, &dd, search.functions()))
    })
}
