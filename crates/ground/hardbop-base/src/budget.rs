//! Time, memory and the wish to stop, as values: running out is an answer, never a crash.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::memory;
use crate::progress::Progress;
use crate::turns::Turn;

/// Tells every engine of a run to stop; cloned into each of them.
#[derive(Clone, Default, Debug)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Which limit ended a run, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    Time(Duration),
    /// Limit in bytes.
    Memory(u64),
    /// Decision diagram nodes.
    Nodes(usize),
    /// States of an enumeration: the outcomes of one step, or the initial states.
    States(u64),
    /// Ctrl-C, or another engine of the race was first.
    Cancelled,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::Time(limit) => write!(f, "time limit of {} s reached", limit.as_secs_f64()),
            Exhausted::Memory(limit) => {
                write!(f, "memory limit of {} MB reached", limit / 1_000_000)
            }
            Exhausted::Nodes(limit) => write!(f, "limit of {limit} diagram nodes reached"),
            Exhausted::States(limit) => {
                write!(f, "one step has more than {limit} outcomes to enumerate")
            }
            Exhausted::Cancelled => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Exhausted {}

/// How often one that waits for its turn looks whether it has come.
const NAP: Duration = Duration::from_millis(1);

/// How much a run may use.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall-clock limit and the instant it is reached.
    deadline: Option<(Duration, Instant)>,
    /// Bytes of resident memory of the whole process.
    memory: Option<u64>,
    cancel: CancelToken,
    turn: Option<Turn>,
    /// A limit and when it is reached, by the clock of the turn.
    share: Option<(Duration, Duration)>,
    progress: Progress,
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget::default()
    }

    /// The clock starts now. For one that takes turns it stands still while it waits; limits that were
    /// set before stay.
    pub fn with_time(mut self, limit: Duration) -> Self {
        if let Some(turn) = &self.turn {
            self.share = turn.worked().checked_add(limit).map(|end| (limit, end));
            return self;
        }
        // A limit beyond the end of the clock is no limit.
        self.deadline = Instant::now().checked_add(limit).map(|at| (limit, at));
        self
    }

    /// No more time than this from now on, and no more than there was.
    pub fn at_most(self, limit: Duration) -> Self {
        match self.time_left() {
            Some(left) if left <= limit => self,
            _ => self.with_time(limit),
        }
    }

    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    pub fn with_cancel(mut self, cancel: CancelToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// One of several that share the cores: [`check`](Budget::check) then waits until the turn comes.
    pub fn with_turn(mut self, turn: Turn) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Tells elsewhere how far the work has come.
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = progress;
        self
    }

    /// Where the work tells how far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    pub fn time_left(&self) -> Option<Duration> {
        let left = self.deadline.map(|(_, at)| at.saturating_duration_since(Instant::now()));
        let share = self.share_left().map(|(_, left)| left);
        left.into_iter().chain(share).min()
    }

    /// Asks all limits, and waits for its turn if there are others. Reads the clock, and the memory meter if
    /// it has not been read for a while: call it every few steps, or through a [`Meter`].
    pub fn check(&self) -> Result<(), Exhausted> {
        self.limits()?;
        while self.turn.as_ref().is_some_and(|turn| !turn.comes()) {
            std::thread::sleep(NAP);
            self.limits()?;
        }
        Ok(())
    }

    fn limits(&self) -> Result<(), Exhausted> {
        if self.cancel.is_cancelled() {
            return Err(Exhausted::Cancelled);
        }
        if let Some((limit, at)) = self.deadline
            && Instant::now() >= at
        {
            return Err(Exhausted::Time(limit));
        }
        if let Some((limit, Duration::ZERO)) = self.share_left() {
            return Err(Exhausted::Time(limit));
        }
        if let Some(limit) = self.memory
            && memory::recent_resident_bytes().is_some_and(|used| used > limit)
        {
            return Err(Exhausted::Memory(limit));
        }
        Ok(())
    }

    fn share_left(&self) -> Option<(Duration, Duration)> {
        let ((limit, end), turn) = self.share.zip(self.turn.as_ref())?;
        Some((limit, end.saturating_sub(turn.worked())))
    }

    /// A counter that asks the budget once every `every` ticks.
    pub fn meter(&self, every: u32) -> Meter<'_> {
        Meter { budget: self, every, ticks: 0 }
    }
}

/// Spreads the cost of [`Budget::check`] over many small steps.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    every: u32,
    ticks: u32,
}

impl Meter<'_> {
    pub fn tick(&mut self) -> Result<(), Exhausted> {
        self.ticks += 1;
        if self.ticks < self.every {
            return Ok(());
        }
        self.ticks = 0;
        self.budget.check()
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, CancelToken, Exhausted};
    use crate::turns;
    use std::time::Duration;

    #[test]
    fn each_limit_ends_with_its_own_reason() {
        assert_eq!(Budget::unlimited().check(), Ok(()));
        let expired = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(expired.check(), Err(Exhausted::Time(Duration::ZERO)));
        let cancel = CancelToken::default();
        let budget = Budget::unlimited().with_cancel(cancel.clone());
        assert_eq!(budget.check(), Ok(()));
        cancel.cancel();
        assert_eq!(budget.check(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn a_cap_never_gives_more_time() {
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(1000));
        let left = |budget: Budget| budget.time_left().unwrap();
        assert!(left(Budget::unlimited().at_most(short)) <= short);
        assert!(left(Budget::unlimited().with_time(short).at_most(long)) <= short);
        assert!(left(Budget::unlimited().with_time(long).at_most(short)) <= short);
    }

    #[test]
    fn who_waits_for_its_turn_keeps_its_time_and_its_limits() {
        let second = Duration::from_secs(1);
        let places = turns::turns(&[60 * second, 60 * second], 1);
        assert!(places[0].comes());
        let limited = Budget::unlimited().with_time(Duration::from_millis(30));
        let waiting = limited.with_turn(places[1].clone()).at_most(Duration::from_millis(20));
        assert_eq!(waiting.check(), Err(Exhausted::Time(Duration::from_millis(30))));
        let waiting = Budget::unlimited().with_turn(places[1].clone()).at_most(second);
        let before = waiting.time_left();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(waiting.time_left(), before);
        places[0].end();
        assert_eq!(waiting.check(), Ok(()));
    }

    #[test]
    fn an_endless_time_limit_is_no_limit() {
        assert_eq!(Budget::unlimited().with_time(Duration::MAX).check(), Ok(()));
    }
}
