//! A trace of several threads on a wide terminal: one column a thread, time runs downwards.

use std::fmt::Write;

use super::human::{DIM, clip, indented};
use super::values::values;
use crate::shown::ShownStep;

/// A lane needs so many columns to be of use.
const NARROWEST: usize = 26;
/// The column of line numbers, and the space behind it.
const MARGIN: usize = 9;

/// The lanes in so many columns; `None` if there is one thread only, or not enough room.
pub fn lanes(steps: &[ShownStep], columns: usize) -> Option<String> {
    let mut threads: Vec<u32> = steps.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let width = columns.saturating_sub(MARGIN) / threads.len().max(1);
    if threads.len() < 2 || width < NARROWEST {
        return None;
    }
    let mut out = String::new();
    let heads: String =
        threads.iter().map(|it| format!("{:width$}", format!("thread {it}"))).collect();
    writeln!(out, "{DIM}   line  {}{DIM:#}", heads.trim_end()).expect("writing to a string");
    for (i, step) in steps.iter().enumerate() {
        let lane = threads.iter().position(|&it| it == step.thread).expect("it was collected");
        let before = MARGIN + lane * width;
        let line = step.line.map(|line| line.to_string()).unwrap_or_default();
        let text = clip(&indented(step), width - 2);
        let room = before - MARGIN;
        write!(out, "{line:>7}  {:room$}{text}", "").expect("writing to a string");
        let values = values(step, i + 1 == steps.len());
        let used = text.chars().count() + 2 + values.chars().count();
        if values.is_empty() {
            out.push('\n');
        } else if used + 2 <= width || lane + 1 == threads.len() && used <= width {
            writeln!(out, "  {DIM}{values}{DIM:#}").expect("writing to a string");
        } else {
            let values = clip(&values, width - 4);
            writeln!(out, "\n{:before$}  {DIM}{values}{DIM:#}", "").expect("writing to a string");
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{DIM, lanes};
    use crate::shown::{ShownStep, ShownValue};

    fn step(thread: u32, line: u32, text: &str, values: &[(&str, bool)]) -> ShownStep {
        let value = |&(name, value): &(&str, bool)| ShownValue {
            name: name.into(),
            value,
            is_shared: true,
            matters: true,
        };
        ShownStep {
            thread,
            depth: 0,
            proc: "main".into(),
            line: Some(line),
            text: text.into(),
            values: values.iter().map(value).collect(),
            counts: Vec::new(),
            over: None,
        }
    }

    #[test]
    fn each_thread_has_its_column() {
        let steps = [
            step(0, 3, "start_thread f();", &[]),
            step(2, 11, "a := T;", &[("a", false)]),
            step(0, 4, "assert(!a);", &[("a", true), ("a_rather_long_name", true)]),
        ];
        let text = lanes(&steps, 70).expect("there is room");
        let plain = text.replace(&format!("{DIM}"), "").replace(&format!("{DIM:#}"), "");
        let expected = "   line  thread 0                      thread 2\n      \
                        3  start_thread f();\n     \
                        11                                a := T;  a=0\n      \
                        4  assert(!a);\n           \
                        a=1 a_rather_long_name=1\n";
        assert_eq!(plain, expected);
        assert_eq!(lanes(&steps, 60), None);
        assert_eq!(lanes(&steps[..1], 200), None);
    }
}
