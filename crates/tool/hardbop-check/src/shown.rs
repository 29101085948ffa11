//! A replayed trace in the words of the source: lines, texts, names.

use hardbop_base::{Bits, Idx, IndexVec, Name, SourceFile, Span};
use hardbop_cfg::{LocRef, ProcId, Program};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Passage, PassageId, Trace};
use hardbop_interp::{Relevant, Replayed, news_only, relevance};

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
    /// Of a net: how many threads or tokens are where, just before the rule.
    pub counts: Vec<(String, u32)>,
    /// For a call that is gone over.
    pub over: Option<ShownOver>,
}

/// A call that a trace goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownOver {
    /// Which of the passages it goes by.
    pub passage: usize,
    /// How many statements are executed in it; the largest number stands for all larger ones.
    pub statements: u64,
}

/// What happens in calls that a trace goes over: a way through a procedure, from its entry to its exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownPassage {
    /// Name of the procedure.
    pub proc: Name,
    /// How many statements are executed, those in calls included.
    pub statements: u64,
    /// One entry a statement, or a call that is gone over by an earlier passage.
    pub steps: Vec<ShownStep>,
}

/// A variable's value at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownValue {
    /// Name of the variable.
    pub name: Name,
    /// Its value.
    pub value: bool,
    /// Whether all procedures and threads share it.
    pub is_shared: bool,
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
    pub fn trace(&self, trace: &Trace, replayed: &Replayed) -> Vec<ShownStep> {
        let relevant = relevance(self.program, trace, replayed);
        self.lines(&replayed.shown, &relevant, &trace.lengths())
    }

    /// The passages of a replayed trace.
    pub fn passages(&self, trace: &Trace, replayed: &Replayed) -> Vec<ShownPassage> {
        let lengths = trace.lengths();
        let show = |(id, passage): (PassageId, &Passage)| {
            let shown = &replayed.passages[id];
            let steps = self.lines(shown, &news_only(self.program, shown), &lengths);
            let proc = self.program.procs[passage.proc].name.clone();
            ShownPassage { proc, statements: lengths[id], steps }
        };
        trace.passages.iter_enumerated().map(show).collect()
    }

    fn lines(
        &self,
        shown: &[hardbop_interp::Shown],
        relevant: &[Relevant],
        lengths: &IndexVec<PassageId, u64>,
    ) -> Vec<ShownStep> {
        let over = |id: PassageId| ShownOver { passage: id.index(), statements: lengths[id] };
        let lines = shown.iter().zip(relevant);
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
                    counts: Vec::new(),
                    over: line.over.map(over),
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
                is_shared: index < self.program.n_shared(),
                matters: matters.contains(index),
            })
            .collect()
    }
}
