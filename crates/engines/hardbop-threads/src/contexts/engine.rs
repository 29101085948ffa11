//! The engine `contexts`: threads with recursion, up to a number of context switches.
//!
//! **Computes** whether the goal can be reached with at most k switches from one thread to another, for
//! k = 0, 1, 2, …: each question is one about a sequential program ([`translate`]), put to an engine
//! for those. An error is an error of the program; no error up to k says nothing beyond k, so the
//! answer is never `safe` unless the goal is not even connected with the entry. With a stack for each
//! of several threads more cannot be had: the question is undecidable.
//!
//! [`translate`]: crate::contexts::translate

use hardbop_encode::slots::Order;
use hardbop_engine::{
    Claim, Engine, Horizon, InitialThreads, Reached, Reason, RunCtx, Task, Threads, Verdict,
};
use hardbop_interp::graph::unreachable_in_graph;
use hardbop_sequential::diagrams::Bdd;
use hardbop_sequential::sat::Pdr;

use crate::contexts::bound::most_threads;
use crate::contexts::lift::lift;
use crate::contexts::translate::{Limits, translate};

/// Which engine decides the sequential programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Backend {
    Bdd,
    Pdr,
}

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Contexts(Backend);

impl Contexts {
    /// By summaries over decision diagrams.
    pub const BDD: Contexts = Contexts(Backend::Bdd);
    /// By property-directed reachability.
    pub const PDR: Contexts = Contexts(Backend::Pdr);
}

/// The variables are laid out in a good order already: copies that are compared stand side by side.
/// Measured on the Bluetooth driver with three switches: 1.9 s, against 25 s in the order that `bdd`
/// finds.
const SUMMARIES: Bdd = Bdd { order: Order::Declared, ..Bdd::DEFAULT };

/// Switches that are tried if nothing else is asked and no time limit says when to stop.
const DEFAULT_SWITCHES: u32 = 4;

impl Engine for Contexts {
    fn name(&self) -> &'static str {
        match self.0 {
            Backend::Bdd => "contexts",
            Backend::Pdr => "contexts-pdr",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Backend::Bdd => {
                "threads with recursion, up to K context switches: sequentialised, by engine bdd"
            }
            Backend::Pdr => {
                "threads with recursion, up to K context switches: sequentialised, by engine pdr"
            }
        }
    }

    fn bounds_switches(&self) -> bool {
        true
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        limits(task).map(|_| ())
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let limits = match limits(task) {
            Ok(limits) => limits,
            Err(why) => return Claim::unknown(Reason::Unsupported(why)),
        };
        let last = match (task.contexts, ctx.budget.time_left()) {
            (Some(asked), _) => asked,
            (None, None) => DEFAULT_SWITCHES,
            (None, Some(_)) => u32::MAX,
        };
        let mut claim = Claim::unknown(Reason::Bounded(Horizon::Scope));
        if let Threads::AtMost(bound) = task.threads {
            claim.scope.threads = Some(bound);
        }
        if unreachable_in_graph(task.program, &task.goal) {
            claim.answer = Verdict::Safe;
            return claim;
        }
        for n_switches in 0..=last {
            ctx.progress.count("steps", "switches");
            ctx.progress.set_round(u64::from(n_switches));
            let answer = self.round(task, limits, n_switches, ctx, &mut claim);
            match answer {
                Verdict::Safe => claim.scope.contexts = Some(n_switches),
                Verdict::Unsafe(_) => {
                    claim.answer = answer;
                    claim.scope.contexts = None;
                    return claim;
                }
                // Nobody asked for this many.
                Verdict::Unknown(Reason::Exhausted(_))
                    if task.contexts.is_none() && claim.scope.contexts.is_some() =>
                {
                    return claim;
                }
                Verdict::Unknown(_) => {
                    claim.answer = answer;
                    return claim;
                }
            }
        }
        claim
    }
}

impl Contexts {
    /// One number of switches.
    fn round(
        &self,
        task: &Task<'_>,
        limits: Limits,
        n_switches: u32,
        ctx: &RunCtx,
        claim: &mut Claim,
    ) -> Verdict<Reached> {
        let sequential = translate(task.program, &task.goal, limits, n_switches as usize);
        let question = Task {
            goal: hardbop_cfg::Goal::Assert,
            want_trace: task.want_trace,
            want_certificate: false,
            ..Task::new(&sequential.program)
        };
        let said = match self.0 {
            Backend::Bdd => SUMMARIES.check(&question, ctx),
            Backend::Pdr => Pdr.check(&question, ctx),
        };
        for (name, value) in said.stats.iter() {
            claim.stats.set(name, value);
        }
        claim.stats.set("switches", u64::from(n_switches));
        match said.answer {
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) if trace.passages.is_empty() => {
                match lift(task.program, &task.goal, limits, &sequential, &trace) {
                    Some((site, trace)) => {
                        claim.stats.set("trace_statements", trace.n_statements());
                        Verdict::Unsafe(Reached { site, trace: Some(trace) })
                    }
                    None => Verdict::Unknown(Reason::Internal("the run was not lifted".into())),
                }
            }
            // No trace, or one too long to be told apart by its switches.
            Verdict::Unsafe(_) => {
                claim.lacks = said.lacks;
                // Which of the program's goals it is, only a trace could tell.
                let sites = hardbop_engine::goals::sites(task.program);
                match sites.into_iter().find(|site| site.is_of(&task.goal)) {
                    Some(site) => Verdict::Unsafe(Reached { site, trace: None }),
                    None => Verdict::Unknown(Reason::Internal("there is no such goal".into())),
                }
            }
            other => other,
        }
    }
}

/// The limits of a task, or why the engine is not for it.
fn limits(task: &Task<'_>) -> Result<Limits, String> {
    let bound = match task.threads {
        Threads::Sequential => return Err("the program has one thread only".into()),
        Threads::AtMost(bound) => Some(bound),
        Threads::Unbounded => None,
    };
    let initial = match task.initial_threads {
        InitialThreads::Count(count) => Some(count),
        InitialThreads::Unbounded if bound.is_none() => None,
        InitialThreads::Unbounded => {
            return Err("any number of initial threads does not fit a bound on threads".into());
        }
    };
    match (initial, bound) {
        (Some(0), _) => return Err("at least one thread is needed".into()),
        (Some(initial), Some(bound)) if initial > bound => {
            return Err(format!("{initial} initial threads are more than the {bound} allowed"));
        }
        _ => {}
    }
    if task.exhaustive {
        return Err("this engine looks for one error, not for every reachable place".into());
    }
    if task.program.has_broadcasts() {
        return Err("threads are run one after the other, so that none can assign another's \
                    locals (`x$ := …`)"
            .into());
    }
    let most = initial.and_then(|initial| most_threads(task.program, initial));
    let is_never_reached = most.zip(bound).is_some_and(|(most, bound)| most <= bound);
    Ok(Limits { bound: bound.filter(|_| !is_never_reached), initial })
}
