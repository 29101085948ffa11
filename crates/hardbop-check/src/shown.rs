//! A replayed trace in the words of the source: lines, texts, names.

use hardbop_base::{Bits, Name, SourceFile, Span};
use hardbop_cfg::{LocRef, ProcId, Program};
use hardbop_engine::GoalSite;
use hardbop_interp::{Relevant, Replayed};

use crate::outcome::Violation;

/// Turns places and valuations into text.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The program the places are in.
    pub program: &'a Program,
    /// Its source, if it came from one.
    pub source: Option<&'a SourceFile>,
}

/// One executed statement of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownStep {
    /// Threads are counted in order of creation.
    pub thread: u32,
    /// Height of the stack above the thread's first procedure.
    pub depth: usize,
    /// Name of the procedure.
    pub proc: Name,
    /// Line in the source.
    pub line: Option<u32>,
    /// The statement.
    pub text: String,
    /// The values just before the statement that the trace forces, in order of declaration; those
    /// that matter further on, or have just changed, are marked.
    pub values: Vec<ShownValue>,
}

/// A variable's value at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownValue {
    /// Name of the variable.
    pub name: Name,
    /// Its value.
    pub value: bool,
    /// Used further on along the trace, or changed by the step before.
    pub matters: bool,
}

/// A place of an exhaustive report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownGoal {
    /// Where it is, and whether it is an assertion or a label.
    pub place: Violation,
    /// Name of the procedure.
    pub proc: Name,
    /// Whether the assertion can fail, or the label is reached.
    pub reachable: bool,
    /// Whether control comes there at all.
    pub reached: bool,
    /// Whether the trace or the certificate of the outcome confirms what `reachable` says.
    pub confirmed: bool,
}

impl Shown<'_> {
    /// The line a span begins on.
    pub fn line(&self, span: Option<Span>) -> Option<u32> {
        Some(self.source?.line(span?.start))
    }

    /// The statement at a location, on one line.
    pub fn text(&self, at: LocRef) -> String {
        let body = &self.program.procs[at.proc];
        if at.loc == body.exit {
            return "end".into();
        }
        match (self.source, body.locs[at.loc].span) {
            (Some(source), Some(span)) => {
                let words = source.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
                let rest = source.text.get(span.end as usize..).unwrap_or("");
                let end = if rest.trim_start().starts_with(';') { ";" } else { "" };
                words + end
            }
            _ => format!("{} of {}", at.loc, body.name),
        }
    }

    /// A place that can be a goal.
    pub fn site(&self, site: &GoalSite) -> (ProcId, Violation) {
        let (at, what) = match site {
            GoalSite::Assert(edge) => {
                let loc = self.program.edge(*edge).from;
                (LocRef { proc: edge.proc, loc }, "assertion".to_string())
            }
            GoalSite::Label(at, name) => (*at, format!("label {name}")),
        };
        let line = self.line(self.program.procs[at.proc].locs[at.loc].span);
        (at.proc, Violation { file: None, line, what })
    }

    /// A replayed trace with the values worth showing.
    pub fn trace(&self, replayed: &Replayed, relevant: &[Relevant]) -> Vec<ShownStep> {
        let lines = replayed.shown.iter().zip(relevant);
        lines
            .map(|(line, relevant)| {
                let body = &self.program.procs[line.at.proc];
                let mut matters = relevant.live.clone();
                matters.union_with(&relevant.changed);
                ShownStep {
                    thread: line.thread.as_u32(),
                    depth: line.depth,
                    proc: body.name.clone(),
                    line: self.line(body.locs[line.at.loc].span),
                    text: self.text(line.at),
                    values: self.values(line.at.proc, &line.before, &relevant.settled, &matters),
                }
            })
            .collect()
    }

    fn values(&self, proc: ProcId, now: &Bits, show: &Bits, matters: &Bits) -> Vec<ShownValue> {
        self.program
            .scope(proc)
            .map(|var| (var.as_u32() as usize, var))
            .filter(|&(index, _)| show.contains(index))
            .map(|(index, var)| ShownValue {
                name: self.program.var_info(proc, var).name.clone(),
                value: now.contains(index),
                matters: matters.contains(index),
            })
            .collect()
    }
}
