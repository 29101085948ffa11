//! Work in a thread of its own, and someone who looks at the clock.
//!
//! Everything that a limit covers (reading, preprocessing, parsing, engines, rendering) asks the budget
//! itself where it can. What does not, a read that blocks or a long loop of a library, is left behind
//! here: the supervisor says that the limit is reached, and the thread ends with the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hardbop_base::{Budget, Exhausted, address_space, memory, stack};

/// Deep programs need deep stacks; the pages are touched only when used.
const STACK: usize = 512 << 20;

/// How long after a limit the work may take to say what it has found by then. Longer than the race of
/// engines waits for its rivals, shorter than a user does.
const GRACE: Duration = Duration::from_millis(800);

/// How often the limits are looked at.
const EVERY: Duration = Duration::from_millis(20);

/// Why there is no result.
#[derive(Debug)]
pub enum Stopped {
    Limit(Exhausted),
    /// A panic: our mistake.
    Failed(String),
}

enum Said<T> {
    /// What counts if the limit comes before the rest.
    Provisional(T),
    Last(T),
    Failed(String),
}

/// Where the work hands in what it has.
pub struct Desk<T> {
    say: Sender<Said<T>>,
    pub waiting: Waiting,
}

impl<T> Desk<T> {
    /// A result that may be replaced by a better one, and is not lost to the limit.
    pub fn hand_in(&self, result: T) {
        // The supervisor may have gone home.
        let _ = self.say.send(Said::Provisional(result));
    }
}

/// Whether the work waits for someone else, such as a person who types.
#[derive(Clone, Default)]
pub struct Waiting(Arc<AtomicBool>);

impl Waiting {
    pub fn during<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.0.store(true, Ordering::Relaxed);
        let result = wait();
        self.0.store(false, Ordering::Relaxed);
        result
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs `work` until it ends or does not end in time.
pub fn supervise<T: Send + 'static>(
    budget: &Budget,
    work: impl FnOnce(&Desk<T>) -> T + Send + 'static,
) -> Result<T, Stopped> {
    let (say, hear) = channel();
    let waiting = Waiting::default();
    let desk = Desk { say, waiting: waiting.clone() };
    let run = move || {
        let said = match catch_unwind(AssertUnwindSafe(|| work(&desk))) {
            Ok(result) => Said::Last(result),
            Err(panic) => Said::Failed(words(&*panic)),
        };
        let _ = desk.say.send(said);
    };
    let thread = std::thread::Builder::new().name("hardbop".into());
    if thread.stack_size(stack::affordable(STACK)).spawn(run).is_err() {
        return Err(Stopped::Limit(no_memory(budget)));
    }
    Supervisor { budget, waiting, known: None, over: None }.result(&hear)
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn no_memory(budget: &Budget) -> Exhausted {
    Exhausted::Memory(address_space::limit().or(budget.memory_limit()).unwrap_or(0))
}

struct Supervisor<'a, T> {
    budget: &'a Budget,
    waiting: Waiting,
    known: Option<T>,
    /// The limit that was reached, and when.
    over: Option<(Instant, Exhausted)>,
}

impl<T> Supervisor<'_, T> {
    fn result(mut self, hear: &Receiver<Said<T>>) -> Result<T, Stopped> {
        loop {
            match hear.recv_timeout(self.pause()) {
                Ok(Said::Last(result)) => return Ok(result),
                Ok(Said::Provisional(result)) => self.known = Some(result),
                Ok(Said::Failed(_)) if address_space::was_refused() => {
                    let limit = no_memory(self.budget);
                    return self.known.ok_or(Stopped::Limit(limit));
                }
                Ok(Said::Failed(why)) => return Err(Stopped::Failed(why)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Stopped::Failed("the work ended without a word".into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(limit) = self.late() {
                return self.known.ok_or(Stopped::Limit(limit));
            }
        }
    }

    /// Short where the limit is near.
    fn pause(&self) -> Duration {
        let left = self.budget.time_left().filter(|left| !left.is_zero());
        left.map_or(EVERY, |left| left.min(EVERY))
    }

    /// The limit, if the work has had its time to react to it.
    fn late(&mut self) -> Option<Exhausted> {
        let Err(limit) = self.budget.check() else {
            self.over = None;
            return None;
        };
        let (since, limit) = *self.over.get_or_insert((Instant::now(), limit));
        let is_late = since.elapsed() > GRACE || self.waiting.is_on() || is_far_over(limit);
        is_late.then_some(limit)
    }
}

/// Memory can grow much in little time: there may be none left to end in order.
fn is_far_over(limit: Exhausted) -> bool {
    let Exhausted::Memory(limit) = limit else { return false };
    memory::resident_bytes().is_some_and(|used| used > limit + limit / 8 + (64 << 20))
}

#[cfg(test)]
mod tests {
    use super::{GRACE, Stopped, supervise};
    use hardbop_base::{Budget, CancelToken, Exhausted};
    use std::time::{Duration, Instant};

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn work_that_ends_is_handed_over() {
        assert!(matches!(supervise(&Budget::unlimited(), |_| 7), Ok(7)));
    }

    #[test]
    fn work_that_does_not_look_at_the_clock_is_left_behind() {
        let start = Instant::now();
        let budget = Budget::unlimited().with_time(Duration::from_millis(50));
        let stopped = supervise(&budget, |_| std::thread::sleep(LONG));
        assert!(matches!(stopped, Err(Stopped::Limit(Exhausted::Time(_)))));
        assert!(start.elapsed() < LONG / 2);
    }

    #[test]
    fn who_waits_for_someone_else_is_not_waited_for() {
        let cancel = CancelToken::default();
        let budget = Budget::unlimited().with_cancel(cancel.clone());
        let start = Instant::now();
        let stopped = supervise(&budget, move |desk| {
            desk.waiting.during(|| {
                cancel.cancel();
                std::thread::sleep(LONG);
            });
        });
        assert!(matches!(stopped, Err(Stopped::Limit(Exhausted::Cancelled))));
        assert!(start.elapsed() < GRACE);
    }

    #[test]
    fn what_was_handed_in_is_not_lost_to_the_limit() {
        let budget = Budget::unlimited().with_time(Duration::from_millis(50));
        let result = supervise(&budget, |desk| {
            desk.hand_in(1);
            std::thread::sleep(LONG);
            2
        });
        assert!(matches!(result, Ok(1)));
    }

    #[test]
    fn a_panic_is_told() {
        let stopped = supervise(&Budget::unlimited(), |_| -> () { panic!("on purpose") });
        assert!(matches!(stopped, Err(Stopped::Failed(why)) if why == "on purpose"));
    }
}
