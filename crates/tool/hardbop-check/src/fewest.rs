//! The run with the fewest threads alive at once: what a person has to follow.
//!
//! An engine that was asked for at most N threads may bring a run with N of them where two would do.
//! Smaller bounds are asked one by one, in a small share of the time that was spent. A smaller bound
//! makes `start_thread` do nothing at the bound, which a larger one does not, so a run found with it
//! is taken only if it replays as a run of what was asked.

use std::sync::Arc;
use std::time::Duration;

use hardbop_cfg::Program;
use hardbop_engine::{Claim, InitialThreads, Reached, RunCtx, Task, Threads, Verdict};
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
    let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = &claim.answer else { return };
    let (Threads::AtMost(bound), InitialThreads::Count(initial), Some(engine)) =
        (task.threads, task.initial_threads, engine_named(engine))
    else {
        return;
    };
    // Where switches are bounded, fewer threads are no less work.
    if task.exhaustive || engine.bounds_switches() {
        return;
    }
    let share = (spent / SHARE).max(LEAST);
    let ctx = RunCtx::new(ctx.budget.clone().at_most(share));
    for fewer in initial..bound.min(n_threads(trace)) {
        let threads = Some(Threads::AtMost(fewer));
        let request = Request { threads, no_certificate: true, ..request.clone() };
        if engine.accepts(&request.task(program)).is_err() || ctx.budget.check().is_err() {
            return;
        }
        let (_, said) = contest(program, &request, &[engine], &ctx);
        if let Verdict::Unsafe(Reached { trace: Some(trace), .. }) = &said.answer
            && is_run_of(&task, trace)
        {
            claim.stats.set("trace_statements", trace.n_statements());
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hardbop_base::SourceFile;
    use hardbop_engine::{RunCtx, Threads};

    use crate::{Request, Subject, check};

    /// Two threads fail sooner, one is enough. None ends, which would make room for the next.
    const PROGRAM: &str = "
    decl a := F, b := F;
    void main() begin
      if (*) then start_thread set(); fi
      start_thread set();
      assert(!a | !b);
    end
    void set() begin if (*) then a := T; skip; skip; skip; skip; fi b := T; assume(F); end";

    #[test]
    fn one_thread_is_shown_where_one_is_enough() {
        let source = SourceFile::new("t.bp", PROGRAM);
        let program = Arc::new(hardbop_bp::load(&source).0.expect("the program is right"));
        let request = Request { threads: Some(Threads::AtMost(3)), ..Request::default() };
        let subject = Subject::Program { program: &program, source: Some(&source) };
        let outcome = check(subject, &request, &RunCtx::default());
        let trace = outcome.trace.expect("the assertion can fail");
        assert!(outcome.certified && trace.iter().all(|step| step.thread < 2), "{trace:#?}");
        assert_eq!(outcome.scope.threads, Some(3));
    }
}
