//! What surrounds a search: what is refused or known beforehand, and the trace afterwards.

use crate::counted::counter_explicit::{bounds, prove};
use crate::counted::explore::Explorer;
use crate::counted::lift::lift;
use crate::counted::moves::ThreadProgram;
use hardbop_base::Exhausted;
use hardbop_dd::OutOfNodes;
use hardbop_encode::reorder::{Allowance, Attempt, Patience};
use hardbop_encode::slots::{Order, Slots};
use hardbop_engine::{Claim, GoalSite, Reached, Reason, RunCtx, Task, Verdict};
use hardbop_evidence::Trace;
use hardbop_interp::graph::unreachable_in_graph;

use crate::symbolic::backtrack::{Config, Rings, backtrack};
use crate::symbolic::concretize::concretize;
use crate::symbolic::template::Template;

/// The claim of a search, which is given the bound on threads and the number of first threads.
///
/// A certificate lists the reachable states one by one, so it is made by enumeration, as far as they
/// are few: that needs nothing of what the search knows, and says nothing of how it came by it.
pub fn claim_of(task: &Task<'_>, ctx: &RunCtx, search: impl FnOnce(u32, u32) -> Claim) -> Claim {
    let (bound, initial) = match bounds(task) {
        Ok(bounds) => bounds,
        Err(why) => return Claim::unknown(Reason::Unsupported(why)),
    };
    let mut claim = if !task.exhaustive && unreachable_in_graph(task.program, &task.goal) {
        Claim::new(Verdict::Safe)
    } else {
        search(bound, initial)
    };
    claim.scope.threads = Some(bound);
    if matches!(claim.answer, Verdict::Safe) && task.want_certificate {
        let mut explorer = Explorer::new(ThreadProgram::new(task.program), bound);
        if explorer.start(initial, ctx).is_ok() {
            prove(&mut claim, task, explorer, initial, ctx);
        }
    }
    claim
}

/// The claim of the first run that has enough nodes, each with a variable order of its own.
pub fn patiently(
    task: &Task<'_>,
    ctx: &RunCtx,
    first_nodes: usize,
    attempt: impl FnMut(&Slots, Allowance) -> Attempt,
) -> Claim {
    let order = task.order.unwrap_or(Order::Force);
    Patience::new(ctx, task.program, order, first_nodes).run(ctx, attempt)
}

/// The goal can be reached; a trace, if it is wanted.
pub fn reach(
    claim: &mut Claim,
    task: &Task<'_>,
    site: GoalSite,
    trace: impl FnOnce(&GoalSite) -> Result<Trace, Reason>,
) {
    if task.want_trace {
        let trace = trace(&site);
        claim.reaches(site, trace);
    } else {
        claim.answer = Verdict::Unsafe(Reached { site, trace: None });
    }
}

/// The diagrams of a trace did not fit.
pub fn out_of_nodes(full: OutOfNodes) -> Reason {
    Reason::Exhausted(Exhausted::from(full))
}

/// A trace to a state that follows the last ring, in which the thread of a slot reaches the goal.
pub fn trace_to(
    template: &mut Template<'_>,
    rings: &impl Rings,
    bound: u32,
    (last, culprit): (Config, usize),
    site: &GoalSite,
    ctx: &RunCtx,
) -> Result<Trace, Reason> {
    let violation = match site {
        GoalSite::Assert(edge) => Some((culprit, *edge)),
        GoalSite::Label(..) => None,
    };
    let way = backtrack(template, rings, bound, last, &ctx.budget).map_err(Reason::Exhausted)?;
    let Some((first, hops)) = way else {
        return Err(Reason::Internal("the run of the search was not found again".into()));
    };
    let initial = template.initial().map_err(out_of_nodes)?;
    let run = concretize(template, &initial, &first, &hops, violation).map_err(out_of_nodes)?;
    Ok(lift(&template.contexts, &run))
}
