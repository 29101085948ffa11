//! How a race begins: rivals wait at a line until the one ahead of them has had its head start.
//!
//! What the one ahead decides in that time costs the work of one, not of all. The line opens when the head
//! start is over, when the one ahead says so, and when it has answered without deciding; from then on
//! all run side by side, or in turns where cores are few. A head start is processor time of the whole process, which
//! is that of the one ahead as long as the others wait: on a busy machine it is worth as much as on an idle one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cpu_time::ProcessTime;
use hardbop_base::{Budget, Exhausted};

/// How often those behind look at the time.
const NAP: Duration = Duration::from_millis(2);

/// See the module. Clones are the same line.
#[derive(Clone, Debug)]
pub struct StartingLine(Arc<Line>);

#[derive(Debug)]
struct Line {
    /// The longest head start; without one the line has to be opened.
    head_start: Option<Duration>,
    begin: ProcessTime,
    is_open: Mutex<bool>,
    opened: Condvar,
    /// Those behind that have not ended.
    n_behind: AtomicUsize,
}

impl StartingLine {
    /// A line that opens by itself after that time, or not at all.
    pub fn new(head_start: Option<Duration>) -> Self {
        let (is_open, opened, n_behind) = Default::default();
        let begin = ProcessTime::now();
        StartingLine(Arc::new(Line { head_start, begin, is_open, opened, n_behind }))
    }

    /// Those behind may start.
    pub fn open(&self) {
        *self.0.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.opened.notify_all();
    }

    /// Whether nobody is behind any more: all have come to their end.
    pub fn is_alone(&self) -> bool {
        self.0.n_behind.load(Ordering::Relaxed) == 0
    }

    pub(super) fn enter(&self) -> Behind {
        self.0.n_behind.fetch_add(1, Ordering::Relaxed);
        Behind(self.clone())
    }
}

/// One who waits at the line, and then is counted as long as it works.
#[derive(Debug)]
pub(super) struct Behind(StartingLine);

impl Behind {
    /// Returns when it is time to start; an error if it is not worth it any more.
    pub(super) fn wait(&self, budget: &Budget) -> Result<(), Exhausted> {
        let line = &*self.0.0;
        let mut is_open = line.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_open && line.head_start.is_none_or(|time| line.begin.elapsed() < time) {
            let woken = line.opened.wait_timeout(is_open, NAP);
            is_open = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(is_open);
        budget.check()
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.0.0.n_behind.fetch_sub(1, Ordering::Relaxed);
    }
}
