//! The object of `--format json`: schema `hardbop.result/1`, described in
//! `docs/formats/result-json.md`. Scripts depend on it: fields are added, never changed.

use std::collections::BTreeSet;

use cpu_time::ProcessTime;
use hardbop_base::progress::Seen;
use hardbop_base::{Name, memory};
use hardbop_cir::interp::Turn;
use hardbop_engine::{Reason, Verdict};
use serde_json::{Map, Value, json};

use super::Report;
use super::told::Told;
use crate::c::{At, Property, Reached, Round, Run, RunStep};
use crate::cube::Part;
use crate::explain::Invariant;
use crate::outcome::{Outcome, Violation};
use crate::shown::{ShownGoal, ShownOver, ShownPassage, ShownStep};

/// One result as a JSON object.
pub fn json(report: Report<'_>) -> Value {
    let Report { file, outcome } = report;
    let (verdict, reason) = words(&outcome.verdict);
    let violation = outcome.verdict.violation().or(outcome.depending.as_ref());
    let mut object = json!({
        "schema": "hardbop.result/1",
        "file": file,
        "verdict": verdict,
        "scope": scope(outcome),
        "certified": outcome.certified,
        "engine": outcome.engine,
        "goal": outcome.asked.to_string(),
        "reason": reason.map(Reason::word),
        "detail": outcome.detail(),
        "claims": claims(reason),
        "violation": violation.map(|violation| place(file, violation)),
        "trace": trace(outcome),
        "goals": outcome.goals.iter().map(|at| goal(file, at)).collect::<Vec<_>>(),
        "properties": outcome.properties.iter().map(property).collect::<Vec<_>>(),
        "coverage": outcome.coverage.iter().map(covered).collect::<Vec<_>>(),
        "assumptions": outcome.assumptions,
        "warnings": outcome.warnings,
        "invariants": outcome.invariants.iter().map(|it| invariant(file, it)).collect::<Vec<_>>(),
        "engines": engines(&outcome.engines),
        "stats": stats(outcome),
    });
    if !outcome.rounds.is_empty() {
        object["abstraction"] = json!({ "rounds": outcome.rounds.iter().map(|it| round(file, it)).collect::<Vec<_>>() });
    }
    if let Some(it) = &outcome.part {
        object["part"] = part(it);
    }
    object
}

fn part(part: &Part) -> Value {
    let fixed: Vec<Value> =
        part.fixed.iter().map(|it| json!({ "what": it.what, "value": it.value })).collect();
    json!({ "cube": part.cube.to_string(), "fixed": fixed, "safe": part.is_safe, "empty": part.is_empty })
}

/// Who worked on it.
pub fn engines(all: &[Seen]) -> Value {
    all.iter().map(engine).collect()
}

fn engine(it: &Seen) -> Value {
    let numbers: Map<String, Value> =
        it.numbers.iter().map(|&(name, n)| (name.into(), json!(n))).collect();
    json!({
        "engine": it.name,
        "said": it.said,
        "time_ms": it.worked.as_micros() as f64 / 1000.0,
        "numbers": numbers,
    })
}

/// A round of engine `cegar`.
fn round(file: &str, round: &Round) -> Value {
    let at = |at: &At| {
        let named = at.file.as_deref().unwrap_or(file);
        json!({ "file": named, "line": at.line, "proc": at.proc, "at": at.what })
    };
    let followed = |(place, predicates): &(At, Vec<String>)| {
        let mut object = at(place);
        object["predicates"] = json!(predicates);
        object
    };
    let visit = |(place, values): &(At, Vec<(String, bool)>)| {
        let mut object = at(place);
        let values: Map<String, Value> =
            values.iter().map(|(predicate, value)| (predicate.clone(), json!(value))).collect();
        object["values"] = Value::Object(values);
        object
    };
    json!({
        "number": round.number,
        "predicates": round.predicates.iter().map(followed).collect::<Vec<_>>(),
        "path": round.path.iter().map(visit).collect::<Vec<_>>(),
        "program": round.program,
        "learned": round.learned,
    })
}

fn words<V>(verdict: &Verdict<V>) -> (&'static str, Option<&Reason>) {
    match verdict {
        Verdict::Safe => ("safe", None),
        Verdict::Unsafe(_) => ("unsafe", None),
        Verdict::Unknown(why) => ("unknown", Some(why)),
    }
}

/// Where engines contradict each other, what each claimed.
fn claims(reason: Option<&Reason>) -> Vec<Value> {
    let Some(Reason::Contradiction(claims)) = reason else { return Vec::new() };
    let word = |is_safe| if is_safe { "safe" } else { "unsafe" };
    claims.iter().map(|it| json!({ "engine": it.engine, "verdict": word(it.is_safe) })).collect()
}

fn covered(((file, line), reached): (&(Name, u32), &Reached)) -> Value {
    json!({ "file": &**file, "line": line, "reached": reached.word() })
}

fn property(property: &Property) -> Value {
    let (verdict, reason) = words(&property.verdict);
    json!({
        "file": &*property.file,
        "line": property.line,
        "class": property.class.name(),
        "message": &*property.message,
        "verdict": verdict,
        "confirmed": property.verdict.is_unsafe(),
        "reached": reached(property),
        "reason": reason.map(Reason::word),
        "detail": property.detail,
    })
}

/// `null` where it is not known.
fn reached(property: &Property) -> Option<bool> {
    match property.verdict {
        Verdict::Unsafe(()) => Some(true),
        _ if property.is_never_reached => Some(false),
        Verdict::Safe | Verdict::Unknown(_) => None,
    }
}

/// The steps of a run of a C program; also what `--trace FILE` writes.
pub fn run(run: &Run) -> Value {
    let step = |it: &RunStep| {
        let values: Map<String, Value> =
            it.value.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "thread": it.thread,
            "depth": it.depth,
            "proc": it.func,
            "file": it.file,
            "line": it.line,
            "text": it.text,
            "values": values,
            "kind": it.kind.word(),
            "object": it.object,
            "points_to": it.points_to(),
        })
    };
    let steps: Vec<Value> = run.steps.iter().map(step).collect();
    let mut object =
        json!({ "steps": steps, "left_out": run.n_left_out, "depends_on": run.depends_on });
    if !run.turns.is_empty() {
        let turn = |it: &Turn| json!({ "thread": it.thread, "steps": it.n_steps });
        object["schedule"] = run.turns.iter().map(turn).collect();
    }
    object
}

/// The trace of an outcome, null if it has none; also what `--trace FILE` writes.
pub fn trace(outcome: &Outcome) -> Value {
    let Some(trace) = &outcome.trace else {
        return outcome.run.as_ref().map_or(Value::Null, run);
    };
    let passages = outcome.passages.iter().flat_map(|it| &it.steps);
    let n_values: usize = trace.iter().chain(passages).map(|it| it.values.len()).sum();
    let values = if n_values <= MOST_VALUES { Values::All } else { Values::Changes };
    let mut object = json!({
        "values": values.word(),
        "shared": shared(trace),
        "steps": steps(trace, values),
    });
    if !outcome.passages.is_empty() {
        object["passages"] = outcome.passages.iter().map(|it| passage(it, values)).collect();
    }
    object
}

/// A trace with more values than this gives only what changes: it would be hundreds of megabytes.
const MOST_VALUES: usize = 100_000;

/// Which values a step gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    All,
    /// Those that are not as the steps before have said.
    Changes,
}

impl Values {
    fn word(self) -> &'static str {
        match self {
            Values::All => "all",
            Values::Changes => "changes",
        }
    }
}

/// The shared variables that the trace gives a value.
fn shared(steps: &[ShownStep]) -> BTreeSet<&str> {
    let values = steps.iter().flat_map(|it| &it.values);
    let counts = steps.iter().flat_map(|it| &it.counts).map(|it| it.0.as_str());
    values.filter(|it| it.is_shared).map(|it| &*it.name).chain(counts).collect()
}

fn passage(passage: &ShownPassage, values: Values) -> Value {
    json!({
        "proc": &*passage.proc,
        "statements": passage.statements,
        "steps": steps(&passage.steps, values),
    })
}

fn steps(steps: &[ShownStep], values: Values) -> Value {
    let mut told = Told::default();
    let mut given = |it: &ShownStep| -> Map<String, Value> {
        match values {
            Values::All => {
                it.values.iter().map(|it| (it.name.to_string(), it.value.into())).collect()
            }
            Values::Changes => {
                let news = told.news(it).into_iter();
                news.map(|(name, value)| (name.to_string(), value.into())).collect()
            }
        }
    };
    steps.iter().map(|it| step(it, given(it))).collect()
}

fn step(step: &ShownStep, mut values: Map<String, Value>) -> Value {
    values.extend(step.counts.iter().map(|(place, n)| (place.clone(), json!(n))));
    let mut object = json!({
        "thread": step.thread,
        "depth": step.depth,
        "proc": &*step.proc,
        "line": step.line,
        "text": step.text,
        "values": values,
    });
    if let Some(ShownOver { passage, statements }) = step.over {
        object["over"] = json!({ "passage": passage, "statements": statements });
    }
    object
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
    let file = place.file.as_deref().unwrap_or(file);
    json!({ "file": file, "line": place.line, "what": place.what })
}

fn invariant(file: &str, it: &Invariant) -> Value {
    json!({
        "file": it.file.as_deref().unwrap_or(file),
        "line": it.line,
        "proc": it.proc.as_deref(),
        "at": it.at,
        "holds": it.holds,
    })
}

fn goal(file: &str, at: &ShownGoal) -> Value {
    let mut goal = place(file, &at.place);
    goal["proc"] = json!(&*at.proc);
    goal["reachable"] = json!(at.reachable);
    goal["reached"] = json!(at.reached);
    goal["confirmed"] = json!(at.confirmed);
    goal
}

fn stats(outcome: &Outcome) -> Value {
    let mut stats = Map::new();
    stats.insert("time_ms".into(), json!(outcome.time.as_micros() as f64 / 1000.0));
    let cpu = ProcessTime::now().as_duration();
    stats.insert("cpu_ms".into(), json!(cpu.as_micros() as f64 / 1000.0));
    stats.insert("peak_memory_bytes".into(), json!(memory::peak_bytes()));
    for (name, value) in outcome.stats.iter() {
        stats.insert(name.into(), json!(value));
    }
    Value::Object(stats)
}
