//! The run with the fewest threads: what a person has to follow.
//!
//! An engine that was asked for at most N threads may bring a run with N of them where two would do.
//! Smaller bounds are asked one by one, in a small share of the time that was spent. A smaller bound
//! makes `start_thread` do nothing at the bound, which a larger one does not, so a run found with it
//! is taken only if it replays as a run of what was asked.

use std::sync::Arc;
use std::time::Duration;

use hardbop_cfg::Program;
use hardbop_engine::{Answer, Claim, InitialThreads, RunCtx, Task, Threads};
use hardbop_evidence::Trace;
use hardbop_interp::replay;

use crate::contest::contest;
use crate::engines::engine_named;
use crate::run::Request;

/// One in so many parts of the time that was spent, but not less than [`LEAST`].
const SHARE: u32 = 4;
const LEAST: Duration = Duration::from_millis(100);

/// Replaces the trace of an unsafe claim by one with fewer threads, if one is found soon.
pub fn fewest(
    program: &Arc<Program>,
    request: &Request,
    engine: &str,
    spent: Duration,
    ctx: &RunCtx,
    claim: &mut Claim,
) {
    let task = request.task(program);
    let Answer::Unsafe { trace: Some(trace), .. } = &claim.answer else { return };
    let (Threads::AtMost(bound), InitialThreads::Count(initial), Some(engine)) =
        (task.threads, task.initial_threads, engine_named(engine))
    else {
        return;
    };
    // Where switches are bounded, fewer threads are no less work.
    if task.exhaustive || engine.name().starts_with("contexts") {
        return;
    }
    let share = (spent / SHARE).max(LEAST);
    let share = ctx.budget.time_left().map_or(share, |left| left.min(share));
    let ctx = RunCtx::new(ctx.budget.clone().with_time(share));
    for fewer in initial..bound.min(n_threads(trace)) {
        let threads = Some(Threads::AtMost(fewer));
        let request = Request { threads, no_certificate: true, ..request.clone() };
        if engine.accepts(&request.task(program)).is_err() || ctx.budget.check().is_err() {
            return;
        }
        let (_, said) = contest(program, &request, &[engine], &ctx);
        if let Answer::Unsafe { trace: Some(trace), .. } = &said.answer
            && is_run_of(&task, trace)
        {
            claim.stats.set("trace_statements", trace.n_statements() as u64);
            claim.answer = said.answer;
            return;
        }
    }
}

/// The threads of a run, those that have ended included.
fn n_threads(trace: &Trace) -> u32 {
    let threads = trace.steps.iter().flat_map(|step| &step.others).map(|it| it.thread.as_u32() + 1);
    threads.max().unwrap_or(0).max(trace.initial.locals.len() as u32)
}

fn is_run_of(task: &Task<'_>, trace: &Trace) -> bool {
    replay(task.program, &task.goal, task.threads, task.initial_threads, trace).is_ok()
}
