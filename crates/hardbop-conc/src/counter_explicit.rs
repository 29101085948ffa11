//! The engine `counter-explicit`: at most N threads, by enumeration of counters.
//!
//! **Computes** whether the goal is reachable with at most N threads alive, `start_thread` at the
//! bound being `skip`: exact, without over- or under-approximation (BOOM section 7.5.2). Threads
//! are interchangeable, so a state only counts how many are in which state ([`explore`]). A nearest
//! goal becomes a trace of the program ([`identify`], [`lift`]).
//!
//! **Limits.** No recursion; data are enumerated.
//!
//! [`explore`]: crate::explore
//! [`identify`]: crate::identify
//! [`lift`]: crate::lift

use hardbop_engine::{Answer, Claim, Engine, InitialThreads, Reason, RunCtx, Task, Threads};
use hardbop_evidence::Trace;
use hardbop_interp::graph::unreachable_in_graph;

use crate::explore::{Explorer, Found};
use crate::identify::identified_run;
use crate::inline::check_inlinable;
use crate::lift::lift;
use crate::moves::ThreadProgram;

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
        let (bound, initial) = match bounds(task) {
            Ok(bounds) => bounds,
            Err(why) => return Claim::new(Answer::Unknown(Reason::Unsupported(why))),
        };
        let mut claim = Claim::new(Answer::Safe);
        claim.scope.threads = Some(bound);
        if !task.exhaustive && unreachable_in_graph(task.program, &task.goal) {
            return claim;
        }
        let mut explorer = Explorer::new(ThreadProgram::new(task.program), bound);
        let outcome = explorer
            .start(initial, ctx)
            .and_then(|()| explorer.run(&task.goal, task.exhaustive, ctx));
        claim.stats.set("states", explorer.n_states() as u64);
        claim.stats.set("shared_states", explorer.n_shareds() as u64);
        claim.stats.set("thread_states", explorer.n_locals() as u64);
        if let Err(exhausted) = outcome {
            claim.answer = Answer::Unknown(Reason::Exhausted(exhausted));
        } else if task.exhaustive {
            claim.goals = explorer.reached.statuses(task.program);
        }
        // A goal found before the budget ran out is found all the same.
        if let Some(found) = explorer.found.take() {
            claim.stats.set("trace_statements", u64::from(found.n_statements));
            claim.answer = match task.want_trace.then(|| trace(&mut explorer, &found, ctx)) {
                Some(Err(reason)) => Answer::Unknown(reason),
                Some(Ok(trace)) => Answer::Unsafe { site: found.site, trace: Some(trace) },
                None => Answer::Unsafe { site: found.site, trace: None },
            };
        }
        claim
    }
}

/// The bound on threads and the number of first threads, or why the engine is not for the task.
fn bounds(task: &Task<'_>) -> Result<(u32, u32), String> {
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

fn trace(explorer: &mut Explorer<'_>, found: &Found, ctx: &RunCtx) -> Result<Trace, Reason> {
    // What the search could afford to compute once, it can again: only the user's wish to stop counts.
    let mut meter = ctx.budget.meter(u32::MAX);
    match identified_run(explorer, found, &mut meter) {
        Ok(Some(run)) => Ok(lift(&explorer.threads.contexts, &run)),
        Ok(None) => Err(Reason::Internal("the run of the search was not found again".into())),
        Err(exhausted) => Err(Reason::Exhausted(exhausted)),
    }
}
