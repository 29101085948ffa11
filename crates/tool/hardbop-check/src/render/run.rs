//! The run of a C program for people: line, and what happens, indented by calls.

use std::fmt::Write;

use super::human::{DIM, clip};
use crate::c::{Happening, Run, RunStep};

/// Of the beginning and of the end of a long run, as many steps are shown each.
const SHOWN: usize = 60;
/// Inputs and assignments at one place, in a row, from which on some are left out; and those that are not.
const ALIKE: usize = 8;
const ALIKE_FIRST: usize = 3;
const ALIKE_LAST: usize = 2;
/// What functions without a body did is shown up to so many times.
const CAUSES: usize = 6;

/// A column of a thread needs so much room to be of use, and the line numbers before it.
const NARROWEST: usize = 26;
const MARGIN: usize = 9;

/// In enough columns, each thread has its own.
pub(super) fn run(out: &mut String, run: &Run, columns: Option<usize>) {
    let shape = Shape::of(run, columns);
    writeln!(out, "{DIM}   line  {}{DIM:#}", shape.head()).expect("writing to a string");
    let lines = match run.n_left_out {
        0 => folded(&run.steps),
        // Where something is left out already, that is where the others are, too.
        _ => run.steps.iter().map(Line::Step).collect(),
    };
    let n = lines.len();
    let n_first = if n > 2 * SHOWN { SHOWN } else { n };
    lines[..n_first].iter().for_each(|it| line(out, it, &shape));
    if n > n_first {
        let hidden = lines[n_first..n - SHOWN].iter().map(Line::n_steps).sum::<usize>();
        line(out, &Line::NotShown(hidden + run.n_left_out), &shape);
        lines[n - SHOWN..].iter().for_each(|it| line(out, it, &shape));
    }
    if !run.depends_on.is_empty() {
        let shown: Vec<&str> = run.depends_on.iter().take(CAUSES).map(String::as_str).collect();
        let more = if run.depends_on.len() > CAUSES { ", …" } else { "" };
        writeln!(out, "\n  depends on: {}{more}", shown.join(", ")).expect("writing to a string");
    }
}

enum Line<'a> {
    Step(&'a RunStep),
    NotShown(usize),
}

impl Line<'_> {
    fn n_steps(&self) -> usize {
        match self {
            Line::Step(_) => 1,
            Line::NotShown(n) => *n,
        }
    }
}

/// Bytes that the library reads and writes one after the other are told by the first and the last of them.
fn folded(steps: &[RunStep]) -> Vec<Line<'_>> {
    let is_detail = |it: &RunStep| matches!(it.kind, Happening::Input | Happening::Assign);
    let place = |it: &RunStep| (it.thread, it.depth, it.line);
    let together = |a: &RunStep, b: &RunStep| {
        is_detail(a) && is_detail(b) && place(a) == place(b) && a.file == b.file
    };
    let mut lines = Vec::new();
    for group in steps.chunk_by(together) {
        let n = group.len();
        if n <= ALIKE {
            lines.extend(group.iter().map(Line::Step));
            continue;
        }
        lines.extend(group[..ALIKE_FIRST].iter().map(Line::Step));
        lines.push(Line::NotShown(n - ALIKE_FIRST - ALIKE_LAST));
        lines.extend(group[n - ALIKE_LAST..].iter().map(Line::Step));
    }
    lines
}

/// How steps are laid out.
struct Shape {
    is_one_file: bool,
    n_threads: usize,
    /// Of each thread's column, if they have any.
    width: Option<usize>,
}

impl Shape {
    fn of(run: &Run, columns: Option<usize>) -> Shape {
        let is_one_file = run.steps.iter().all(|it| it.file == run.steps[0].file);
        let n_threads = run.steps.iter().map(|it| it.thread as usize + 1).max().unwrap_or(1);
        let width = columns.map(|it| it.saturating_sub(MARGIN) / n_threads);
        let width = width.filter(|&it| n_threads > 1 && is_one_file && it >= NARROWEST);
        Shape { is_one_file, n_threads, width }
    }

    fn head(&self) -> String {
        let Some(width) = self.width else { return "what happens".into() };
        let heads = (0..self.n_threads).map(|it| format!("{:width$}", format!("thread {it}")));
        heads.collect::<String>().trim_end().into()
    }
}

fn line(out: &mut String, line: &Line, shape: &Shape) {
    let step = match line {
        Line::Step(step) => step,
        Line::NotShown(n) => {
            let text = format!("{DIM}      …  {n} steps not shown{DIM:#}");
            return writeln!(out, "{text}").expect("writing to a string");
        }
    };
    let indent = "  ".repeat(step.depth.min(20));
    let at = match shape.is_one_file {
        true => step.line.to_string(),
        false => format!("{}:{}", step.file.rsplit('/').next().unwrap_or_default(), step.line),
    };
    let text = match shape.width {
        // What goes wrong is told whole.
        Some(width) if step.kind == Happening::Violation => {
            format!("{:1$}{2}", "", (step.thread as usize * width).min(width), step.text)
        }
        Some(width) => {
            let text = clip(&format!("{indent}{}", step.text), width - 2);
            format!("{:1$}{text}", "", step.thread as usize * width)
        }
        None if shape.n_threads > 1 => format!("thread {}: {indent}{}", step.thread, step.text),
        None => format!("{indent}{}", step.text),
    };
    writeln!(out, "{at:>7}  {text}").expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::{DIM, run};
    use crate::c::{Happening, Run, RunStep};

    fn step(thread: u32, line: u32, text: &str) -> RunStep {
        let (func, file, text) = ("f".into(), "a.c".into(), text.into());
        let (kind, value, object) = (Happening::Assign, None, None);
        RunStep { thread, depth: 0, func, file, line, text, kind, value, object }
    }

    #[test]
    fn bytes_in_a_row_are_told_by_the_first_and_the_last() {
        let mut steps: Vec<RunStep> =
            (0..9).map(|it| step(0, 3, &format!("text[{it}] = 1"))).collect();
        steps.push(step(0, 4, "x = 1"));
        let (depends_on, null_results, turns) = (Vec::new(), Vec::new(), Vec::new());
        let mut told = Run { steps, n_left_out: 0, depends_on, null_results, turns };
        let shown = |told: &Run| {
            let mut out = String::new();
            run(&mut out, told, None);
            out.lines().skip(1).map(|it| it.trim().to_string()).collect::<Vec<_>>()
        };
        let lines = shown(&told);
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(lines[3].contains("4 steps not shown"), "{lines:?}");
        assert_eq!(lines[4..], ["3  text[7] = 1", "3  text[8] = 1", "4  x = 1"]);
        told.steps.remove(0);
        assert_eq!(shown(&told).len(), 9);
    }

    #[test]
    fn each_thread_has_its_column() {
        let steps = vec![step(0, 3, "x = 1"), step(1, 14, "y = 2")];
        let (depends_on, null_results, turns) = (Vec::new(), Vec::new(), Vec::new());
        let told = Run { steps, n_left_out: 0, depends_on, null_results, turns };
        let text = |columns| {
            let mut out = String::new();
            run(&mut out, &told, columns);
            out.replace(&format!("{DIM}"), "").replace(&format!("{DIM:#}"), "")
        };
        let lanes = "   line  thread 0                  thread 1\n      3  x = 1\n     14                            y = 2\n";
        assert_eq!(text(Some(61)), lanes);
        let plain = "   line  what happens\n      3  thread 0: x = 1\n     14  thread 1: y = 2\n";
        assert_eq!(text(Some(60)), plain);
        assert_eq!(text(None), plain);
    }
}
