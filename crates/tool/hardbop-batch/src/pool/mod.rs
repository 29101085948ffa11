//! The local pool: a process per task, as many at once as there is room for.
//!
//! Each worker takes the next task, asks the store for the right to do it, runs it under its limits, and records what
//! came of it. Nothing but the store knows what is done: who is killed and called again goes on by construction.

mod cgroup;
mod group;
mod process;
mod queue;
mod room;
mod scratch;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hardbop_base::CancelToken;

use crate::error::Trouble;
use crate::key::Key;
use crate::row::Row;
use crate::store::{Claim, Owner, Store};
use crate::task::Task;
use crate::tool::Tool;

pub use process::{Ended, How, Resource, run as run_process};
pub use queue::order;
pub use room::jobs;

use queue::Queue;
use scratch::Scratch;

/// How often the store hears that we live.
const SIGN: Duration = Duration::from_secs(10);
/// How often a task of somebody else is asked for again.
const PAUSE: Duration = Duration::from_millis(200);

/// A task that has no answer yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its place in the plan.
    pub at: usize,
    /// What is asked.
    pub task: Task,
    /// Its key.
    pub key: Key,
}

/// Who wants to see how it goes.
pub trait Watch: Sync {
    /// A worker has begun a task.
    fn started(&self, worker: usize, task: &Task);
    /// A worker has ended a task; `None` if somebody else has done it, or it was interrupted.
    fn ended(&self, worker: usize, task: &Task, row: Option<&Row>);
}

/// What all workers share.
pub struct Pool<'a> {
    /// Where results go.
    pub store: &'a Mutex<Store>,
    /// What is run.
    pub tool: &'a Tool,
    /// Where it is run.
    pub folder: &'a Path,
    /// At once.
    pub jobs: usize,
    /// Ctrl-C: what runs is ended and is as if it had not begun.
    pub interrupt: &'a CancelToken,
    /// Who looks on.
    pub watch: &'a dyn Watch,
}

impl Pool<'_> {
    /// Works until all is done, it is interrupted, or the store fails.
    pub fn run(&self, todo: Vec<Pending>) -> Result<(), Trouble> {
        let owner = Owner::this();
        self.store().sign_of_life(&owner)?;
        let scratch = Scratch::new().map_err(|error| Trouble::Io(format!("scratch: {error}")))?;
        let queue = Queue::new(todo);
        let is_over = AtomicBool::new(false);
        let worked = std::thread::scope(|scope| {
            let heart = scope.spawn(|| self.beat(&owner, &is_over));
            let worker = |nth: usize| {
                let (owner, queue, scratch) = (&owner, &queue, &scratch);
                scope.spawn(move || self.work(nth, owner, queue, scratch))
            };
            let workers: Vec<_> = (0..self.jobs.max(1)).map(worker).collect();
            let ends: Vec<_> = workers.into_iter().map(|it| it.join()).collect();
            is_over.store(true, Ordering::Release);
            heart.thread().unpark();
            ends.into_iter().try_for_each(|it| {
                it.unwrap_or_else(|_| Err(Trouble::Io("a worker of the batch failed".into())))
            })
        });
        // Where the store cannot be written the claims are free all the same, as soon as we are gone.
        let released = self.store().release(&owner);
        worked.and(released)
    }

    fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn beat(&self, owner: &Owner, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Acquire) {
            std::thread::park_timeout(SIGN);
            // A store that fails is noticed by who records.
            let _ = self.store().sign_of_life(owner);
        }
    }

    fn work(
        &self,
        nth: usize,
        owner: &Owner,
        queue: &Queue,
        scratch: &Scratch,
    ) -> Result<(), Trouble> {
        while let Some(pending) = queue.next(self.interrupt) {
            let claim = self.store().claim(&pending.key, pending.task.limits, owner);
            match claim.inspect_err(|_| queue.give_up())? {
                Claim::Done(_) => {
                    self.watch.ended(nth, &pending.task, None);
                    queue.done();
                }
                Claim::Taken => {
                    queue.put_back(pending);
                    std::thread::sleep(PAUSE);
                }
                Claim::Granted => {
                    self.watch.started(nth, &pending.task);
                    let row = self.run_task(nth, &pending.task, scratch);
                    if let Some(row) = &row {
                        let recorded = self.store().record(&pending.key, row);
                        recorded.inspect_err(|_| queue.give_up())?;
                    }
                    self.watch.ended(nth, &pending.task, row.as_ref());
                    queue.done();
                }
            }
        }
        Ok(())
    }

    /// `None` if it was interrupted.
    fn run_task(&self, nth: usize, task: &Task, scratch: &Scratch) -> Option<Row> {
        let files = scratch.files(nth);
        let mut command = Command::new(&self.tool.path);
        command.current_dir(self.folder).arg("check").args(["--format", "json"]);
        command.args(own_limits(task));
        command.arg("--certificate").arg(&files.evidence).args(task.asked.words());
        command.arg("--").args(&task.files);
        let ended = match run_process(command, task.limits, &files, self.interrupt) {
            Ok(ended) => ended,
            Err(error) => Ended::unstarted(&error),
        };
        if ended.how == How::Interrupted {
            return None;
        }
        let evidence = std::fs::read(&files.evidence).ok();
        Some(Row::of(ended, task.limits, evidence))
    }
}

/// The command's own limits end with a report, a little before ours end without.
fn own_limits(task: &Task) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(wall) = task.limits.wall {
        words.extend(["--time-limit".into(), format!("{}ms", wall.as_millis())]);
    }
    if let Some(memory) = task.limits.memory {
        words.extend(["--memory-limit".into(), (memory / 10 * 9).max(1).to_string()]);
    }
    words
}
