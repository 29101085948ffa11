//! How far a run has come, for a person who waits; and at its end, who has done what.
//!
//! Numbers are written without a lock, wherever the work asks its budget; words a few times in a run. The
//! progress of a race is that of its rivals, which stand below its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::turns::Turn;

/// A few numbers that somebody at work keeps up to date. Clones are the same numbers.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// States, path edges or nodes found so far.
    found: AtomicU64,
    /// Of those, not yet looked at.
    waiting: AtomicU64,
    /// Round, depth or number of threads, where there is such a thing.
    round: AtomicU64,
    words: Mutex<Words>,
    rivals: Mutex<Vec<Rival>>,
}

/// What the numbers count, and what is being done.
#[derive(Clone, Copy, Debug)]
struct Words {
    found: &'static str,
    round: &'static str,
    doing: &'static str,
}

impl Default for Words {
    fn default() -> Self {
        Words { found: "states", round: "round", doing: "" }
    }
}

/// One of several that work on the same question.
#[derive(Debug)]
struct Rival {
    name: &'static str,
    progress: Progress,
    start: Instant,
    turn: Option<Turn>,
    /// What it said, and how long it had worked.
    end: Option<(String, Duration)>,
}

/// What is seen of a rival.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Who it is.
    pub name: &'static str,
    /// What it has said; `None` while it works.
    pub said: Option<String>,
    /// How long it has worked: while it waits for its turn the clock stands still.
    pub worked: Duration,
    /// Empty, or what it is doing.
    pub doing: &'static str,
    /// Its numbers with what they count, those that are not zero.
    pub numbers: Vec<(&'static str, u64)>,
}

impl Progress {
    /// What the numbers count, where that is not states and rounds.
    pub fn count(&self, found: &'static str, round: &'static str) {
        let mut words = lock(&self.0.words);
        (words.found, words.round) = (found, round);
    }

    /// What is being done from now on.
    pub fn doing(&self, what: &'static str) {
        lock(&self.0.words).doing = what;
    }

    pub fn set_found(&self, n: u64) {
        self.0.found.store(n, Ordering::Relaxed);
    }

    pub fn set_waiting(&self, n: u64) {
        self.0.waiting.store(n, Ordering::Relaxed);
    }

    pub fn set_round(&self, n: u64) {
        self.0.round.store(n, Ordering::Relaxed);
    }

    /// The numbers that are not zero, with what they count.
    pub fn numbers(&self) -> Vec<(&'static str, u64)> {
        let (words, read) = (*lock(&self.0.words), |it: &AtomicU64| it.load(Ordering::Relaxed));
        let all = [
            (words.round, read(&self.0.round)),
            (words.found, read(&self.0.found)),
            ("waiting", read(&self.0.waiting)),
        ];
        all.into_iter().filter(|it| it.1 > 0).collect()
    }

    /// Somebody joins the work, with a progress below this one.
    pub fn join(&self, name: &'static str, turn: Option<Turn>) -> Progress {
        let progress = Progress::default();
        let rival =
            Rival { name, progress: progress.clone(), start: Instant::now(), turn, end: None };
        lock(&self.0.rivals).push(rival);
        progress
    }

    /// Whoever has this progress below this one has come to its end; what is said first stands.
    pub fn ended(&self, who: &Progress, said: impl FnOnce() -> String) {
        let mut rivals = lock(&self.0.rivals);
        let mut same = rivals.iter_mut().filter(|it| Arc::ptr_eq(&it.progress.0, &who.0));
        if let Some(rival) = same.find(|it| it.end.is_none()) {
            rival.end = Some((said(), rival.worked()));
        }
    }

    /// All who have joined, in that order.
    pub fn rivals(&self) -> Vec<Seen> {
        lock(&self.0.rivals).iter().map(Rival::seen).collect()
    }
}

impl Rival {
    fn worked(&self) -> Duration {
        self.turn.as_ref().map_or_else(|| self.start.elapsed(), Turn::worked)
    }

    fn seen(&self) -> Seen {
        let (said, worked) = match &self.end {
            Some((said, worked)) => (Some(said.clone()), *worked),
            None => (None, self.worked()),
        };
        let doing = lock(&self.progress.0.words).doing;
        Seen { name: self.name, said, worked, doing, numbers: self.progress.numbers() }
    }
}

/// Words of one who failed in the middle are still words.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn rivals_are_seen_with_their_numbers_and_what_they_said_first() {
        let whole = Progress::default();
        let (one, other) = (whole.join("bmc", None), whole.join("kind", None));
        one.count("terms", "bound");
        one.set_round(4);
        other.set_found(7);
        other.doing("guessing");
        whole.ended(&one, || "safe".into());
        whole.ended(&one, || "stopped".into());
        let seen = whole.rivals();
        assert_eq!((seen[0].name, seen[0].said.as_deref()), ("bmc", Some("safe")));
        assert_eq!(seen[0].numbers, [("bound", 4)]);
        assert_eq!((seen[1].said.clone(), seen[1].doing), (None, "guessing"));
        assert_eq!(seen[1].numbers, [("states", 7)]);
        assert!(whole.numbers().is_empty());
    }
}
