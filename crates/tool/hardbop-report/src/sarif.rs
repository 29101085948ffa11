//! SARIF 2.1.0 (OASIS): one log for all programs. A counterexample is a code flow with a thread flow for each
//! thread; the order of execution goes across them.
//!
//! Only violations are results: a viewer shows every result as an alert. What is unknown or no program is a
//! notification of the run, what is safe is listed in its properties.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::record::{Record, Step, Trace, Verdict, Violated};
use crate::uri::uri;
use hardbop_base::sha256;

/// A flow of more steps is cut to its end; viewers take no more.
const MOST_STEPS: usize = 1_000;

/// The log.
pub fn log(records: &[Record]) -> String {
    let alerts: Vec<(&Record, Violated<'_>)> = records
        .iter()
        .flat_map(|it| it.violated().into_iter().map(move |alert| (it, alert)))
        .collect();
    let mut rules: Vec<&str> = alerts.iter().map(|it| it.1.class).collect();
    rules.sort_unstable();
    rules.dedup();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> =
        alerts.iter().map(|(record, alert)| result(record, alert, &rules, &mut seen)).collect();
    let failed = |it: &&Record| matches!(it.verdict, Verdict::Rejected | Verdict::Error);
    let verdicts: Vec<Value> = records
        .iter()
        .map(|it| json!({ "file": it.file, "verdict": it.verdict.to_string(), "certified": it.certified }))
        .collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Hardbop",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|it| rule(it)).collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": !records.iter().any(|it| failed(&it)),
                "toolExecutionNotifications":
                    records.iter().flat_map(notifications).collect::<Vec<_>>(),
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdicts": verdicts },
        }],
    });
    format!("{log}\n")
}

/// What a rule is about, and why it matters.
fn rule(id: &str) -> Value {
    let (short, help) = match id {
        "assert" | "assertion" => (
            "An assertion fails",
            "The trace shows a run in which the asserted condition is false.",
        ),
        "label" => ("An error label is reached", "The trace shows a run that comes to the label."),
        "target" => {
            ("A target is covered", "The run shows how the net comes to a state above the target.")
        }
        "bounds" => (
            "An access outside of an object",
            "The address lies outside of the object it was made from, or of the array the member was declared as.",
        ),
        "null" => ("A null pointer is followed", "The pointer is null where it is followed."),
        "dangling" => (
            "An object that is gone is accessed",
            "The object was freed, or its block was left, before the access.",
        ),
        "div" => {
            ("A division by zero", "The divisor is zero, or the quotient does not fit its type.")
        }
        "overflow" => (
            "Signed arithmetic overflows",
            "The result does not fit its type, which C leaves undefined.",
        ),
        "shift" => (
            "A shift by too much",
            "The distance is negative, or not smaller than the width of the operand.",
        ),
        "uninit" => ("A value is used before it is given", "The object was never written."),
        "free" => (
            "What is freed cannot be freed",
            "The pointer is not one that an allocation returned, or it was freed before.",
        ),
        "leak" => {
            ("Memory is lost", "Nothing points to the object any more, and it was not freed.")
        }
        "cleanup" => (
            "Memory is not freed at the end",
            "The object was allocated and never freed, whether or not something points to it.",
        ),
        "lock" => {
            ("A lock is used wrongly", "The lock is taken twice, or given back without being held.")
        }
        "unreachable" => {
            ("What is said to be unreachable is reached", "The trace shows a run that comes here.")
        }
        _ => ("A property is violated", "The trace shows a run that violates it."),
    };
    json!({
        "id": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": format!("{short}. {help}") },
        "help": {
            "text": format!("{help} The counterexample was replayed by separate code before it was reported. Follow the code flow: each step has the values of its variables."),
        },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(
    record: &Record,
    alert: &Violated<'_>,
    rules: &[&str],
    seen: &mut BTreeMap<String, usize>,
) -> Value {
    // A line that moves is the same finding; a second one with the same words is another.
    let words = format!("{}\n{}\n{}", alert.class, alert.file, alert.message);
    let nth = seen.entry(words.clone()).or_default();
    let print = sha256::hex(format!("{words}\n{nth}").as_bytes());
    *nth += 1;
    let mut result = json!({
        "ruleId": alert.class,
        "ruleIndex": rules.iter().position(|it| *it == alert.class),
        "level": "error",
        "kind": "fail",
        "message": { "text": alert.message },
        "locations": [location(alert.file, alert.line, None)],
        "partialFingerprints": { "hardbop/v1": print },
        "properties": { "certified": record.certified, "engine": record.engine },
    });
    if let Some(trace) = record.trace.as_ref().filter(|it| alert.is_shown && !it.steps.is_empty()) {
        result["codeFlows"] = json!([flow(record, trace)]);
    }
    result
}

fn location(file: &str, line: Option<u64>, message: Option<&str>) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line.unwrap_or(1).max(1) },
        },
    });
    if let Some(text) = message {
        location["message"] = json!({ "text": text });
    }
    location
}

fn flow(record: &Record, trace: &Trace) -> Value {
    let left_out = trace.steps.len().saturating_sub(MOST_STEPS);
    let steps = trace.steps.iter().enumerate().skip(left_out);
    let mut threads: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for (at, step) in steps {
        threads.entry(step.thread).or_default().push(moment(record, at, step));
    }
    let flows: Vec<Value> = threads
        .into_iter()
        .map(|(thread, locations)| {
            json!({
                "id": format!("thread {thread}"),
                "message": { "text": format!("thread {thread}") },
                "locations": locations,
            })
        })
        .collect();
    let left_out = left_out as u64 + trace.left_out;
    let message = match left_out {
        0 => "A run that shows it".to_string(),
        n => format!("A run that shows it; {n} steps are left out"),
    };
    json!({ "message": { "text": message }, "threadFlows": flows })
}

fn moment(record: &Record, at: usize, step: &Step) -> Value {
    let file = step.file.as_deref().unwrap_or(&record.file);
    let state: serde_json::Map<String, Value> =
        step.shown_values().map(|(name, value)| (name.into(), json!({ "text": value }))).collect();
    json!({
        "location": location(file, step.line, Some(&step.text)),
        "executionOrder": at + 1,
        "nestingLevel": step.depth,
        "importance": "important",
        "state": state,
    })
}

/// What a reader of the log must not take for a success.
fn notifications(record: &Record) -> Vec<Value> {
    let level = match record.verdict {
        Verdict::Safe | Verdict::Unsafe => return warnings(record),
        Verdict::Unknown => "warning",
        Verdict::Rejected | Verdict::Error => "error",
    };
    if record.diagnostics.is_empty() {
        return vec![notification(level, &record.headline(), &record.file, None)];
    }
    let told = |it: &crate::record::Diagnostic| {
        let level = if it.severity == "error" { "error" } else { "warning" };
        notification(level, &it.message, &it.file, it.line)
    };
    record.diagnostics.iter().map(told).collect()
}

fn warnings(record: &Record) -> Vec<Value> {
    record.warnings.iter().map(|it| notification("note", it, &record.file, None)).collect()
}

fn notification(level: &str, text: &str, file: &str, line: Option<u64>) -> Value {
    json!({ "level": level, "message": { "text": text }, "locations": [location(file, line, None)] })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{log, uri};
    use crate::record::Record;

    fn of(objects: &[Value]) -> Value {
        let records: Vec<_> = objects
            .iter()
            .map(|it| {
                let mut it = it.clone();
                it["schema"] = json!("hardbop.result/1");
                Record::of(&it).unwrap()
            })
            .collect();
        serde_json::from_str(&log(&records)).unwrap()
    }

    #[test]
    fn each_thread_has_its_flow_and_the_order_goes_across() {
        let step = |thread: u64, value: bool| json!({ "thread": thread, "depth": 1, "proc": "f", "line": 4, "text": "x;", "values": { "a": value } });
        let log = of(&[json!({ "file": "a b.bp", "verdict": "unsafe", "certified": true,
            "violation": { "file": "a b.bp", "line": 9, "what": "assertion" },
            "trace": { "steps": [step(0, true), step(2, false), step(0, false)] } })]);
        let result = &log["runs"][0]["results"][0];
        assert_eq!(
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "a%20b.bp"
        );
        let flows = &result["codeFlows"][0]["threadFlows"];
        assert_eq!(flows[0]["locations"][1]["executionOrder"], 3);
        assert_eq!(flows[1]["id"], "thread 2");
        assert_eq!(flows[1]["locations"][0]["executionOrder"], 2);
        assert_eq!(flows[1]["locations"][0]["state"]["a"]["text"], "0");
        assert_eq!(flows[1]["locations"][0]["nestingLevel"], 1);
    }

    #[test]
    fn a_fingerprint_outlives_a_move_and_tells_twins_apart() {
        let at = |lines: &[u64]| {
            let property = |line: &u64| json!({ "file": "a.c", "line": line, "class": "null", "message": "`p`", "verdict": "unsafe" });
            let properties: Vec<_> = lines.iter().map(property).collect();
            let log =
                of(&[json!({ "file": "a.c", "verdict": "unsafe", "properties": properties })]);
            let results = log["runs"][0]["results"].as_array().unwrap().clone();
            results
                .iter()
                .map(|it| it["partialFingerprints"]["hardbop/v1"].to_string())
                .collect::<Vec<_>>()
        };
        let prints = at(&[3, 8]);
        assert_ne!(prints[0], prints[1]);
        assert_eq!(prints, at(&[13, 18]));
    }

    #[test]
    fn what_is_not_decided_is_told_and_is_no_alert() {
        let log = of(&[
            json!({ "file": "a.bp", "verdict": "safe" }),
            json!({ "file": "b.bp", "verdict": "unknown", "reason": "time", "detail": "1 s" }),
        ]);
        let run = &log["runs"][0];
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        let told = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(told[0]["message"]["text"], "unknown: 1 s");
        assert_eq!(run["properties"]["verdicts"][0]["verdict"], "safe");
        let log = of(&[json!({ "file": "c.bp", "verdict": "rejected", "reason": "input" })]);
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("/a b/ü#.c"), "file:///a%20b/%C3%BC%23.c");
        assert_eq!(uri("../x.c"), "../x.c");
    }
}
