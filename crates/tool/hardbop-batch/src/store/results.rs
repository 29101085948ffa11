//! Results by key: only ever added.

use std::time::Duration;

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, now};
use crate::error::Trouble;
use crate::key::Key;
use crate::limits::Limits;
use crate::row::{Answer, Row};

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResultId(pub i64);

/// A result as it is kept, without what is long.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its place.
    pub id: ResultId,
    /// The answer.
    pub answer: Answer,
    /// Why there is none.
    pub reason: Option<String>,
    /// Of the processor.
    pub cpu: Duration,
    /// By the clock.
    pub wall: Duration,
    /// Bytes at most.
    pub memory: u64,
    /// What it was allowed.
    pub limits: Limits,
}

/// The columns of [`Stored`], of a table that is called `r`.
pub(super) const COLUMNS: &str = "r.id, r.answer, r.reason, r.cpu, r.wall, r.memory, r.limits";

/// Reads [`COLUMNS`] from column `from` on.
pub(super) fn stored(row: &rusqlite::Row<'_>, from: usize) -> rusqlite::Result<Stored> {
    let seconds = |at: usize| row.get(at).map(|it: f64| Duration::from_secs_f64(it.max(0.0)));
    let answer: String = row.get(from + 1)?;
    let limits: String = row.get(from + 6)?;
    Ok(Stored {
        id: ResultId(row.get(from)?),
        answer: Answer::named(&answer).unwrap_or(Answer::Error),
        reason: row.get(from + 2)?,
        cpu: seconds(from + 3)?,
        wall: seconds(from + 4)?,
        memory: row.get::<_, i64>(from + 5)? as u64,
        // What cannot be read covers nothing.
        limits: serde_json::from_str(&limits)
            .unwrap_or(Limits { memory: Some(0), ..Limits::default() }),
    })
}

impl Store {
    /// The latest result that answers the question under these limits.
    pub fn answer(&self, key: &Key, limits: Limits) -> Result<Option<Stored>, Trouble> {
        let sql = format!("SELECT {COLUMNS} FROM result r WHERE key = ?1 ORDER BY id DESC");
        self.tried(|db| {
            let mut ask = db.prepare_cached(&sql)?;
            let found = ask.query_map([&key.0], |it| stored(it, 0))?;
            for it in found {
                let it = it?;
                if Row::answers(it.answer, it.limits, limits) {
                    return Ok(Some(it));
                }
            }
            Ok(None)
        })
    }

    /// Adds a result, gives it to every task that waits for it, and ends the claim: all at once.
    pub fn record(&self, key: &Key, row: &Row) -> Result<ResultId, Trouble> {
        self.write(|db| {
            let id = insert(db, key, row)?;
            db.prepare_cached("UPDATE task SET result = ?1 WHERE key = ?2 AND result IS NULL")?
                .execute(params![id.0, key.0])?;
            db.prepare_cached("DELETE FROM claim WHERE key = ?1")?.execute([&key.0])?;
            Ok(id)
        })
    }

    /// `hardbop.result/1` of a result, where there is one.
    pub fn record_of(&self, id: ResultId) -> Result<Option<String>, Trouble> {
        self.column(id, "record")
    }

    /// What was said on standard error.
    pub fn log_of(&self, id: ResultId) -> Result<Option<String>, Trouble> {
        self.column(id, "log")
    }

    /// The certificate.
    pub fn evidence_of(&self, id: ResultId) -> Result<Option<Vec<u8>>, Trouble> {
        self.column(id, "evidence")
    }

    fn column<T: rusqlite::types::FromSql>(
        &self,
        id: ResultId,
        name: &str,
    ) -> Result<Option<T>, Trouble> {
        let sql = format!("SELECT {name} FROM result WHERE id = ?1");
        self.tried(|db| Ok(db.query_row(&sql, [id.0], |it| it.get(0)).optional()?.flatten()))
    }

    /// Removes results that no run has. How many.
    pub fn collect_garbage(&self) -> Result<usize, Trouble> {
        let n = self.write(|db| {
            db.execute(
                "DELETE FROM result WHERE id NOT IN (SELECT result FROM task WHERE result IS NOT NULL)",
                [],
            )
        })?;
        self.tried(|db| db.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"))?;
        Ok(n)
    }
}

fn insert(db: &Transaction<'_>, key: &Key, row: &Row) -> rusqlite::Result<ResultId> {
    let limits = serde_json::to_string(&row.limits).expect("limits are numbers");
    let mut add = db.prepare_cached(
        "INSERT INTO result (key, answer, reason, cpu, wall, memory, limits, record, evidence, log, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    add.execute(params![
        key.0,
        row.answer.name(),
        row.reason,
        row.cpu.as_secs_f64(),
        row.wall.as_secs_f64(),
        row.memory as i64,
        limits,
        row.record.as_ref().map(ToString::to_string),
        row.evidence,
        row.log,
        now(),
    ])?;
    Ok(ResultId(db.last_insert_rowid()))
}
