//! Stores of several machines become one.

use std::path::Path;

use rusqlite::params;

use super::Store;
use crate::error::Trouble;

/// What came in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Results that were not here.
    pub n_results: usize,
    /// Tasks that waited for them.
    pub n_tasks: usize,
}

/// Results are the same if they say the same of the same key at the same time.
const COPY: &str = "
INSERT INTO main.result (key, answer, reason, cpu, wall, memory, limits, record, evidence, log, at)
SELECT o.key, o.answer, o.reason, o.cpu, o.wall, o.memory, o.limits, o.record, o.evidence, o.log, o.at
FROM other.result o
WHERE NOT EXISTS (
    SELECT 1 FROM main.result m
    WHERE m.key = o.key AND m.answer = o.answer AND m.at = o.at AND m.wall = o.wall AND m.limits = o.limits
) ORDER BY o.id";

/// A waiting task gets the latest result of its key.
const FILL: &str = "
UPDATE main.task SET result = (
    SELECT max(r.id) FROM main.result r WHERE r.key = task.key
)
WHERE result IS NULL AND EXISTS (SELECT 1 FROM main.result r WHERE r.key = task.key)";

impl Store {
    /// Takes over the results of another store; the other stays as it is.
    pub fn merge(&self, other: &Path) -> Result<Merged, Trouble> {
        // That it is one, and its log is read.
        let known = Store::existing(other)?;
        let path = std::path::absolute(known.path()).map_err(|error| Trouble::io(other, &error))?;
        self.tried(|db| db.execute("ATTACH ?1 AS other", params![path.to_string_lossy()]))?;
        let merged = self.write(|db| {
            let n_results = db.execute(COPY, [])?;
            let n_tasks = db.execute(FILL, [])?;
            Ok(Merged { n_results, n_tasks })
        });
        self.tried(|db| db.execute_batch("DETACH other"))?;
        merged
    }
}
