//! The report a person reads: verdict first, then why.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use hardbop_cfg::Goal;
use hardbop_engine::Verdict;

use super::lanes::lanes;
use super::values::values;
use super::{Report, properties, run};
use crate::engines::entry_named;
use crate::outcome::{Asked, Outcome, Violation};
use crate::shown::{ShownGoal, ShownOver, ShownStep};

const SAFE: Style = AnsiColor::Green.on_default().bold();
pub(super) const UNSAFE: Style = AnsiColor::Red.on_default().bold();
pub(super) const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const DIM: Style = Style::new().dimmed();

/// The report with terminal styles; whoever prints it strips them where they are not wanted. In
/// enough columns, each thread of a trace has its own.
pub fn human(report: Report<'_>, columns: Option<usize>) -> String {
    let Report { file, outcome } = report;
    let mut out = String::new();
    headline(&mut out, file, outcome);
    numbers(&mut out, outcome);
    if let Some(lacks) = &outcome.lacks {
        writeln!(out, "  {lacks}").expect("writing to a string");
    }
    for warning in &outcome.warnings {
        writeln!(out, "  {UNKNOWN}warning{UNKNOWN:#}: {warning}").expect("writing to a string");
    }
    if let Asked::Properties(_) = outcome.asked {
        properties::facts(&mut out, outcome);
        properties::properties(&mut out, outcome);
    }
    if let Some(run) = &outcome.run {
        out.push('\n');
        run::run(&mut out, run, columns);
        out.push('\n');
    }
    if let Some(trace) = &outcome.trace {
        out.push('\n');
        match columns.and_then(|columns| lanes(trace, columns)) {
            Some(lanes) => out.push_str(&lanes),
            None => steps(&mut out, trace),
        }
        if !outcome.passages.is_empty() {
            let n = outcome.passages.len();
            writeln!(
                out,
                "\n  `--trace FILE` writes what happens in the calls gone over ({n} different ones)"
            )
            .expect("writing to a string");
        }
    }
    if !outcome.goals.is_empty() {
        out.push('\n');
        goals(&mut out, &outcome.goals);
    }
    properties::coverage(&mut out, outcome);
    properties::assumptions(&mut out, outcome);
    out
}

fn headline(out: &mut String, file: &str, outcome: &Outcome) {
    let (style, word) = match outcome.verdict {
        Verdict::Safe => (SAFE, "SAFE"),
        Verdict::Unsafe(_) => (UNSAFE, "UNSAFE"),
        Verdict::Unknown(_) => (UNKNOWN, "UNKNOWN"),
    };
    let what = match &outcome.verdict {
        Verdict::Unknown(why) => {
            format!("{}: {}", why.word(), outcome.detail().unwrap_or_default())
        }
        Verdict::Safe => safe(&outcome.asked),
        Verdict::Unsafe(violation) => violated(&outcome.asked, violation),
    };
    let scope = scope(outcome).map(|scope| format!(" ({scope})")).unwrap_or_default();
    writeln!(out, "{style}{word}{style:#}  {file}: {what}{scope}").expect("writing to a string");
}

fn safe(asked: &Asked) -> String {
    match asked {
        Asked::Goal(Goal::Assert) => "no assertion can fail".into(),
        Asked::Goal(Goal::Label(name)) => format!("label {name} is unreachable"),
        Asked::Targets(targets) => format!("{targets} cannot be covered"),
        Asked::Properties(_) => "no property can be violated".into(),
    }
}

fn violated(asked: &Asked, violation: &Violation) -> String {
    let Violation { file, line, what } = violation;
    match (asked, file, line) {
        (_, Some(file), Some(line)) => format!("{what} at {file}:{line}"),
        (asked, _, line) => {
            let verb = match asked {
                Asked::Goal(Goal::Assert) => "can fail",
                _ => "is reachable",
            };
            let line = line.map(|line| format!(" at line {line}")).unwrap_or_default();
            format!("{what}{line} {verb}")
        }
    }
}

fn scope(outcome: &Outcome) -> Option<String> {
    let bound = |n: Option<u32>, one: &str, many: &str| {
        n.map(|n| format!("at most {n} {}", if n == 1 { one } else { many }))
    };
    let threads = bound(outcome.scope.threads, "thread", "threads");
    let threads =
        threads.or_else(|| outcome.unbounded_threads.then(|| "any number of threads".into()));
    let contexts = bound(outcome.scope.contexts, "context switch", "context switches");
    let depth = bound(outcome.scope.depth, "step", "steps");
    let parts: Vec<_> = [threads, contexts, depth].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn numbers(out: &mut String, outcome: &Outcome) {
    let confirmed = match (&outcome.verdict, outcome.certified) {
        (Verdict::Safe, true) => ", certified",
        (Verdict::Safe, false) => ", not certified",
        (Verdict::Unsafe(_), true) if outcome.evidence.is_some() => ", violation replayed",
        (Verdict::Unsafe(_), true) => ", trace replayed",
        (Verdict::Unsafe(_), false) => ", no trace",
        (Verdict::Unknown(_), _) => "",
    };
    let mut stats = String::new();
    let engine = entry_named(outcome.engine).and_then(|it| it.c());
    for (name, value) in outcome.stats.iter() {
        match engine {
            Some(engine) if name == "bound" => write!(stats, ", {value} {}", engine.unit(value)),
            _ => write!(stats, ", {} {value}", name.replace('_', " ")),
        }
        .expect("writing to a string");
    }
    let seconds = outcome.time.as_secs_f64();
    writeln!(out, "  {DIM}engine {}{confirmed}, {seconds:.3} s{stats}{DIM:#}", outcome.engine)
        .expect("writing to a string");
    if let (Some(engine), false) = (engine, matches!(outcome.verdict, Verdict::Unknown(_))) {
        let bound = outcome.stats.iter().find(|it| it.0 == "bound").map(|it| it.1);
        let because = engine.because(outcome.verdict == Verdict::Safe, bound);
        writeln!(out, "  {DIM}{} decided: {because}{DIM:#}", engine.name())
            .expect("writing to a string");
    }
}

/// The trace as Bebop prints it (BEB figure 1), in the order of execution: line, statement
/// indented by call depth, and the values just before it that matter or changed.
fn steps(out: &mut String, steps: &[ShownStep]) {
    let threads = steps.iter().any(|step| step.thread != 0);
    let width = steps.iter().map(|step| indented(step).chars().count().min(48)).max().unwrap_or(0);
    let head = if threads { "  thread   line  " } else { "   line  " };
    writeln!(out, "{DIM}{head}{:width$}  values before{DIM:#}", "statement")
        .expect("writing to a string");
    for (i, step) in steps.iter().enumerate() {
        let line = step.line.map(|line| line.to_string()).unwrap_or_default();
        let last = i + 1 == steps.len();
        if threads {
            write!(out, "  {:>6}", step.thread).expect("writing to a string");
        }
        let text = clip(&indented(step), width);
        let row = format!("{line:>7}  {text:width$}  {}", values(step, last));
        writeln!(out, "{}", row.trim_end()).expect("writing to a string");
    }
}

/// The statement, indented by call depth; of a call that is gone over, how long it is.
pub(super) fn indented(step: &ShownStep) -> String {
    let over = match step.over {
        None => String::new(),
        Some(ShownOver { statements: u64::MAX, .. }) => format!(" … over {} statements", u64::MAX),
        Some(ShownOver { statements, .. }) => format!(" … {statements} statements"),
    };
    format!("{}{}{over}", "  ".repeat(step.depth.min(20)), step.text)
}

pub(super) fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn goals(out: &mut String, goals: &[ShownGoal]) {
    for goal in goals {
        let (style, word) = match (goal.reachable, goal.reached) {
            (true, _) => (UNSAFE, "reachable"),
            (false, true) => (SAFE, "holds"),
            (false, false) => (SAFE, "never reached"),
        };
        let line = goal.place.line.map(|line| line.to_string()).unwrap_or_default();
        let doubt = if goal.confirmed { "" } else { ", not confirmed" };
        let (what, proc) = (&goal.place.what, &goal.proc);
        writeln!(out, "{line:>7}  {style}{word:13}{style:#}  {what} in {proc}{doubt}")
            .expect("writing to a string");
    }
}
