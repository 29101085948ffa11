//! A trace as a sequence chart in the notation of Mermaid: a lane for each thread, or for each procedure
//! where there is one thread only.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::record::{Record, Step, Trace};

/// More steps than this and no browser draws it: the beginning and the end are shown.
const MOST: usize = 200;

/// The chart; a result without a trace is a chart with a note.
pub fn chart(record: &Record) -> String {
    let mut out = String::from("sequenceDiagram\n");
    let Some(trace) = &record.trace else {
        let note = escaped(&format!("{}: {}", record.file, record.headline()));
        writeln!(out, "    participant P0 as {}", escaped(&record.verdict.to_string()))
            .expect("a string");
        writeln!(out, "    Note over P0: {note}\n").expect("a string");
        return out;
    };
    let lanes = Lanes::of(trace);
    for (at, name) in lanes.names.iter().enumerate() {
        writeln!(out, "    participant P{at} as {}", escaped(name)).expect("a string");
    }
    let n = trace.steps.len();
    let mut before = None;
    for (at, step) in trace.steps.iter().enumerate() {
        if n > MOST && at == MOST / 2 {
            let left_out = n - MOST;
            writeln!(out, "    Note over P0: {left_out} steps not shown").expect("a string");
        }
        if n > MOST && (MOST / 2..n - MOST / 2).contains(&at) {
            continue;
        }
        let lane = lanes.of_step(step);
        if let Some(from) = before.filter(|&from| from != lane) {
            let arrow = if lanes.is_by_thread { "-->>" } else { "->>" };
            writeln!(out, "    P{from}{arrow}P{lane}: step {}", at + 1).expect("a string");
        }
        let line = step.line.map(|it| format!("{it}: ")).unwrap_or_default();
        writeln!(out, "    Note over P{lane}: {line}{}", escaped(&step.text)).expect("a string");
        before = Some(lane);
    }
    out.push('\n');
    out
}

/// Who has a lane.
struct Lanes {
    names: Vec<String>,
    is_by_thread: bool,
    threads: BTreeMap<u64, usize>,
    procs: BTreeMap<String, usize>,
}

impl Lanes {
    fn of(trace: &Trace) -> Lanes {
        let threads = trace.threads();
        let is_by_thread = threads.len() > 1;
        let (mut names, mut procs) = (Vec::new(), BTreeMap::new());
        if is_by_thread {
            names.extend(threads.iter().map(|it| format!("thread {it}")));
        } else {
            for step in &trace.steps {
                procs.entry(step.proc.clone()).or_insert_with(|| {
                    names.push(if step.proc.is_empty() { "·".into() } else { step.proc.clone() });
                    names.len() - 1
                });
            }
        }
        let threads = threads.into_iter().zip(0..).collect();
        Lanes { names, is_by_thread, threads, procs }
    }

    fn of_step(&self, step: &Step) -> usize {
        match self.is_by_thread {
            true => self.threads[&step.thread],
            false => self.procs[&step.proc],
        }
    }
}

/// Characters that mean something to Mermaid, or to the page it draws on, by their number.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | ';' | ':' | '<' | '>' | '&' | '"' | '%' | '{' | '}' => {
                write!(out, "#{};", u32::from(c)).expect("a string");
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::chart;
    use crate::record::Record;

    fn of(steps: serde_json::Value) -> String {
        let object = json!({ "schema": "hardbop.result/1", "file": "a.bp", "verdict": "unsafe",
            "trace": { "steps": steps } });
        chart(&Record::of(&object).unwrap())
    }

    fn step(thread: u64, proc: &str, text: &str) -> serde_json::Value {
        json!({ "thread": thread, "depth": 0, "proc": proc, "line": 1, "text": text, "values": {} })
    }

    #[test]
    fn threads_have_lanes_and_switches_are_arrows() {
        let text =
            of(json!([step(0, "main", "a := T;"), step(2, "f", "skip;"), step(0, "main", "<b>")]));
        assert_eq!(
            text,
            "sequenceDiagram\n    participant P0 as thread 0\n    participant P1 as thread 2\n    \
             Note over P0: 1: a #58;= T#59;\n    P0-->>P1: step 2\n    Note over P1: 1: skip#59;\n    \
             P1-->>P0: step 3\n    Note over P0: 1: #60;b#62;\n\n"
        );
    }

    #[test]
    fn one_thread_has_a_lane_for_each_procedure() {
        let text = of(json!([step(0, "main", "f()"), step(0, "f", "skip"), step(0, "main", "x")]));
        assert!(text.contains("participant P1 as f\n"), "{text}");
        assert!(text.contains("P0->>P1: step 2\n") && text.contains("P1->>P0: step 3\n"), "{text}");
    }

    #[test]
    fn the_middle_of_a_long_trace_is_counted() {
        let steps: Vec<_> = (0..1000).map(|_| step(0, "main", "skip")).collect();
        let text = of(json!(steps));
        assert!(text.contains("800 steps not shown"), "{text}");
        assert_eq!(text.matches("skip").count(), 200);
    }
}
