//! A batch from beginning to end: keys, what is known already, the pool for the rest.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hardbop_base::CancelToken;

use crate::error::Trouble;
use crate::key::{Key, key};
use crate::plan::Plan;
use crate::pool::{Pending, Pool, Watch, order};
use crate::split::Split;
use crate::store::{Listed, RunId, Store};
use crate::tool::Tool;

/// A plan with what is known of it.
pub struct Batch<'a> {
    plan: Plan,
    tool: &'a Tool,
    run: RunId,
    todo: Vec<Pending>,
}

impl<'a> Batch<'a> {
    /// Makes keys, `jobs` at a time, looks results up, and writes the run down.
    pub fn begin(
        mut plan: Plan,
        tool: &'a Tool,
        store: &Store,
        jobs: usize,
        only_changed: bool,
    ) -> Result<Batch<'a>, Trouble> {
        let keys = keys(&plan, &tool.id, jobs);
        let (mut todo, mut known) = (Vec::new(), Vec::new());
        for (at, (task, key)) in plan.tasks.iter().zip(keys).enumerate() {
            let done = store.answer(&key, task.limits)?.map(|it| it.id);
            if done.is_none() {
                todo.push(Pending { at, task: task.clone(), key: key.clone() });
            }
            known.push((key, done));
        }
        if only_changed {
            plan.tasks = todo.iter().map(|it| it.task.clone()).collect();
            known.retain(|it| it.1.is_none());
        }
        let run = store.begin(&plan, &tool.id, &known)?;
        let todo = order(todo, &store.history()?);
        Ok(Batch { plan, tool, run, todo })
    }

    /// The run that was written down.
    pub fn run_id(&self) -> RunId {
        self.run
    }

    /// How many tasks it has.
    pub fn n_tasks(&self) -> usize {
        self.plan.tasks.len()
    }

    /// How many tasks have no result yet.
    pub fn n_todo(&self) -> usize {
        self.todo.len()
    }

    /// Works on them.
    pub fn work(
        self,
        store: &Mutex<Store>,
        jobs: usize,
        interrupt: &CancelToken,
        watch: &dyn Watch,
    ) -> Result<(), Trouble> {
        if self.todo.is_empty() {
            return Ok(());
        }
        let (tool, folder) = (self.tool, self.plan.folder.as_path());
        Pool { store, tool, folder, jobs, interrupt, watch }.run(self.todo)
    }
}

/// Writes down what the parts of a plan say together, as a run of the plan itself.
pub fn join(
    store: &Store,
    tool: &Tool,
    plan: &Plan,
    split: Split,
    parts: &[Listed],
) -> Result<RunId, Trouble> {
    let keys = keys(plan, &tool.id, 1);
    let open: Vec<_> = keys.iter().map(|it| (it.clone(), None)).collect();
    let run = store.begin(plan, &tool.id, &open)?;
    let mut rest = parts;
    for ((task, key), n_parts) in plan.tasks.iter().zip(&keys).zip(split.apply(plan).1) {
        let (own, others) = rest.split_at(n_parts.min(rest.len()));
        rest = others;
        if let Some(row) = split.join(store, task, own)? {
            store.record(key, &row)?;
        }
    }
    Ok(run)
}

/// The key of each task: the preprocessor takes its time, so several at once.
fn keys(plan: &Plan, tool: &str, jobs: usize) -> Vec<Key> {
    let next = AtomicUsize::new(0);
    let keys: Mutex<Vec<Option<Key>>> = Mutex::new(vec![None; plan.tasks.len()]);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = plan.tasks.get(at) else { break };
                    let made = key(task, &plan.folder, tool);
                    keys.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(made);
                }
            });
        }
    });
    let keys = keys.into_inner().unwrap_or_else(PoisonError::into_inner);
    keys.into_iter().map(|it| it.expect("each task was taken by one of them")).collect()
}
