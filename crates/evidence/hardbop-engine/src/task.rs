//! What an engine is asked, and what it may use.

use std::any::Any;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use hardbop_base::{Budget, CancelToken, Progress};
use hardbop_cfg::{Goal, Program};

use crate::order::Order;
use crate::reduction::Reduction;

/// How many threads may be alive at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// The program starts no thread: one thread, and stacks are no obstacle.
    Sequential,
    /// `start_thread` at the bound is `skip`. At least 1.
    AtMost(u32),
    /// Any number.
    Unbounded,
}

/// How many threads run `main` in the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialThreads {
    /// At least 1, and not above the bound on threads.
    Count(u32),
    /// Any number.
    Unbounded,
}

/// A question to an engine.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What is checked.
    pub program: &'a Program,
    /// What must not be reached.
    pub goal: Goal,
    /// How many threads there may be.
    pub threads: Threads,
    /// How many of them there are in the beginning.
    pub initial_threads: InitialThreads,
    /// Which interleavings may be left out.
    pub reduction: Reduction,
    /// Switches from one thread to another that an engine which bounds them tries, at most.
    pub contexts: Option<u32>,
    /// The variable order that engines over diagrams begin with, instead of their own.
    pub order: Option<Order>,
    /// Explore everything and report every assert and label, not only the first violation.
    pub exhaustive: bool,
    /// Whether an unsafe claim should bring a trace.
    pub want_trace: bool,
    /// Whether a safe claim should bring a certificate.
    pub want_certificate: bool,
}

impl<'a> Task<'a> {
    /// The task of a program for which nothing else was asked.
    pub fn new(program: &'a Program) -> Self {
        let threads =
            if program.starts_threads() { Threads::Unbounded } else { Threads::Sequential };
        Task {
            program,
            goal: program.default_goal(),
            threads,
            initial_threads: InitialThreads::Count(1),
            reduction: Reduction::None,
            contexts: None,
            order: None,
            exhaustive: false,
            want_trace: true,
            want_certificate: true,
        }
    }
}

/// So long evidence may always be looked for, within the limits of the run.
pub const EVIDENCE: Duration = Duration::from_secs(5);

/// So long evidence may always be made better, within the limits of the run.
pub const BETTER: Duration = Duration::from_secs(1);

/// What a run may use, and where it tells how far it has come.
#[derive(Debug)]
pub struct RunCtx {
    /// When the run began.
    pub start: Instant,
    /// Time, memory and whether to stop.
    pub budget: Budget,
    /// How far the engine has come.
    pub progress: Progress,
    /// With the engines that answer the same question at the same time, if there are any.
    pub exchange: Option<Exchange>,
}

impl Default for RunCtx {
    fn default() -> Self {
        RunCtx::new(Budget::default())
    }
}

impl RunCtx {
    /// A run that begins now.
    pub fn new(budget: Budget) -> Self {
        let (progress, exchange) = (budget.progress().clone(), None);
        RunCtx { start: Instant::now(), budget, progress, exchange }
    }

    /// What may be spent on evidence for an answer that is known now: [`EVIDENCE`], or ten times what the
    /// answer took; and of the time that is left no more than two thirds, so that the evidence can be
    /// checked.
    pub fn for_evidence(&self) -> Self {
        let share = EVIDENCE.max(10 * self.start.elapsed());
        let left = self.budget.time_left().map_or(share, |left| left * 2 / 3);
        RunCtx::new(self.budget.clone().at_most(share.min(left)))
    }

    /// What may be spent on evidence that is better than what there is, or would be without it: as much as
    /// was spent so far, or [`BETTER`], and no more than a quarter of what is left.
    pub fn for_better_evidence(&self, spent: Duration) -> Self {
        let share = BETTER.max(spent);
        let left = self.budget.time_left().map_or(share, |left| left / 4);
        RunCtx::new(self.budget.clone().at_most(share.min(left)))
    }

    /// The same limits for `n` engines side by side, with a stop and an exchange of their own.
    pub fn side_by_side(&self, n: usize, stop: &CancelToken) -> Vec<Self> {
        let exchange = Exchange::default();
        let one = |_| {
            let budget = self.budget.clone().with_cancel(stop.clone());
            RunCtx { exchange: Some(exchange.clone()), ..RunCtx::new(budget) }
        };
        (0..n).map(one).collect()
    }

    /// Tells elsewhere how far it has come.
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.budget = self.budget.with_progress(progress.clone());
        self.progress = progress;
        self
    }
}

/// A place for what engines tell each other; which ones understand what is their own business.
#[derive(Clone, Debug, Default)]
pub struct Exchange(Arc<OnceLock<Arc<dyn Any + Send + Sync>>>);

impl Exchange {
    /// The one board of all who share the exchange; `None` if others have put another kind there.
    pub fn board<T: Any + Send + Sync + Default>(&self) -> Option<Arc<T>> {
        let board = self.0.get_or_init(|| Arc::new(T::default()));
        Arc::clone(board).downcast().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_base::Budget;

    use super::{BETTER, EVIDENCE, RunCtx};

    #[test]
    fn evidence_has_a_share_and_leaves_some() {
        let left = |ctx: &RunCtx| ctx.budget.time_left().expect("evidence is limited");
        let free = RunCtx::default().for_evidence();
        assert!(left(&free) <= EVIDENCE && left(&free) > EVIDENCE / 2);
        let short = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(3)));
        assert!(left(&short.for_evidence()) <= Duration::from_secs(2));
        let long = RunCtx::new(Budget::unlimited().with_time(Duration::from_secs(100)));
        assert!(left(&long.for_better_evidence(Duration::ZERO)) <= BETTER);
        let spent = Duration::from_secs(100);
        assert!(left(&short.for_better_evidence(spent)) <= Duration::from_secs(1));
    }
}
