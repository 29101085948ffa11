//! What surrounds a search: what is refused or known beforehand, and the trace afterwards.

use hardbop_base::Exhausted;
use hardbop_conc::counter_explicit::bounds;
use hardbop_conc::lift::lift;
use hardbop_engine::{Answer, Claim, GoalSite, Reason, Task};
use hardbop_evidence::Trace;
use hardbop_interp::graph::unreachable_in_graph;

use crate::backtrack::{Config, Rings, backtrack};
use crate::concretize::concretize;
use crate::template::Template;

/// The claim of a search, which is given the bound on threads and the number of first threads.
pub fn claim_of(task: &Task<'_>, search: impl FnOnce(u32, u32) -> Claim) -> Claim {
    let (bound, initial) = match bounds(task) {
        Ok(bounds) => bounds,
        Err(why) => return Claim::new(Answer::Unknown(Reason::Unsupported(why))),
    };
    let mut claim = if !task.exhaustive && unreachable_in_graph(task.program, &task.goal) {
        Claim::new(Answer::Safe)
    } else {
        search(bound, initial)
    };
    claim.scope.threads = Some(bound);
    if let Answer::Unsafe { trace: Some(trace), .. } = &claim.answer {
        claim.stats.set("trace_statements", trace.n_statements() as u64);
    }
    claim
}

/// A trace to a state that follows the last ring, in which the thread of a slot reaches the goal.
pub fn trace_to(
    template: &mut Template<'_>,
    rings: &impl Rings,
    bound: u32,
    last: Config,
    culprit: usize,
    site: &GoalSite,
) -> Result<Trace, Reason> {
    let violation = match site {
        GoalSite::Assert(edge) => Some((culprit, *edge)),
        GoalSite::Label(..) => None,
    };
    let full = |full| Reason::Exhausted(Exhausted::from(full));
    let way = backtrack(template, rings, bound, last).map_err(full)?;
    let Some((first, hops)) = way else {
        return Err(Reason::Internal("the run of the search was not found again".into()));
    };
    let initial = template.initial().map_err(full)?;
    let run = concretize(template, &initial, &first, &hops, violation).map_err(full)?;
    Ok(lift(&template.contexts, &run))
}
