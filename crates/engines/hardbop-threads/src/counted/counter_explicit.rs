//! The engine `counter-explicit`: at most N threads, by enumeration of counters.
//!
//! **Computes** whether the goal is reachable with at most N threads alive, `start_thread` at the
//! bound being `skip`: exact, without over- or under-approximation (BOOM section 7.5.2). Threads
//! are interchangeable, so a state only counts how many are in which state. Whether a goal can be
//! reached is decided by leaps ([`leap`]); if one can and a trace is wanted, a nearest one is looked
//! for ([`stretches`]) and becomes a trace of the program ([`identify`], [`lift`]). With a
//! partial-order reduction ([`por`]) there is one search, and traces need not be the shortest.
//!
//! **Limits.** No recursion; data are enumerated.
//!
//! [`leap`]: crate::counted::leap
//! [`por`]: crate::counted::por
//! [`stretches`]: crate::counted::stretches
//! [`identify`]: crate::counted::identify
//! [`lift`]: crate::counted::lift

use hardbop_engine::{
    Claim, Engine, GoalSite, InitialThreads, Reached, Reason, Reduction, RunCtx, Task, Threads,
    Verdict,
};
use hardbop_interp::graph::unreachable_in_graph;

use crate::counted::certificate;
use crate::counted::counters::Counters;
use crate::counted::explore::Explorer;
use crate::counted::identify::identify;
use crate::counted::inline::check_inlinable;
use crate::counted::leap::Leaps;
use crate::counted::lift::lift;
use crate::counted::moves::ThreadProgram;
use crate::counted::places::Places;
use crate::counted::por::Por;
use crate::counted::stretches::{By, Stretches};

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct CounterExplicit;

impl Engine for CounterExplicit {
    fn name(&self) -> &'static str {
        "counter-explicit"
    }

    fn about(&self) -> &'static str {
        "threads up to a bound, no recursion: counts threads in equal states, enumerates values"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        bounds(task)?;
        check_inlinable(task.program)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let search = match task.reduction {
            Reduction::None if !task.program.has_broadcasts() => Search::Leaps,
            Reduction::None => Search::Steps,
            _ => Search::Reduced,
        };
        check_by(search, task, ctx)
    }
}

/// The engine with every interleaving of single statements: what leaps and reductions are measured
/// against.
#[derive(Clone, Copy, Default, Debug)]
pub struct CounterSteps;

impl Engine for CounterSteps {
    fn name(&self) -> &'static str {
        "counter-explicit-steps"
    }

    fn about(&self) -> &'static str {
        "as counter-explicit, every interleaving of single statements: for comparison"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        CounterExplicit.accepts(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check_by(Search::Steps, task, ctx)
    }
}

/// How the goal is looked for.
enum Search {
    Leaps,
    Steps,
    Reduced,
}

fn check_by(search: Search, task: &Task<'_>, ctx: &RunCtx) -> Claim {
    let (bound, initial) = match bounds(task) {
        Ok(bounds) => bounds,
        Err(why) => return Claim::unknown(Reason::Unsupported(why)),
    };
    let mut claim = Claim::new(Verdict::Safe);
    claim.scope.threads = Some(bound);
    let is_settled = !task.exhaustive && unreachable_in_graph(task.program, &task.goal);
    if is_settled && !task.want_certificate {
        return claim;
    }
    let mut explorer = Explorer::new(ThreadProgram::new(task.program), bound);
    match explorer.start(initial, ctx) {
        // What the graph excludes needs no search; only a proof lists states.
        Err(_) if is_settled => return claim,
        Ok(()) if is_settled => {}
        Err(exhausted) => claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted)),
        Ok(()) => match search {
            Search::Leaps => by_leaps(task, &mut explorer, &mut claim, ctx),
            Search::Steps => by_steps(task, &mut explorer, &mut claim, ctx),
            Search::Reduced => by_reduction(task, &mut explorer, &mut claim, ctx),
        },
    }
    claim.stats.set("shared_states", explorer.n_shareds() as u64);
    claim.stats.set("thread_states", explorer.n_locals() as u64);
    if matches!(claim.answer, Verdict::Safe) && task.want_certificate {
        prove(&mut claim, task, explorer, initial, ctx);
    }
    claim
}

/// By every interleaving, nearest first.
fn by_steps(task: &Task<'_>, explorer: &mut Explorer<'_>, claim: &mut Claim, ctx: &RunCtx) {
    let outcome = explorer.run(&task.goal, task.exhaustive, ctx);
    claim.stats.set("states", explorer.n_states() as u64);
    if let Err(exhausted) = outcome {
        claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
    } else if task.exhaustive {
        claim.goals = explorer.reached.statuses(task.program);
    }
    // A goal found before the budget ran out is found all the same.
    if let Some(found) = explorer.found.take() {
        claim.stats.set("trace_statements", u64::from(found.n_statements));
        let run = explorer.run_to(&found);
        reach(claim, task, explorer, found.site, &run, ctx);
    }
}

/// By leaps, then by leaps with distances for the trace.
fn by_leaps(task: &Task<'_>, explorer: &mut Explorer<'_>, claim: &mut Claim, ctx: &RunCtx) {
    let Some(places) = Places::of(explorer) else {
        return by_steps(task, explorer, claim, ctx);
    };
    let mut meter = ctx.budget.meter(256);
    let outcome = Leaps::new(explorer, places, &task.goal, &mut meter).and_then(|mut leaps| {
        let outcome = leaps.run(&task.goal, task.exhaustive, ctx);
        claim.stats.set("states", leaps.n_states() as u64);
        claim.stats.set("point_sets", leaps.n_threads() as u64);
        if outcome.is_ok() && task.exhaustive {
            claim.goals = leaps.reached.statuses(task.program);
        }
        let found = leaps.found.take();
        if found.is_none() { outcome.map(|()| None) } else { Ok(found) }
    });
    match outcome {
        Ok(None) => {}
        Ok(Some(site)) if task.want_trace => nearest(task, explorer, site, claim, ctx),
        Ok(Some(site)) => claim.answer = Verdict::Unsafe(Reached { site, trace: None }),
        Err(exhausted) => claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted)),
    }
}

/// A nearest goal where one is known to be reachable, with its trace.
fn nearest(
    task: &Task<'_>,
    explorer: &mut Explorer<'_>,
    site: GoalSite,
    claim: &mut Claim,
    ctx: &RunCtx,
) {
    let places = Places::of(explorer).expect("there were places to leap to");
    let mut search = Stretches::new(explorer, By::Leaps(places));
    let outcome = search.run(&task.goal, false, &ctx.for_evidence());
    claim.stats.set("trace_states", search.n_states() as u64);
    let lost = "a goal that leaps reach is not found again";
    claim.reaches(site, Err(Reason::of_lost(outcome, lost)));
    take_found(task, search, claim, ctx);
}

/// By the interleavings that the reduction asks for.
fn by_reduction<'a>(task: &Task<'a>, explorer: &mut Explorer<'a>, claim: &mut Claim, ctx: &RunCtx) {
    let mut search = Stretches::new(explorer, By::Plans(Box::new(Por::of_task(task))));
    let outcome = search.run(&task.goal, task.exhaustive, ctx);
    claim.stats.set("states", search.n_states() as u64);
    if let Err(exhausted) = outcome {
        claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
    } else if task.exhaustive {
        claim.goals = search.reached.statuses(task.program);
    }
    take_found(task, search, claim, ctx);
}

fn take_found(task: &Task<'_>, search: Stretches<'_, '_>, claim: &mut Claim, ctx: &RunCtx) {
    let Some((site, distance)) = search.found() else { return };
    let (site, run) = (site.clone(), search.run_to_goal());
    claim.stats.set("trace_statements", u64::from(distance));
    reach(claim, task, search.explorer(), site, &run, ctx);
}

/// The goal at `site` is reached by a run, a trace of which is computed if it is wanted.
fn reach(
    claim: &mut Claim,
    task: &Task<'_>,
    explorer: &mut Explorer<'_>,
    site: GoalSite,
    run: &[(Counters, u32)],
    ctx: &RunCtx,
) {
    if !task.want_trace {
        claim.answer = Verdict::Unsafe(Reached { site, trace: None });
        return;
    }
    // What the search could afford to compute once, it can again: only the user's wish to stop counts.
    let mut meter = ctx.budget.meter(u32::MAX);
    let trace = match identify(explorer, run, &site, &mut meter) {
        Ok(Some(run)) => Ok(lift(&explorer.threads.contexts, &run)),
        Ok(None) => Err(Reason::Internal("the run of the search was not found again".into())),
        Err(exhausted) => Err(Reason::Exhausted(exhausted)),
    };
    claim.reaches(site, trace);
}

/// Gives a safe claim its certificate, if there are not too many states. It lists all of them, so they are
/// explored if they have not been.
pub fn prove(
    claim: &mut Claim,
    task: &Task<'_>,
    mut explorer: Explorer<'_>,
    initial: u32,
    ctx: &RunCtx,
) {
    explorer.max_states = certificate::MOST_STATES;
    let explored = explorer.run(&task.goal, false, &ctx.for_evidence());
    // Soundness: one of two searches is wrong, so nothing is known.
    if explorer.found.is_some() {
        let why = "the states of the certificate reach a goal that the search has not reached";
        claim.answer = Verdict::Unknown(Reason::Internal(why.into()));
    } else if let Err(limit) = explored {
        claim.lacks = Some(Reason::Exhausted(limit));
    } else {
        claim.certificate = Some(certificate::bounded(&explorer, &task.goal, initial).into());
    }
}

/// The bound on threads and the number of first threads, or why the engine is not for the task.
pub fn bounds(task: &Task<'_>) -> Result<(u32, u32), String> {
    match (task.threads, task.initial_threads) {
        (Threads::Sequential, _) => Err("the program has one thread only".into()),
        (Threads::Unbounded, _) => {
            Err("this engine needs a bound on the threads (`--threads N`)".into())
        }
        (Threads::AtMost(_), InitialThreads::Unbounded) => {
            Err("any number of initial threads does not fit a bound on threads".into())
        }
        (Threads::AtMost(bound), InitialThreads::Count(initial)) => {
            if initial == 0 {
                Err("at least one thread is needed".into())
            } else if initial > bound {
                Err(format!("{initial} initial threads are more than the {bound} allowed"))
            } else {
                Ok((bound, initial))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::SourceFile;
    use hardbop_engine::{Claim, Reason, RunCtx, Task, Threads, Verdict};

    use super::prove;
    use crate::counted::explore::Explorer;
    use crate::counted::moves::ThreadProgram;

    const UNSAFE: &str = "
    decl x := F;
    void main() begin start_thread set(); assert(!x); end
    void set() begin x := T; end";

    /// A search that has missed the goal is found out when the states are listed.
    #[test]
    fn a_certificate_that_reaches_the_goal_takes_the_answer_back() {
        let program = hardbop_bp::load(&SourceFile::new("t.bp", UNSAFE)).0.expect("it is right");
        let task = Task { threads: Threads::AtMost(2), ..Task::new(&program) };
        let ctx = RunCtx::default();
        let mut explorer = Explorer::new(ThreadProgram::new(&program), 2);
        explorer.start(1, &ctx).expect("there is no limit");
        let mut claim = Claim::new(Verdict::Safe);
        prove(&mut claim, &task, explorer, 1, &ctx);
        assert!(matches!(claim.answer, Verdict::Unknown(Reason::Internal(_))), "{claim:?}");
        assert!(claim.certificate.is_none());
    }
}
