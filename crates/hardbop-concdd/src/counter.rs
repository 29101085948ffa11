//! The engine `counter`: at most N threads, by symbolic counter abstraction.
//!
//! BOOM chapter 7. The search is in [`counter_search`](crate::counter_search), where it is also said
//! why products of sets stay exact. A goal becomes a trace by [`backtrack`](crate::backtrack) and
//! [`concretize`](crate::concretize).
//!
//! **Limits.** No recursion. A program that ties many locals to shared variables falls into many
//! products; `symbolic` keeps such ties in one diagram.

use hardbop_base::Exhausted;
use hardbop_conc::counter_explicit::bounds;
use hardbop_conc::inline::check_inlinable;
use hardbop_dd::{Dd, Manager, with_stack_for};
use hardbop_engine::{Answer, Claim, Engine, GoalSite, Reason, RunCtx, Task};
use hardbop_evidence::Event;
use hardbop_seq::bdd::limits_of;
use hardbop_seq::slots::{Order, Slots};

use crate::counter_rings::CounterRings;
use crate::counter_search::{CounterSearch, Found};
use crate::layout::{Layout, check_levels, n_positions};
use crate::run::{claim_of, trace_to};
use crate::template::Template;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counter;

impl Engine for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn about(&self) -> &'static str {
        "threads up to a bound, no recursion: counts threads in equal sets of states"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        bounds(task)?;
        check_inlinable(task.program)?;
        check_levels(task.program, 1)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        claim_of(task, |bound, initial| {
            let slots = Slots::new(task.program, Order::Force);
            let layout = Layout::apart(task.program, &slots);
            let dd = Manager::new(layout.n_levels(), limits_of(ctx));
            with_stack_for(layout.n_levels(), || {
                let template = Template::new(task.program, &dd, &slots, &layout);
                let n_positions = n_positions(task.program);
                let mut search = CounterSearch::new(template, bound, n_positions);
                let outcome = search
                    .start(initial)
                    .and_then(|()| search.run(&task.goal, task.exhaustive, task.want_trace, ctx));
                let mut claim = Claim::new(Answer::Safe);
                claim.stats.set("states", search.history.len() as u64);
                claim.stats.set("thread_sets", search.sets.len() as u64);
                claim.stats.set("merged", search.history.n_merged);
                claim.stats.set("subsumed", search.history.n_subsumed);
                claim.stats.set("dd_nodes", dd.n_nodes() as u64);
                if let Err(exhausted) = outcome {
                    claim.answer = Answer::Unknown(Reason::Exhausted(exhausted));
                } else if task.exhaustive {
                    claim.goals = search.reached.statuses(task.program);
                }
                // A goal found before the budget ran out is found all the same.
                if let Some(found) = search.found.take() {
                    claim.answer = unsafe_answer(task, &mut search, found, bound);
                }
                claim
            })
        })
    }
}

fn unsafe_answer(
    task: &Task<'_>,
    search: &mut CounterSearch<'_>,
    found: Found,
    bound: u32,
) -> Answer {
    if !task.want_trace {
        return Answer::Unsafe { site: found.site, trace: None };
    }
    let CounterSearch { template, sets, history, rings, .. } = search;
    let rings = CounterRings { rings, history, sets };
    let trace = failing(template, &rings, &found).map_err(Exhausted::from);
    let trace = trace.map_err(Reason::Exhausted).and_then(|guard| {
        let last = rings.last(template, &found, &guard).map_err(Exhausted::from);
        let (last, culprit) = last.map_err(Reason::Exhausted)?;
        trace_to(template, &rings, bound, last, culprit, &found.site)
    });
    match trace {
        Ok(trace) => Answer::Unsafe { site: found.site, trace: Some(trace) },
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Where the assertion that was found fails; anywhere for a label.
fn failing(
    template: &mut Template<'_>,
    rings: &CounterRings<'_>,
    found: &Found,
) -> Result<Dd, hardbop_dd::OutOfNodes> {
    let dd = template.dd;
    let mut guard = dd.one().clone();
    if let GoalSite::Assert(edge) = found.site {
        let steps = template.steps(rings.sets.pc(found.culprit))?;
        for step in steps.iter().filter(|step| step.event == Event::Violate(edge)) {
            for part in step.relation.parts() {
                guard = dd.and(&guard, part)?;
            }
        }
    }
    Ok(guard)
}
