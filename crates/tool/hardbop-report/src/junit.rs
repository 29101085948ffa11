//! JUnit's XML, as build servers read it: a suite for each program, a case for each thing that was asked.
//!
//! What is violated is a failure; what stays unknown is an error, as the exit code is not 0 either; what was
//! not looked at because something else is violated is skipped.

use std::fmt::Write;

use crate::record::{Place, Property, Record, Trace, Verdict};

/// Steps of a trace that are told, from its end.
const SHOWN: usize = 200;

/// How a case ended, with a message and a text.
enum Ending {
    Passed,
    Failure(String, String),
    Error(String, String),
    Skipped(String),
}

struct Case {
    name: String,
    ending: Ending,
}

/// All results.
pub fn document(records: &[Record]) -> String {
    let suites: Vec<_> = records.iter().map(|it| (it, cases(it))).collect();
    let all = || suites.iter().flat_map(|it| &it.1);
    // The sum of nothing is otherwise minus zero.
    let seconds: f64 = records.iter().map(seconds).fold(0.0, |sum, it| sum + it);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    writeln!(out, "<testsuites name=\"hardbop\" {} time=\"{seconds:.3}\">", counts(all()))
        .expect("a string");
    for (record, cases) in &suites {
        let (name, time) = (escaped(&record.file), self::seconds(record));
        let counts = format!("{} skipped=\"{}\"", counts(cases.iter()), skipped(cases));
        writeln!(out, "  <testsuite name=\"{name}\" {counts} time=\"{time:.3}\">")
            .expect("a string");
        cases.iter().for_each(|it| case(&mut out, record, it));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn seconds(record: &Record) -> f64 {
    record.stats.get("time_ms").and_then(serde_json::Value::as_f64).unwrap_or(0.0) / 1000.0
}

fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut n, mut failures, mut errors) = (0, 0, 0);
    for it in cases {
        n += 1;
        failures += usize::from(matches!(it.ending, Ending::Failure(..)));
        errors += usize::from(matches!(it.ending, Ending::Error(..)));
    }
    format!("tests=\"{n}\" failures=\"{failures}\" errors=\"{errors}\"")
}

fn skipped(cases: &[Case]) -> usize {
    cases.iter().filter(|it| matches!(it.ending, Ending::Skipped(_))).count()
}

/// Of a C program each check, of an exhaustive run each place, otherwise the one question.
fn cases(record: &Record) -> Vec<Case> {
    if !record.properties.is_empty() {
        let case = |it: &Property| Case {
            name: format!("{}:{} {}: {}", it.file, it.line, it.class, it.message),
            ending: of_property(record, it),
        };
        return record.properties.iter().map(case).collect();
    }
    if !record.goals.is_empty() {
        let case = |it: &crate::record::Goal| {
            let at = it.line.map(|line| format!(":{line}")).unwrap_or_default();
            let name = format!("{}{at} {} in {}", it.file, it.what, it.proc);
            let ending = match (record.verdict, it.reachable) {
                (_, true) => Ending::Failure(format!("{} can be violated", it.what), told(record)),
                (Verdict::Safe | Verdict::Unsafe, false) => Ending::Passed,
                _ => Ending::Error(record.headline(), String::new()),
            };
            Case { name, ending }
        };
        return record.goals.iter().map(case).collect();
    }
    let name = record.goal.clone().unwrap_or_else(|| "check".into());
    let ending = match record.verdict {
        Verdict::Safe => Ending::Passed,
        Verdict::Unsafe => Ending::Failure(record.headline(), told(record)),
        Verdict::Unknown | Verdict::Rejected | Verdict::Error => {
            let lines = record.diagnostics.iter().map(|it| {
                let line = it.line.map(|line| format!(":{line}")).unwrap_or_default();
                format!("{}{line}: {}: {}\n", it.file, it.severity, it.message)
            });
            Ending::Error(record.headline(), lines.collect())
        }
    };
    vec![Case { name, ending }]
}

fn of_property(record: &Record, property: &Property) -> Ending {
    match property.verdict {
        Verdict::Safe => Ending::Passed,
        Verdict::Unsafe => {
            let is_shown = record.shown_property().is_some_and(|it| std::ptr::eq(it, property));
            let text = if is_shown { told(record) } else { String::new() };
            Ending::Failure(property.message.clone(), text)
        }
        _ if property.reason.as_deref() == Some("stopped") => {
            Ending::Skipped("the search ended with another violation".into())
        }
        _ => {
            let why = property.detail.as_deref().or(property.reason.as_deref());
            Ending::Error(format!("unknown: {}", why.unwrap_or("no reason")), String::new())
        }
    }
}

/// The trace as lines.
fn told(record: &Record) -> String {
    let mut out = String::new();
    if let Some(Place { file, line: Some(line), what }) = &record.violation {
        writeln!(out, "{file}:{line}: {what}").expect("a string");
    }
    let Some(Trace { steps, .. }) = &record.trace else { return out };
    let left_out = steps.len().saturating_sub(SHOWN);
    if left_out > 0 {
        writeln!(out, "{left_out} steps before are not shown").expect("a string");
    }
    for step in &steps[left_out..] {
        let line = step.line.map(|it| it.to_string()).unwrap_or_default();
        let indent = "  ".repeat(step.depth.min(20) as usize);
        writeln!(out, "thread {} line {line:>5}  {indent}{}", step.thread, step.text)
            .expect("a string");
    }
    out
}

fn case(out: &mut String, record: &Record, case: &Case) {
    let (name, class) = (escaped(&case.name), escaped(&record.file));
    let open = format!("    <testcase name=\"{name}\" classname=\"{class}\"");
    let inner = match &case.ending {
        Ending::Passed => {
            writeln!(out, "{open}/>").expect("a string");
            return;
        }
        Ending::Failure(message, text) => element("failure", "unsafe", message, text),
        Ending::Error(message, text) => {
            element("error", &record.verdict.to_string(), message, text)
        }
        Ending::Skipped(message) => format!("<skipped message=\"{}\"/>", escaped(message)),
    };
    writeln!(out, "{open}>\n      {inner}\n    </testcase>").expect("a string");
}

fn element(name: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, text) = (escaped(message), escaped(text));
    format!("<{name} type=\"{kind}\" message=\"{message}\">{text}</{name}>")
}

/// Text for an attribute or between tags; what XML 1.0 cannot say at all is the replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::document;
    use crate::record::Record;

    #[test]
    fn what_is_not_known_is_no_success() {
        let property = |line: u64, verdict: &str, reason: Option<&str>| {
            json!({ "file": "a.c", "line": line, "class": "null", "message": "`p` < 1", "verdict": verdict,
                "reason": reason })
        };
        let object = json!({ "schema": "hardbop.result/1", "file": "a.c", "verdict": "unsafe",
            "violation": { "file": "a.c", "line": 2, "what": "null: `p` < 1" },
            "properties": [property(1, "safe", None), property(2, "unsafe", None),
                property(3, "unknown", Some("stopped")), property(4, "unknown", Some("bounded"))] });
        let text = document(&[Record::of(&object).unwrap()]);
        assert!(text.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""), "{text}");
        assert!(text.contains("message=\"`p` &lt; 1\">a.c:2: null"), "{text}");
        assert!(text.contains("<error type=\"unsafe\" message=\"unknown: bounded\">"), "{text}");
    }

    #[test]
    fn a_rejected_file_is_an_error() {
        let object = json!({ "schema": "hardbop.result/1", "file": "a\u{1}.bp", "verdict": "rejected",
            "reason": "input", "detail": "no" });
        let text = document(&[Record::of(&object).unwrap()]);
        assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{text}");
        assert!(text.contains("name=\"a\u{fffd}.bp\""), "{text}");
    }
}
