//! The engine `symbolic`: at most N identified threads, explicit places, one diagram for all values.
//!
//! BOOM sections 10.2 and 10.3: the plain exploration that `counter` is compared with. It keeps every
//! tie between variables of different threads, and tells states apart that differ only in which thread
//! is which. The search is in [`symbolic_search`](crate::symbolic::symbolic_search).

use crate::counted::counter_explicit::bounds;
use crate::counted::inline::check_inlinable;
use crate::counted::por::Por;
use hardbop_dd::{Manager, with_stack_for};
use hardbop_encode::limits::limits_of;
use hardbop_encode::slots::{Order, Slots};
use hardbop_engine::{Claim, Engine, Reason, RunCtx, Task, Verdict};

use crate::symbolic::layout::{Layout, check_levels};
use crate::symbolic::run::{claim_of, reach, trace_to};
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
        claim_of(task, ctx, |bound, initial| {
            let slots = Slots::new(task.program, task.order.unwrap_or(Order::Force));
            let layout = Layout::together(task.program, &slots, bound as usize, 0);
            let dd = Manager::new(layout.n_levels(), limits_of(ctx));
            with_stack_for(layout.n_levels(), || {
                let template = Template::new(task.program, &dd, &slots, &layout);
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
                    claim.goals = search.reached.statuses(task.program);
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
                claim
            })
        })
    }
}
