//! Workers that share few cores take turns, so that a quick one is not slowed down by the slow ones.
//!
//! Each worker has a slice. Those come first whose slices are least used up; who has used his slice up
//! waits until the others have, then all slices double. So the first in the list have the cores to
//! themselves for a moment, in the long run everybody has his share, and nothing has to be known about
//! who will be quick. A worker gives way where it asks its budget; one that does not ask goes on, and its
//! slice is used up all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What all workers know of each other.
#[derive(Debug)]
struct Table {
    start: Instant,
    n_lanes: usize,
    workers: Vec<Worker>,
}

/// Times are nanoseconds since the start of the table.
#[derive(Debug)]
struct Worker {
    slice: u64,
    /// How long it has worked before it last waited.
    worked: AtomicU64,
    /// Since when it works, and 0 while it waits.
    since: AtomicU64,
    /// From the first time it asks to its end: nobody waits for one that does not compete.
    competes: AtomicBool,
}

/// The place of one worker, cloned into everything that works for it.
#[derive(Clone, Debug)]
pub struct Turn {
    table: Arc<Table>,
    me: usize,
}

/// One turn for each slice, for workers that share so many cores.
pub fn turns(slices: &[Duration], n_lanes: usize) -> Vec<Turn> {
    let worker = |slice: &Duration| Worker {
        slice: nanos(*slice).max(1),
        worked: AtomicU64::new(0),
        since: AtomicU64::new(0),
        competes: AtomicBool::new(false),
    };
    let workers = slices.iter().map(worker).collect();
    let table = Arc::new(Table { start: Instant::now(), n_lanes, workers });
    (0..slices.len()).map(|me| Turn { table: Arc::clone(&table), me }).collect()
}

impl Turn {
    /// Whether the worker may go on now; from then on it is taken to work, and otherwise to wait.
    pub fn comes(&self) -> bool {
        let (now, mine) = (self.table.now(), &self.table.workers[self.me]);
        mine.competes.store(true, Ordering::Relaxed);
        let (since, may_work) = (mine.since.load(Ordering::Relaxed), self.table.goes(self.me, now));
        if since == 0 && may_work {
            mine.since.store(now, Ordering::Relaxed);
        } else if since != 0 && !may_work {
            mine.worked.fetch_add(now - since, Ordering::Relaxed);
            mine.since.store(0, Ordering::Relaxed);
        }
        may_work
    }

    /// How long the worker has worked: a clock that stands still while it waits.
    pub fn worked(&self) -> Duration {
        Duration::from_nanos(self.table.workers[self.me].worked(self.table.now()))
    }

    /// The worker has come to its end.
    pub fn end(&self) {
        self.table.workers[self.me].competes.store(false, Ordering::Relaxed);
    }
}

impl Table {
    /// Never 0, which stands for waiting.
    fn now(&self) -> u64 {
        nanos(self.start.elapsed()).max(1)
    }

    /// Whether fewer workers than there are cores come before this one.
    fn goes(&self, me: usize, now: u64) -> bool {
        let mine = (self.workers[me].doublings(now), me);
        let before = |(other, worker): (usize, &Worker)| {
            worker.competes.load(Ordering::Relaxed) && (worker.doublings(now), other) < mine
        };
        self.workers.iter().enumerate().filter(|&it| before(it)).count() < self.n_lanes
    }
}

impl Worker {
    fn worked(&self, now: u64) -> u64 {
        let since = self.since.load(Ordering::Relaxed);
        let before = self.worked.load(Ordering::Relaxed);
        if since == 0 { before } else { before + now.saturating_sub(since) }
    }

    /// How often its slice had to double for what it has worked.
    fn doublings(&self, now: u64) -> u32 {
        (self.worked(now) / self.slice).checked_ilog2().map_or(0, |it| it + 1)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::turns;
    use std::thread::sleep;
    use std::time::Duration;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_first_begin_and_the_last_take_over_when_a_slice_is_used_up() {
        let turns = turns(&[300 * MS, 60_000 * MS, 60_000 * MS], 2);
        let who = || turns.iter().map(|it| it.comes()).collect::<Vec<_>>();
        assert_eq!(who(), [true, true, false]);
        sleep(350 * MS);
        assert_eq!(who(), [false, true, true]);
        let worked = turns[0].worked();
        sleep(5 * MS);
        assert!(worked >= 300 * MS && turns[0].worked() == worked, "its clock stands still");
    }

    #[test]
    fn who_has_not_begun_or_has_ended_is_not_waited_for() {
        let turns = turns(&[60_000 * MS, 60_000 * MS], 1);
        assert!(turns[1].comes());
        assert!(turns[0].comes() && !turns[1].comes());
        turns[0].end();
        assert!(turns[1].comes());
    }

    #[test]
    fn who_never_gives_way_uses_its_slice_up_all_the_same() {
        let turns = turns(&[300 * MS, 300 * MS], 1);
        assert!(turns[0].comes() && !turns[1].comes());
        sleep(350 * MS);
        assert!(turns[1].comes());
    }
}
