//! The run of a C program for people: line, and what happens, indented by calls.

use std::fmt::Write;

use super::human::DIM;
use crate::c::{Run, RunStep};

/// Of the beginning and of the end of a long run, as many steps are shown each.
const SHOWN: usize = 60;
/// What functions without a body did is shown up to so many times.
const CAUSES: usize = 6;

pub(super) fn run(out: &mut String, run: &Run) {
    writeln!(out, "{DIM}   line  what happens{DIM:#}").expect("writing to a string");
    let n = run.steps.len();
    let is_one_file = run.steps.iter().all(|it| it.file == run.steps[0].file);
    let n_first = if n > 2 * SHOWN { SHOWN } else { n };
    run.steps[..n_first].iter().for_each(|it| step(out, it, is_one_file));
    if n > n_first {
        let left_out = n - 2 * SHOWN + run.n_left_out;
        writeln!(out, "{DIM}      …  {left_out} steps not shown{DIM:#}")
            .expect("writing to a string");
        run.steps[n - SHOWN..].iter().for_each(|it| step(out, it, is_one_file));
    }
    if !run.depends_on.is_empty() {
        let shown: Vec<&str> = run.depends_on.iter().take(CAUSES).map(String::as_str).collect();
        let more = if run.depends_on.len() > CAUSES { ", …" } else { "" };
        writeln!(out, "\n  depends on: {}{more}", shown.join(", ")).expect("writing to a string");
    }
}

fn step(out: &mut String, step: &RunStep, is_one_file: bool) {
    let indent = "  ".repeat(step.depth.min(20));
    let at = match is_one_file {
        true => step.line.to_string(),
        false => format!("{}:{}", step.file.rsplit('/').next().unwrap_or_default(), step.line),
    };
    writeln!(out, "{at:>7}  {indent}{}", step.text).expect("writing to a string");
}
