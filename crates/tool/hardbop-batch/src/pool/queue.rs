//! What is still to be done, the longest first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hardbop_base::CancelToken;

use super::Pending;

/// Tasks that nobody has begun, and how many are not ended.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: VecDeque<Pending>,
    n_open: usize,
}

/// Puts what took longest before in front, and before it what was never run: a long task that is begun last is
/// waited for by all.
pub fn order(mut todo: Vec<Pending>, history: &HashMap<String, Duration>) -> Vec<Pending> {
    let expected = |it: &Pending| history.get(&it.task.name).copied().unwrap_or(Duration::MAX);
    todo.sort_by(|a, b| expected(b).cmp(&expected(a)).then(a.at.cmp(&b.at)));
    todo
}

impl Queue {
    pub fn new(todo: Vec<Pending>) -> Queue {
        let n_open = todo.len();
        Queue { state: Mutex::new(State { waiting: todo.into(), n_open }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` when all is done or nothing more is to be begun. Waits while others may put something back.
    pub fn next(&self, interrupt: &CancelToken) -> Option<Pending> {
        let mut state = self.state();
        loop {
            if interrupt.is_cancelled() || state.n_open == 0 {
                return None;
            }
            if let Some(pending) = state.waiting.pop_front() {
                return Some(pending);
            }
            // Signals wake no one: look around now and then.
            let soon = Duration::from_millis(100);
            state =
                self.changed.wait_timeout(state, soon).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Somebody else works on it: later.
    pub fn put_back(&self, pending: Pending) {
        self.state().waiting.push_back(pending);
        self.changed.notify_one();
    }

    /// A task that was taken is ended.
    pub fn done(&self) {
        let mut state = self.state();
        state.n_open = state.n_open.saturating_sub(1);
        if state.n_open == 0 {
            self.changed.notify_all();
        }
    }

    /// Nothing more is begun.
    pub fn give_up(&self) {
        let mut state = self.state();
        state.waiting.clear();
        state.n_open = 0;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::{Pending, order};
    use crate::key::Key;
    use crate::task::Task;
    use std::time::Duration;

    #[test]
    fn what_is_new_and_what_is_long_goes_first() {
        let pending = |at: usize, name: &str| Pending {
            at,
            task: Task::of(vec![name.into()]),
            key: Key(String::new()),
        };
        let todo =
            vec![pending(0, "short"), pending(1, "new"), pending(2, "long"), pending(3, "also")];
        let seconds = [("short", 1), ("long", 9)];
        let history = seconds.map(|(name, s)| (name.to_string(), Duration::from_secs(s))).into();
        let names: Vec<_> = order(todo, &history).into_iter().map(|it| it.task.name).collect();
        assert_eq!(names, ["new", "also", "long", "short"]);
    }
}
