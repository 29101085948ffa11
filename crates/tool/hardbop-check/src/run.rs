//! From a request to a verdict.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hardbop_base::{Budget, SourceFile};
use hardbop_cfg::{Goal, Program};
use hardbop_engine::{
    Claim, Engine, InitialThreads, Order, Reached, Reason, Reduction, RunCtx, Task, Threads,
    Verdict,
};
use hardbop_interp::replay;

use crate::c::CRequest;
use crate::contest::contest;
use crate::cube::Cube;
use crate::engines::{EngineEntry, Kind, portfolio};
use crate::fewest::fewest;
use crate::goals;
use crate::outcome::{Asked, Outcome, missing};
use crate::proof;
use crate::shown::Shown;

/// What a user asks; whatever is `None` is chosen for the subject at hand, and what says nothing about its
/// kind is passed over.
#[derive(Clone, Default)]
pub struct Request {
    /// What a Boolean program must not reach.
    pub goal: Option<Goal>,
    /// A certain engine, or the best for the subject.
    pub engine: Option<EngineEntry>,
    /// Bound on the threads alive at once.
    pub threads: Option<Threads>,
    /// Copies of `main` in the beginning.
    pub initial_threads: Option<InitialThreads>,
    /// Which interleavings of threads may be left out.
    pub reduction: Reduction,
    /// Switches from one thread to another, for engines that bound them.
    pub contexts: Option<u32>,
    /// The variable order that engines over diagrams begin with.
    pub order: Option<Order>,
    /// What is asked of a C program.
    pub c: CRequest,
    /// Explore everything and report every assert and label, or every property.
    pub exhaustive: bool,
    /// Answer without a trace: an unsafe verdict about a Boolean program or a net is then not certified.
    pub no_trace: bool,
    /// Answer without a certificate: a safe verdict is then not certified.
    pub no_certificate: bool,
    /// Ask about a part of the executions only.
    pub cube: Option<Cube>,
}

impl Request {
    /// The question for a Boolean program.
    pub fn task<'a>(&self, program: &'a Program) -> Task<'a> {
        let mut task = Task::new(program);
        if let Some(goal) = &self.goal {
            task.goal = goal.clone();
        }
        if let Some(initial) = self.initial_threads {
            task.initial_threads = initial;
            if initial != InitialThreads::Count(1) {
                task.threads = Threads::Unbounded;
            }
        }
        // A bound on the threads of a program that starts none bounds nothing.
        if task.threads != Threads::Sequential
            && let Some(threads) = self.threads
        {
            task.threads = threads;
        }
        task.reduction = self.reduction;
        task.contexts = self.contexts;
        task.order = self.order;
        task.exhaustive = self.exhaustive;
        task.want_trace = !self.no_trace;
        task.want_certificate = !self.no_certificate;
        self.suited(task)
    }

    /// To an engine for threads a program that starts none is one whose only thread is there from the beginning.
    fn suited<'a>(&self, task: Task<'a>) -> Task<'a> {
        let engine = self.engine.and_then(|entry| entry.program());
        let Some(engine) = engine.filter(|it| !it.bounds_switches()) else { return task };
        if task.threads != Threads::Sequential || engine.accepts(&task).is_ok() {
            return task;
        }
        let bounds = [Threads::AtMost(1), Threads::Unbounded];
        let bounded = bounds.map(|threads| Task { threads, ..task.clone() });
        bounded.into_iter().find(|it| engine.accepts(it).is_ok()).unwrap_or(task)
    }

    /// What of the question says less than it seems to.
    fn warnings(&self, program: &Program, goal: &Goal) -> Vec<String> {
        let mut warnings = Vec::new();
        if *goal == Goal::Assert && program.asserts().next().is_none() {
            let ask = "`--goal label:NAME` asks whether a label can be reached";
            warnings
                .push(format!("there is nothing to check: no assertion is in the program; {ask}"));
        }
        let is_alone = !program.starts_threads() && self.initial_threads.is_none();
        if is_alone && self.threads.is_some() {
            let ask = "`--initial-threads N` runs N copies of `main`";
            warnings.push(format!(
                "the program starts no thread, so a bound on threads bounds nothing; {ask}"
            ));
        }
        warnings
    }
}

/// A proof that takes much longer to check than to find is shown unchecked, and called so. At least
/// this long is always given to it.
pub const CONFIRM: Duration = Duration::from_secs(5);

/// Decides a request about a Boolean program.
pub(crate) fn check(
    program: &Arc<Program>,
    source: Option<&SourceFile>,
    request: &Request,
    ctx: &RunCtx,
) -> Outcome {
    let start = Instant::now();
    let task = request.task(program);
    let (engine, mut claim) = match choose(request, &task) {
        Ok(engines) if request.exhaustive => {
            contest(&goals::marked(program), request, &engines, ctx)
        }
        Ok(engines) => contest(program, request, &engines, ctx),
        Err(why) => (
            request.engine.map_or("auto", |engine| engine.name),
            Claim::unknown(Reason::Unsupported(why)),
        ),
    };
    fewest(program, request, engine, start.elapsed(), ctx, &mut claim);
    let budget = ctx.budget.clone().at_most(CONFIRM + 10 * start.elapsed());
    let shown = Shown { program, source };
    let claimed = std::mem::take(&mut claim.goals);
    let violated = claim.answer.violation().map(|it| it.site.clone());
    let mut outcome = confirm(&task, &budget, shown, claim);
    outcome.is_exhaustive = request.exhaustive;
    outcome.goals = goals::shown(shown, &task, &claimed, violated.as_ref(), &outcome);
    outcome.engine = engine;
    outcome.warnings = request.warnings(program, &task.goal);
    outcome.time = start.elapsed();
    outcome
}

/// The engine asked for, or those that `auto` takes for the task.
fn choose(request: &Request, task: &Task<'_>) -> Result<Vec<&'static dyn Engine>, String> {
    match request.engine {
        Some(entry) => {
            let engine = entry.program().ok_or_else(|| entry.refusal(Kind::Program))?;
            engine.accepts(task).map(|()| vec![engine])
        }
        None => portfolio(task),
    }
}

/// Turns a claim into an outcome, replaying its trace or checking its certificate.
fn confirm(task: &Task<'_>, budget: &Budget, shown: Shown<'_>, claim: Claim) -> Outcome {
    let mut outcome = Outcome::new(Asked::Goal(task.goal.clone()), Verdict::Safe);
    outcome.scope = claim.scope;
    outcome.unbounded_threads = task.threads == Threads::Unbounded && claim.scope.threads.is_none();
    outcome.stats = claim.stats;
    match claim.answer {
        Verdict::Safe => {
            if let Some(certificate) = claim.certificate {
                let checked = proof::confirm(task, &certificate, budget);
                outcome.prove_by(certificate, checked);
            } else if task.want_certificate {
                outcome.lacks = claim.lacks.map(|why| missing("certificate", Some(why)));
            }
        }
        Verdict::Unknown(reason) => outcome.verdict = Verdict::Unknown(reason),
        Verdict::Unsafe(Reached { site, trace }) => {
            outcome.verdict = Verdict::Unsafe(shown.site(&site).1);
            let Some(trace) = trace else {
                if task.want_trace {
                    outcome.lacks = Some(missing("trace", claim.lacks));
                }
                return outcome;
            };
            match replay(task.program, &task.goal, task.threads, task.initial_threads, &trace) {
                Ok(replayed) => {
                    outcome.certified = true;
                    outcome.trace = Some(shown.trace(&trace, &replayed));
                    outcome.passages = shown.passages(&trace, &replayed);
                }
                // Soundness: an unconfirmed trace is no counterexample.
                Err(error) => {
                    let why = Reason::NotConfirmed(format!("replaying the trace: {error}"));
                    outcome.verdict = Verdict::Unknown(why);
                }
            }
        }
    }
    outcome
}
