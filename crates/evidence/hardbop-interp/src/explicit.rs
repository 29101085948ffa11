//! The engine `explicit`: enumeration of the reference semantics.
//!
//! One thread: [`tabulate`](crate::tabulate), whatever the recursion. At most N threads:
//! [`search`](crate::search). Any number of threads: searches for N = 1, 2, 3, …, in which no
//! thread is started beyond N. Each such search sees runs of the program only, so a violation is
//! one; the answer is safe when a search ended without ever meeting its bound, because then no run
//! has more threads; otherwise it is bounded by the last N that was finished.

use hardbop_base::Exhausted;
use hardbop_engine::{
    Claim, Engine, Horizon, InitialThreads, Reached, Reason, RunCtx, Stats, Task, Threads, Verdict,
};

use crate::graph::unreachable_in_graph;
use crate::identify::identified_trace;
use crate::search::Search;
use crate::semantics::{Bound, Semantics};
use crate::shortest::shortest_trace;
use crate::tabulate::Tabulation;

/// How far N goes when neither time nor memory is limited.
const MAX_THREADS_WITHOUT_LIMITS: u32 = 6;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn about(&self) -> &'static str {
        "any program: enumerates valuations and thread interleavings; the reference, not the fast one"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        match (task.threads, task.initial_threads) {
            (Threads::Sequential, _) if task.program.starts_threads() => {
                Err("the program starts threads".into())
            }
            (Threads::Sequential, initial) if initial != InitialThreads::Count(1) => {
                Err("several initial threads are no sequential program".into())
            }
            (_, InitialThreads::Count(0)) | (Threads::AtMost(0), _) => {
                Err("at least one thread is needed".into())
            }
            (Threads::AtMost(bound), InitialThreads::Count(initial)) if initial > bound => {
                Err(format!("{initial} initial threads are more than the {bound} allowed"))
            }
            (Threads::AtMost(_), InitialThreads::Unbounded) => {
                Err("any number of initial threads does not fit a bound on threads".into())
            }
            _ => Ok(()),
        }
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        if let Threads::AtMost(bound) = task.threads {
            claim.scope.threads = Some(bound);
        }
        if !task.exhaustive && unreachable_in_graph(task.program, &task.goal) {
            return claim;
        }
        let semantics = Semantics::new(task.program);
        let one_thread =
            task.initial_threads == InitialThreads::Count(1) && !task.program.starts_threads();
        if one_thread {
            sequential(task, &semantics, ctx, &mut claim);
            return claim;
        }
        match (task.threads, task.initial_threads) {
            (Threads::AtMost(bound), InitialThreads::Count(initial)) => {
                let mut search = Search::new(&semantics, Bound::SkipAt(bound));
                let outcome = search
                    .start(initial, ctx)
                    .and_then(|()| search.run(&task.goal, task.exhaustive, ctx));
                if let Err(exhausted) = outcome {
                    claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
                } else if task.exhaustive {
                    claim.goals = search.reached.statuses(task.program);
                }
                conclude(task, &semantics, &search, ctx, &mut claim);
            }
            _ => unbounded(task, &semantics, ctx, &mut claim),
        }
        claim
    }
}

/// One thread.
fn sequential(task: &Task<'_>, semantics: &Semantics<'_>, ctx: &RunCtx, claim: &mut Claim) {
    let mut table = Tabulation::new(semantics);
    let outcome = table.run(&task.goal, task.exhaustive, ctx);
    claim.stats.set("path_edges", table.n_paths());
    claim.stats.set("summaries", table.n_summaries());
    if let Err(exhausted) = outcome {
        claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
    } else if task.exhaustive {
        claim.goals = table.reached().statuses(task.program);
    }
    // A goal found before the budget ran out is found all the same.
    if let Some(found) = table.found() {
        claim.stats.set("trace_statements", found.n_statements);
        let trace = task.want_trace.then(|| shortest_trace(task.program, &table, found));
        claim.answer = Verdict::Unsafe(Reached { site: found.site.clone(), trace });
    }
}

/// Any number of threads, started by the program or there from the beginning.
fn unbounded(task: &Task<'_>, semantics: &Semantics<'_>, ctx: &RunCtx, claim: &mut Claim) {
    let no_limits = ctx.budget.time_left().is_none() && ctx.budget.memory_limit().is_none();
    let fewest = match task.initial_threads {
        InitialThreads::Count(initial) => initial,
        InitialThreads::Unbounded => 1,
    };
    let mut finished = None;
    for n in fewest.. {
        if no_limits && n > MAX_THREADS_WITHOUT_LIMITS.max(fewest) {
            break;
        }
        ctx.progress.set_round(u64::from(n));
        let mut search = Search::new(semantics, Bound::CutAt(n));
        let outcome = begin(task.initial_threads, n, &mut search, ctx)
            .and_then(|()| search.run(&task.goal, task.exhaustive, ctx));
        let was_unsafe = matches!(claim.answer, Verdict::Unsafe(_));
        if !was_unsafe {
            conclude(task, semantics, &search, ctx, claim);
        }
        let is_unsafe = matches!(claim.answer, Verdict::Unsafe(_));
        if is_unsafe && !task.exhaustive {
            return;
        }
        if let Err(exhausted) = outcome {
            if !is_unsafe && finished.is_none() {
                claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
                return;
            }
            break;
        }
        if !search.hit_bound && task.initial_threads != InitialThreads::Unbounded {
            // No run has more threads than this search allowed.
            if task.exhaustive {
                claim.goals = search.reached.statuses(task.program);
            }
            return;
        }
        finished = Some(n);
    }
    if !matches!(claim.answer, Verdict::Unsafe(_)) {
        claim.answer = Verdict::Unknown(Reason::Bounded(Horizon::Scope));
        claim.scope.threads = finished;
    }
}

fn begin(
    initial: InitialThreads,
    n: u32,
    search: &mut Search<'_>,
    ctx: &RunCtx,
) -> Result<(), Exhausted> {
    match initial {
        InitialThreads::Count(initial) => search.start(initial, ctx),
        // With fewer threads in the beginning there is room for some to be started.
        InitialThreads::Unbounded => (1..=n).try_for_each(|initial| search.start(initial, ctx)),
    }
}

/// Writes what a search found, if anything, into the claim.
fn conclude(
    task: &Task<'_>,
    semantics: &Semantics<'_>,
    search: &Search<'_>,
    ctx: &RunCtx,
    claim: &mut Claim,
) {
    note(&mut claim.stats, search);
    let Some(found) = &search.found else { return };
    claim.stats.set("trace_statements", found.n_statements);
    let trace = if task.want_trace {
        // As long as the search itself could afford its steps, so can the trace.
        identified_trace(semantics, search, found, &mut ctx.budget.meter(u32::MAX)).ok()
    } else {
        None
    };
    claim.answer = Verdict::Unsafe(Reached { site: found.site.clone(), trace });
}

fn note(stats: &mut Stats, search: &Search<'_>) {
    stats.set("states", stats.get("states").unwrap_or(0) + search.n_states());
}
