//! The engine `contexts-explicit`: threads with recursion, any number of context switches, where that converges.
//!
//! **Computes** as [`converge`](crate::stacks::converge) says. An error is told by a run that [`Contexts`] finds with as many
//! switches as are known to be enough.
//!
//! **Any number of threads.** At most [`MOST_THREADS`] are followed, or as many as the program obviously starts; where a run could have
//! more, no error is no proof.
//!
//! **No certificate.** What is closed is a set of products of automata over frames, or, by the third way, nothing that is written
//! down: the proof is the theorem. Certificates of threads have finite states; so a proof is told as not certified.

use hardbop_cfg::analysis::CallGraph;
use hardbop_engine::{
    Claim, Engine, Horizon, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_interp::semantics::Bound;

use crate::contexts::Contexts;
use crate::contexts::bound::most_threads;
use crate::stacks::converge::{Found, Search, Why};
use crate::stacks::programs::Programs;

/// Threads at once that are followed where there may be any number.
const MOST_THREADS: u32 = 6;

/// The same, where each is started by a statement of its own.
const MOST_STARTED: u32 = 20;

/// Contexts and sets that are tried if no time limit says when to stop.
const DEFAULT_CONTEXTS: u32 = 30;
const DEFAULT_SETS: usize = 20_000;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct ContextsExplicit;

impl Engine for ContextsExplicit {
    fn name(&self) -> &'static str {
        "contexts-explicit"
    }

    fn about(&self) -> &'static str {
        "threads with recursion, context by context until nothing new is seen: stacks as automata, states enumerated"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        Contexts::BDD.accepts(task)?;
        if task.initial_threads == InitialThreads::Unbounded {
            return Err("any number of initial threads never converges".into());
        }
        if CallGraph::of(task.program).recursive_cycle().is_none() {
            return Err("without recursion there are engines that always come to an end".into());
        }
        Ok(())
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let mut claim = Claim::unknown(Reason::Bounded(Horizon::Scope));
        let InitialThreads::Count(n_initial) = task.initial_threads else {
            return Claim::unknown(Reason::Unsupported("any number of initial threads".into()));
        };
        let bound = match task.threads {
            Threads::AtMost(bound) => Bound::SkipAt(bound),
            Threads::Unbounded | Threads::Sequential => {
                let started = most_threads(task.program, n_initial).unwrap_or(n_initial);
                Bound::CutAt(started.clamp(MOST_THREADS, MOST_STARTED).max(n_initial))
            }
        };
        if let Threads::AtMost(bound) = task.threads {
            claim.scope.threads = Some(bound);
        }
        // One context more than switches.
        let most = match (task.contexts, ctx.budget.time_left()) {
            (Some(switches), _) => switches.saturating_add(1),
            (None, None) => DEFAULT_CONTEXTS,
            (None, Some(_)) => u32::MAX,
        };
        let mut system = Programs::new(task.program, &task.goal, n_initial, bound);
        let mut search = Search::new(&mut system);
        if ctx.budget.time_left().is_none() {
            search.most_products = DEFAULT_SETS;
        }
        ctx.progress.count("sets of configurations", "contexts");
        let found = search.run(most, &ctx.progress, &mut ctx.budget.meter(256));
        let n_contexts = search.n_contexts;
        claim.stats.set("sets", search.n_products as u64);
        claim.stats.set("languages", search.languages.n_languages() as u64);
        claim.stats.set("visible_states", search.n_visible().unwrap_or(0) as u64);
        claim.stats.set("contexts", u64::from(n_contexts));
        claim.stats.set("frames", system.n_frames() as u64);
        // Nothing up to there.
        claim.scope.contexts = n_contexts.checked_sub(1);
        match found {
            Ok(Some(Found::Never(why))) => {
                claim.answer = Verdict::Safe;
                claim.scope.contexts = None;
                if let Why::Closed(enough) | Why::Visible(enough) = why {
                    claim.stats.set("contexts_enough", u64::from(enough));
                }
                claim
            }
            Ok(Some(Found::Reached(site, n_contexts))) => {
                claim.scope.contexts = None;
                tell(task, ctx, claim, site, n_contexts)
            }
            Ok(Some(Found::Cut(_))) => {
                claim.scope.contexts = None;
                if let Bound::CutAt(bound) = bound {
                    claim.scope.threads = Some(bound);
                }
                claim
            }
            Ok(None) => claim,
            // Nobody asked for this many.
            Err(_) if task.contexts.is_none() && claim.scope.contexts.is_some() => claim,
            Err(limit) => {
                claim.answer = Verdict::Unknown(limit.into());
                claim
            }
        }
    }
}

/// The goal is reached in so many contexts; how, if that is wanted.
fn tell(
    task: &Task<'_>,
    ctx: &RunCtx,
    mut claim: Claim,
    site: hardbop_engine::GoalSite,
    n_contexts: u32,
) -> Claim {
    claim.answer = Verdict::Unsafe(Reached { site, trace: None });
    if !task.want_trace {
        return claim;
    }
    let question = Task { contexts: Some(n_contexts - 1), ..task.clone() };
    let said = Contexts::BDD.check(&question, ctx);
    match said.answer {
        Verdict::Unsafe(reached) => {
            claim.lacks = said.lacks;
            for (name, value) in said.stats.iter() {
                claim.stats.set(name, value);
            }
            claim.answer = Verdict::Unsafe(reached);
        }
        Verdict::Unknown(limit @ Reason::Exhausted(_)) => claim.lacks = Some(limit),
        _ => {
            let mistake = "an error found context by context was not found again".into();
            claim.answer = Verdict::Unknown(Reason::Internal(mistake));
        }
    }
    claim
}
