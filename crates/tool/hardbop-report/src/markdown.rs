//! A result for a comment, a wiki or a step summary: the verdict, what it rests on, the trace as a table.

use std::fmt::Write;

use crate::record::{Record, Trace, Verdict};

/// Of the beginning and of the end of a long trace, as many steps are shown each.
const SHOWN: usize = 100;

/// The report of one result.
pub fn report(record: &Record) -> String {
    let mut out = String::new();
    let word = record.verdict.to_string().to_uppercase();
    say(&mut out, format_args!("## {word}: {}", escaped(&record.file)));
    say(&mut out, format_args!("\n{}.", escaped(&record.headline())));
    if let Some(Some(line)) = record.violation.as_ref().map(|it| it.line) {
        let file = record.violation.as_ref().map_or("", |it| &it.file);
        say(&mut out, format_args!("\n{}:{line}", escaped(file)));
    }
    let confirmed = match (record.verdict, record.certified) {
        (Verdict::Unsafe, true) => ", the trace was replayed",
        (Verdict::Safe, true) => ", the proof was checked by separate code",
        (Verdict::Safe | Verdict::Unsafe, false) => ", not certified",
        _ => "",
    };
    if !record.engine.is_empty() {
        say(&mut out, format_args!("\nEngine `{}`{confirmed}.", record.engine));
    }
    properties(&mut out, record);
    if let Some(it) = &record.trace {
        trace(&mut out, it);
    }
    for (title, list) in [("Assumed", &record.assumptions), ("Take note", &record.warnings)] {
        if !list.is_empty() {
            say(&mut out, format_args!("\n### {title}\n"));
            list.iter().for_each(|it| say(&mut out, format_args!("* {}", escaped(it))));
        }
    }
    out.push('\n');
    out
}

fn say(out: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(out, "{words}").expect("a string");
}

fn properties(out: &mut String, record: &Record) {
    let violated: Vec<_> =
        record.properties.iter().filter(|it| it.verdict == Verdict::Unsafe).collect();
    if record.properties.is_empty() {
        return;
    }
    let count = |verdict| record.properties.iter().filter(|it| it.verdict == verdict).count();
    let (safe, unknown) = (count(Verdict::Safe), count(Verdict::Unknown));
    say(out, format_args!("\n{} violated, {safe} safe, {unknown} unknown.", violated.len()));
    if violated.is_empty() {
        return;
    }
    say(out, format_args!("\n| place | class | violated |\n|---|---|---|"));
    for it in violated {
        let (file, message) = (escaped(&it.file), escaped(&it.message));
        say(out, format_args!("| {file}:{} | {} | {message} |", it.line, it.class));
    }
}

fn trace(out: &mut String, trace: &Trace) {
    let has_threads = trace.threads().len() > 1;
    let (head, rule) = if has_threads { ("| thread ", "|---:") } else { ("", "") };
    say(out, format_args!("\n### Trace\n\n| step {head}| line | statement | values |"));
    say(out, format_args!("|---:{rule}|---:|---|---|"));
    let n = trace.steps.len();
    for (at, step) in trace.steps.iter().enumerate() {
        if n > 2 * SHOWN && at == SHOWN {
            let left_out = (n - 2 * SHOWN) as u64 + trace.left_out;
            say(
                out,
                format_args!(
                    "\n{left_out} steps not shown.\n\n| step {head}| line | statement | values |"
                ),
            );
            say(out, format_args!("|---:{rule}|---:|---|---|"));
        }
        if n > 2 * SHOWN && (SHOWN..n - SHOWN).contains(&at) {
            continue;
        }
        let thread = if has_threads { format!("| {} ", step.thread) } else { String::new() };
        let line = step.line.map(|it| it.to_string()).unwrap_or_default();
        let values: Vec<_> =
            step.shown_values().map(|(name, value)| format!("{name}={value}")).collect();
        let indent = "&nbsp;&nbsp;".repeat(step.depth.min(20) as usize);
        say(
            out,
            format_args!(
                "| {} {thread}| {line} | {indent}{} | {} |",
                at + 1,
                code(&step.text),
                code(&values.join(" "))
            ),
        );
    }
}

/// In a cell of a table and as code: a bar would end the cell, a backtick the code.
fn code(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = if text.contains('`') { "``" } else { "`" };
    format!("{fence} {} {fence}", text.replace('|', "\\|"))
}

/// Text that is neither markup nor the end of a cell.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::report;
    use crate::record::Record;

    #[test]
    fn names_are_text_and_threads_a_column() {
        let step = |thread: u64, text: &str| json!({ "thread": thread, "depth": 1, "proc": "f", "line": 4, "text": text, "values": { "a": true } });
        let object = json!({ "schema": "hardbop.result/1", "file": "<img>.bp", "verdict": "unsafe",
            "engine": "bdd", "certified": true,
            "violation": { "file": "<img>.bp", "line": 4, "what": "assertion" },
            "trace": { "steps": [step(0, "a | b"), step(1, "`x`")] } });
        let text = report(&Record::of(&object).unwrap());
        assert!(text.starts_with("## UNSAFE: &lt;img&gt;.bp\n"), "{text}");
        assert!(text.contains("| 1 | 0 | 4 | &nbsp;&nbsp;` a \\| b ` | ` a=1 ` |\n"), "{text}");
        assert!(text.contains("| 2 | 1 | 4 | &nbsp;&nbsp;`` `x` `` |"), "{text}");
    }
}
