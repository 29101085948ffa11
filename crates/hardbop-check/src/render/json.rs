//! The object of `--format json`: schema `hardbop.result/1`, described in
//! `docs/formats/result-json.md`. Scripts depend on it: fields are added, never changed.

use hardbop_base::memory;
use serde_json::{Map, Value, json};

use super::Report;
use crate::outcome::{Outcome, Verdict, Violation};
use crate::shown::{ShownGoal, ShownStep};

/// One result as a JSON object.
pub fn json(report: Report<'_>) -> Value {
    let Report { file, outcome } = report;
    let (verdict, reason, detail) = match &outcome.verdict {
        Verdict::Safe => ("safe", None, outcome.lacks.as_ref()),
        Verdict::Unsafe => ("unsafe", None, outcome.lacks.as_ref()),
        Verdict::Unknown(why) => ("unknown", Some(why.reason), Some(&why.detail)),
    };
    json!({
        "schema": "hardbop.result/1",
        "file": file,
        "verdict": verdict,
        "scope": scope(outcome),
        "certified": outcome.certified,
        "engine": outcome.engine,
        "goal": goal_name(outcome),
        "reason": reason,
        "detail": detail,
        "violation": outcome.violation.as_ref().map(|violation| place(file, violation)),
        "trace": outcome.trace.as_deref().map(trace),
        "goals": outcome.goals.iter().map(|at| goal(file, at)).collect::<Vec<_>>(),
        "properties": [],
        "assumptions": [],
        "stats": stats(outcome),
    })
}

fn goal_name(outcome: &Outcome) -> String {
    match &outcome.target {
        Some(target) => format!("target:{target}"),
        None => outcome.goal.to_string(),
    }
}

/// The steps of a trace; also what `--trace FILE` writes.
pub fn trace(steps: &[ShownStep]) -> Value {
    json!({ "steps": steps.iter().map(step).collect::<Vec<_>>() })
}

fn step(step: &ShownStep) -> Value {
    let values: Map<_, _> =
        step.values.iter().map(|at| (at.name.to_string(), Value::Bool(at.value))).collect();
    json!({
        "thread": step.thread,
        "depth": step.depth,
        "proc": &*step.proc,
        "line": step.line,
        "text": step.text,
        "values": values,
    })
}

fn scope(outcome: &Outcome) -> Value {
    let threads = match outcome.scope.threads {
        Some(n) => json!(n),
        None if outcome.unbounded_threads => json!("inf"),
        None => Value::Null,
    };
    json!({
        "threads": threads,
        "contexts": outcome.scope.contexts,
        "depth": outcome.scope.depth,
    })
}

fn place(file: &str, place: &Violation) -> Value {
    json!({ "file": file, "line": place.line, "what": place.what })
}

fn goal(file: &str, at: &ShownGoal) -> Value {
    let mut goal = place(file, &at.place);
    goal["proc"] = json!(&*at.proc);
    goal["reachable"] = json!(at.reachable);
    goal
}

fn stats(outcome: &Outcome) -> Value {
    let mut stats = Map::new();
    stats.insert("time_ms".into(), json!(outcome.time.as_micros() as f64 / 1000.0));
    stats.insert("peak_memory_bytes".into(), json!(memory::peak_bytes()));
    for (name, value) in outcome.stats.iter() {
        stats.insert(name.into(), json!(value));
    }
    Value::Object(stats)
}
