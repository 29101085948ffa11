//! Running one check for many seeds, on all cores, with the same result every time.
//!
//! Seeds are handed out in order. After a failure the workers still finish the smaller seeds, so
//! the failure that is reported is always the one of the smallest seed. A stack overflow of the code
//! under test cannot be caught: it ends the process, and the last line of progress bounds the seed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::caught::{catch, quiet_panics};

/// What one seed gave: words to count, or a failure.
pub type Outcome = Result<Vec<String>, Failure>;

/// Something that must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// For a person, with all that is known.
    pub detail: String,
}

/// What a shrunk program must share with the original failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The code under test panicked.
    Panic,
    /// A well-formed program was rejected, with this diagnostic code.
    Rejected(&'static str),
    /// A program came with errors, or no program without one.
    Unexplained,
    /// Printing and reading again gave something else.
    RoundTrip,
    /// Two engines, or two runs of one, disagree.
    Disagree,
    /// A trace does not replay.
    Trace,
    /// A certificate is no proof.
    Certificate,
    /// The command did not behave as documented.
    Command,
}

impl Failure {
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        Failure { kind, detail: detail.into() }
    }
}

/// All seeds of a campaign.
pub struct Report {
    /// How often each word was counted.
    pub tally: BTreeMap<String, u64>,
    /// The failure of the smallest seed.
    pub failure: Option<(u64, Failure)>,
    pub time: Duration,
}

/// The stack of a worker: what a program's main thread usually has.
const STACK_BYTES: usize = 8 << 20;

/// How often progress is told.
const PROGRESS: Duration = Duration::from_secs(5);

/// Runs `check` for every seed on `n_workers` threads.
pub fn run(
    seeds: Range<u64>,
    n_workers: usize,
    check: &(dyn Fn(u64) -> Outcome + Sync),
) -> std::io::Result<Report> {
    quiet_panics();
    let start = Instant::now();
    let next = AtomicU64::new(seeds.start);
    let shared =
        Mutex::new((Report { tally: BTreeMap::new(), failure: None, time: Duration::ZERO }, start));
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let is_needed = |report: &Report| report.failure.as_ref().is_none_or(|f| seed < f.0);
            if seed >= seeds.end || !is_needed(&lock(&shared).0) {
                return;
            }
            let outcome = catch(|| check(seed))
                .unwrap_or_else(|panic| Err(Failure::new(FailureKind::Panic, panic)));
            let (report, told) = &mut *lock(&shared);
            match outcome {
                Ok(words) => {
                    words.into_iter().for_each(|word| *report.tally.entry(word).or_default() += 1)
                }
                Err(failure) if is_needed(report) => report.failure = Some((seed, failure)),
                Err(_) => {}
            }
            if told.elapsed() >= PROGRESS {
                *told = Instant::now();
                eprintln!("  seed {seed}, {} s", start.elapsed().as_secs());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..n_workers.max(1) {
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker)?;
        }
        Ok::<(), std::io::Error>(())
    })?;
    let (mut report, _) = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    report.time = start.elapsed();
    Ok(report)
}

/// A worker that panicked outside the code under test leaves the counts as they were: still usable.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::{Failure, FailureKind, run};

    #[test]
    fn the_smallest_failing_seed_is_reported_whatever_the_workers_do() {
        for n_workers in [1, 2, 5] {
            let report = run(0..500, n_workers, &|seed| match seed {
                _ if seed % 100 == 77 => Err(Failure::new(FailureKind::RoundTrip, "no")),
                90 => panic!("{}", "later"),
                _ => Ok(vec!["fine".to_string()]),
            })
            .expect("threads start");
            let (seed, failure) = report.failure.expect("seed 77 fails");
            assert_eq!((seed, failure.kind), (77, FailureKind::RoundTrip));
        }
    }

    #[test]
    fn a_panic_is_a_failure_and_the_rest_is_counted() {
        let report = run(0..10, 2, &|seed| {
            assert!(seed != 9, "nine");
            Ok(vec![if seed % 2 == 0 { "even" } else { "odd" }.to_string()])
        })
        .expect("threads start");
        let (seed, failure) = report.failure.expect("seed 9 panics");
        assert_eq!((seed, failure.kind), (9, FailureKind::Panic));
        assert!(failure.detail.contains("nine"), "{}", failure.detail);
        assert_eq!((report.tally["even"], report.tally["odd"]), (5, 4));
    }
}
