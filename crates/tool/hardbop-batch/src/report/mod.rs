//! What came of a run as a whole: counts, scores, what has changed, and the views of `hardbop-report`.

mod csv;
mod diff;
mod html;
mod judgement;
mod summary;

use serde_json::{Value, json};

use crate::error::Trouble;
use crate::row::Answer;
use crate::store::{Listed, Store};

pub use csv::table;
pub use diff::{Change, Diff};
pub use html::{Against, Pages, pages};
pub use judgement::Judgement;
pub use summary::Summary;

/// `hardbop.result/1` of a task that is done; one that left none gets one that says why.
pub fn record(store: &Store, listed: &Listed) -> Result<Option<Value>, Trouble> {
    let Some(result) = &listed.result else { return Ok(None) };
    let kept = store.record_of(result.id)?.and_then(|text| serde_json::from_str(&text).ok());
    let verdict = match result.answer {
        Answer::Crashed => "error",
        other => other.name(),
    };
    let reason = result.reason.as_deref().unwrap_or("no reason");
    let made = || {
        json!({
            "schema": "hardbop.result/1",
            "file": listed.task.name,
            "verdict": verdict,
            "certified": false,
            "engine": "batch",
            "goal": listed.task.asked.property,
            "reason": reason.split(':').next(),
            "detail": reason,
            "stats": { "time_ms": result.wall.as_secs_f64() * 1e3, "peak_memory_bytes": result.memory },
        })
    };
    Ok(Some(kept.unwrap_or_else(made)))
}
