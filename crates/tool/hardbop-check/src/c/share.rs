//! How engine `runs` takes its part in `auto`: a short stretch before the others, then in turns with them.
//!
//! The stretch is counted in steps and runs, so that what it finds does not depend on the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use cpu_time::ThreadTime;
use hardbop_base::{Budget, CancelToken};
use hardbop_cir::Program;
use hardbop_engine_c::{Options, Report};
use hardbop_runs::{Limits, Search};

/// Before the others begin.
const STRETCH: Limits = Limits { n_runs: 300, n_steps: 200_000 };
/// What is granted when the others have ended without a verdict.
const ALONE: Duration = Duration::from_secs(1);

pub(super) struct Forerunner {
    /// Dropped where the others may begin, also by a panic.
    gate: Vec<Sender<()>>,
    n_at_work: Arc<AtomicUsize>,
}

pub(super) struct Follower {
    gate: Receiver<()>,
    n_at_work: Arc<AtomicUsize>,
}

/// Counts a follower as long as it works.
pub(super) struct AtWork(Arc<AtomicUsize>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn forerunner(n_followers: usize) -> (Forerunner, Vec<Follower>) {
    let n_at_work = Arc::new(AtomicUsize::new(n_followers));
    let pairs = (0..n_followers).map(|_| {
        let (sender, gate) = channel();
        (sender, Follower { gate, n_at_work: Arc::clone(&n_at_work) })
    });
    let (gate, followers) = pairs.unzip();
    (Forerunner { gate, n_at_work }, followers)
}

impl Follower {
    /// Waits until the stretch is over.
    pub fn start(self) -> AtWork {
        // Nothing is ever sent: that the other end is gone is the sign.
        let _ = self.gate.recv();
        AtWork(self.n_at_work)
    }
}

impl Forerunner {
    pub fn run(self, program: &Arc<Program>, options: &Options, budget: &Budget) -> Report {
        let mut search = Search::new(program, options);
        if search.go(STRETCH, budget, &mut || {}) {
            return search.report();
        }
        drop(self.gate);
        let enough = CancelToken::default();
        let own = budget.clone().with_cancel(enough.clone());
        let here = ThreadTime::now();
        let mut pace = || {
            let is_alone = self.n_at_work.load(Ordering::Relaxed) == 0;
            if budget.check().is_err() || is_alone && here.elapsed() > ALONE {
                enough.cancel();
            }
        };
        search.go(Limits::default(), &own, &mut pace);
        search.report()
    }
}
