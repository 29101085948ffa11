//! Runs: which tasks a plan had when it was run, and the result each of them has.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::params;

use super::results::{COLUMNS, stored};
use super::{ResultId, Store, Stored, now};
use crate::error::Trouble;
use crate::key::Key;
use crate::plan::Plan;
use crate::task::Task;

/// A run, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RunId(pub i64);

/// A plan that was run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// As the user named it.
    pub plan: String,
    /// Where its files are.
    pub folder: PathBuf,
    /// The hash of the command.
    pub tool: String,
    /// Seconds since 1970.
    pub at: i64,
    /// How many tasks it has.
    pub n_tasks: usize,
    /// How many of them have a result.
    pub n_done: usize,
}

/// A task of a run.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The task as it was asked.
    pub task: Task,
    /// Its key.
    pub key: Key,
    /// What came of it.
    pub result: Option<Stored>,
}

impl Store {
    /// Writes down a run with the results that are there already.
    pub fn begin(
        &self,
        plan: &Plan,
        tool: &str,
        tasks: &[(Key, Option<ResultId>)],
    ) -> Result<RunId, Trouble> {
        let folder = std::path::absolute(&plan.folder).unwrap_or_else(|_| plan.folder.clone());
        self.write(|db| {
            db.execute(
                "INSERT INTO run (plan, folder, tool, at) VALUES (?1, ?2, ?3, ?4)",
                params![plan.name, folder.to_string_lossy(), tool, now()],
            )?;
            let run = db.last_insert_rowid();
            let mut add = db.prepare(
                "INSERT INTO task (run, at, name, key, spec, result) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            for (at, (task, (key, result))) in plan.tasks.iter().zip(tasks).enumerate() {
                let spec = serde_json::to_string(task).expect("a task is plain data");
                let result = result.map(|it| it.0);
                add.execute(params![run, at as i64, task.name, key.0, spec, result])?;
            }
            Ok(RunId(run))
        })
    }

    /// All runs, the first first.
    pub fn runs(&self) -> Result<Vec<Run>, Trouble> {
        let sql = "SELECT id, plan, folder, tool, at,
                (SELECT count(*) FROM task WHERE run = id), (SELECT count(result) FROM task WHERE run = id)
            FROM run ORDER BY id";
        self.tried(|db| {
            let mut ask = db.prepare(sql)?;
            let runs = ask.query_map([], |it| {
                Ok(Run {
                    id: RunId(it.get(0)?),
                    plan: it.get(1)?,
                    folder: Path::new(&it.get::<_, String>(2)?).into(),
                    tool: it.get(3)?,
                    at: it.get(4)?,
                    n_tasks: it.get::<_, i64>(5)? as usize,
                    n_done: it.get::<_, i64>(6)? as usize,
                })
            })?;
            runs.collect()
        })
    }

    /// The tasks of a run in the order of the plan.
    pub fn tasks(&self, run: RunId) -> Result<Vec<Listed>, Trouble> {
        let sql = format!(
            "SELECT t.spec, t.key, t.result, {COLUMNS} FROM task t LEFT JOIN result r ON r.id = t.result
             WHERE t.run = ?1 ORDER BY t.at"
        );
        let rows: Vec<(String, String, Option<Stored>)> = self.tried(|db| {
            let mut ask = db.prepare(&sql)?;
            let rows = ask.query_map([run.0], |it| {
                let is_done = it.get::<_, Option<i64>>(2)?.is_some();
                let result = if is_done { Some(stored(it, 3)?) } else { None };
                Ok((it.get(0)?, it.get(1)?, result))
            })?;
            rows.collect()
        })?;
        let listed = |(spec, key, result): (String, String, _)| {
            let task = serde_json::from_str(&spec).map_err(|error| {
                Trouble::Store(format!("{}: a task is damaged: {error}", self.path.display()))
            })?;
            Ok(Listed { task, key: Key(key), result })
        };
        rows.into_iter().map(listed).collect()
    }

    /// How long tasks of these names took when they were run last.
    pub fn history(&self) -> Result<HashMap<String, Duration>, Trouble> {
        let sql = "SELECT t.name, r.wall, max(r.id) FROM task t JOIN result r ON r.id = t.result GROUP BY t.name";
        self.tried(|db| {
            let mut ask = db.prepare(sql)?;
            let rows = ask.query_map([], |it| {
                Ok((it.get(0)?, Duration::from_secs_f64(it.get::<_, f64>(1)?.max(0.0))))
            })?;
            rows.collect()
        })
    }

    /// Forgets all runs but the last `n`. How many were forgotten.
    pub fn keep_last(&self, n: usize) -> Result<usize, Trouble> {
        let old = "SELECT id FROM run ORDER BY id DESC LIMIT -1 OFFSET ?1";
        self.write(|db| {
            db.execute(&format!("DELETE FROM task WHERE run IN ({old})"), [n as i64])?;
            db.execute(&format!("DELETE FROM run WHERE id IN ({old})"), [n as i64])
        })
    }
}
