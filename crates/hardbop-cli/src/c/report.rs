//! What was found out about a C program: for people, and as JSON (`docs/formats/result-json.md`).

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use cpu_time::ProcessTime;
use hardbop_base::{Exhausted, memory};
use hardbop_bmc::{Counterexample, Reason, Runs, Verdict};
use hardbop_c::{CProgram, Position};
use hardbop_cir::{CheckId, Class, Op};
use hardbop_kind::print::for_every_index;
use serde_json::{Value, json};

use super::engine::{CEngine, Found};
use super::trace::Trace;

const SAFE: Style = AnsiColor::Green.on_default().bold();
const UNSAFE: Style = AnsiColor::Red.on_default().bold();
const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// A person gets to see this many; machines see all.
const SHOWN_ASSUMPTIONS: usize = 12;
/// Facts about all elements of arrays that are shown.
const SHOWN_FACTS: usize = 4;

pub struct Report<'a> {
    /// The files as the user named them.
    pub file: &'a str,
    pub loaded: &'a CProgram,
    pub found: &'a Found,
    pub classes: &'a [Class],
    pub time: Duration,
    /// Of the violation the report speaks of.
    pub trace: Option<&'a Trace>,
}

/// One word for machines.
fn word(reason: &Reason) -> &'static str {
    match reason {
        Reason::Bounded { .. } | Reason::Depth(_) => "bounded",
        Reason::Unsupported(_) | Reason::UnsupportedAt(..) => "unsupported",
        Reason::Unconfirmed => "not-shown",
        Reason::Stopped => "stopped",
        Reason::Runs(Runs { limit: None, .. }) => "runs",
        Reason::Runs(Runs { limit: Some(limit), .. }) | Reason::Exhausted(limit) => {
            limit_word(limit)
        }
        Reason::Internal(_) => "internal",
    }
}

fn limit_word(limit: &Exhausted) -> &'static str {
    match limit {
        Exhausted::Time(_) => "time",
        Exhausted::Memory(_) => "memory",
        Exhausted::Nodes(_) => "nodes",
        Exhausted::States(_) => "states",
        Exhausted::Cancelled => "interrupted",
    }
}

impl Report<'_> {
    fn position(&self, check: CheckId) -> Position {
        self.loaded.sources.position(self.loaded.program.checks[check].span)
    }

    /// Why something is not known, with the place and the numbers.
    fn detail(&self, reason: &Reason) -> String {
        let funcs = &self.loaded.program.funcs;
        match reason {
            // By its place: inlining may have moved it into another function.
            Reason::Bounded { head: Some(head), bound, .. } => {
                let at = self.loaded.sources.position(*head);
                format!(
                    "the loop at {}:{} can go on after {bound} rounds; `--unwind` gives it more",
                    at.file, at.line
                )
            }
            Reason::Bounded { func, head: None, bound } => format!(
                "`{}` can call itself more than {bound} times; `--unwind` gives it more",
                funcs[*func].name
            ),
            Reason::UnsupportedAt(what, span) => {
                let at = self.loaded.sources.position(*span);
                format!("{what}, at {}:{}", at.file, at.line)
            }
            other => other.to_string(),
        }
    }

    fn checks(&self) -> Vec<(CheckId, Position, &Verdict)> {
        checks(self.loaded, &self.found.report)
    }

    pub fn json(&self) -> Value {
        let overall = self.found.report.overall();
        let (verdict, reason) = word_of(&overall);
        let properties: Vec<Value> = self
            .checks()
            .into_iter()
            .map(|(id, at, it)| {
                let check = &self.loaded.program.checks[id];
                let (verdict, reason) = word_of(it);
                json!({
                    "file": &*at.file,
                    "line": at.line,
                    "class": check.class.name(),
                    "message": &*check.message,
                    "verdict": verdict,
                    "reason": reason.map(word),
                    "detail": reason.map(|it| self.detail(it)),
                })
            })
            .collect();
        let violation = self.violated().map(|id| {
            let at = self.position(id);
            json!({ "file": &*at.file, "line": at.line, "what": self.what(id) })
        });
        let is_unsafe = matches!(overall, Verdict::Unsafe(_));
        let classes: Vec<_> = self.classes.iter().map(|it| it.name()).collect();
        let depth = matches!(reason, Some(Reason::Bounded { .. } | Reason::Depth(_)))
            .then_some(self.found.report.bound);
        json!({
            "schema": "hardbop.result/1",
            "file": self.file,
            "verdict": verdict,
            "scope": { "threads": null, "contexts": null, "depth": depth },
            "certified": is_unsafe || self.found.proof.is_some(),
            "engine": self.found.engine.name(),
            "goal": classes.join(","),
            "reason": reason.map(word),
            "detail": reason.map(|it| self.detail(it)),
            "violation": violation,
            "trace": self.trace.map(Trace::json),
            "goals": [],
            "properties": properties,
            "assumptions": self.assumptions(),
            "stats": {
                "time_ms": self.time.as_micros() as f64 / 1000.0,
                "cpu_ms": ProcessTime::now().as_duration().as_micros() as f64 / 1000.0,
                "peak_memory_bytes": memory::peak_bytes(),
                "bound": self.found.report.bound,
            },
        })
    }

    fn assumptions(&self) -> Vec<String> {
        let mut said: Vec<String> =
            self.loaded.program.assumptions.iter().map(ToString::to_string).collect();
        let memory = [Class::Bounds, Class::Null, Class::Dangling, Class::Free];
        let touches = |op: &Op| {
            matches!(
                op,
                Op::Load { .. }
                    | Op::Store { .. }
                    | Op::Copy { .. }
                    | Op::Fill { .. }
                    | Op::Free { .. }
            )
        };
        if memory.iter().any(|it| !self.classes.contains(it))
            && self.loaded.program.insts().any(|(_, _, inst)| touches(&inst.op))
        {
            said.push("memory that no property asked about depends on is used as it may be".into());
        }
        let arithmetic = [Class::Overflow, Class::Div, Class::Shift];
        if arithmetic.iter().any(|it| !self.classes.contains(it)) {
            said.push(
                "arithmetic that no property asked about goes on: signed overflow wraps, a division \
                 by zero and a shift by too much have a fixed value"
                    .into(),
            );
        }
        said
    }

    fn what(&self, check: CheckId) -> String {
        let check = &self.loaded.program.checks[check];
        format!("{}: {}", check.class, check.message)
    }

    fn violated(&self) -> Option<CheckId> {
        violated(self.loaded, &self.found.report).map(|it| it.0)
    }

    pub fn human(&self) -> String {
        let mut out = String::new();
        let overall = self.found.report.overall();
        let (style, word, what) = match &overall {
            Verdict::Safe => (SAFE, "SAFE", "no property can be violated".to_string()),
            Verdict::Unknown(why) => {
                (UNKNOWN, "UNKNOWN", format!("{}: {}", self::word(why), self.detail(why)))
            }
            Verdict::Unsafe(_) => {
                let what = self.violated().map(|id| {
                    let at = self.position(id);
                    format!("{} at {}:{}", self.what(id), at.file, at.line)
                });
                (UNSAFE, "UNSAFE", what.unwrap_or_default())
            }
        };
        let _ = writeln!(out, "{style}{word}{style:#}  {}: {what}", self.file);
        let shown = match overall {
            Verdict::Unsafe(_) => ", violation replayed",
            Verdict::Safe if self.found.proof.is_some() => ", proof re-checked",
            _ => "",
        };
        let unit = match self.found.engine {
            CEngine::Fsoft => "blocks deep",
            CEngine::Runs => "runs",
            CEngine::Bmc | CEngine::Kind => "rounds",
        };
        let _ = writeln!(
            out,
            "  {DIM}engine {}{shown}, {:.3} s, {} {unit}{DIM:#}",
            self.found.engine.name(),
            self.time.as_secs_f64(),
            self.found.report.bound
        );
        let facts = self.found.proof.iter().flat_map(for_every_index);
        for fact in facts.take(SHOWN_FACTS) {
            let _ = writeln!(out, "  {DIM}proved: {fact}{DIM:#}");
        }
        self.properties(&mut out);
        if let Some(trace) = self.trace {
            trace.human(&mut out);
            out.push('\n');
        }
        let assumptions = self.assumptions();
        for assumption in assumptions.iter().take(SHOWN_ASSUMPTIONS) {
            let _ = writeln!(out, "  {DIM}assumed: {assumption}{DIM:#}");
        }
        if let Some(more) = assumptions.len().checked_sub(SHOWN_ASSUMPTIONS + 1) {
            let more = more + 1;
            let _ = writeln!(out, "  {DIM}and {more} more assumptions: --format json{DIM:#}");
        }
        out
    }

    /// Each property that is not safe, and how many are.
    fn properties(&self, out: &mut String) {
        let checks = self.checks();
        if checks.is_empty() {
            let _ = writeln!(out, "\n  the program contains no check of these properties");
            return;
        }
        let count = |wanted: fn(&Verdict) -> bool| checks.iter().filter(|it| wanted(it.2)).count();
        let _ = writeln!(
            out,
            "\n  properties: {}, of which {} violated, {} safe, {} unknown",
            checks.len(),
            count(|it| matches!(it, Verdict::Unsafe(_))),
            count(|it| matches!(it, Verdict::Safe)),
            count(|it| matches!(it, Verdict::Unknown(_)))
        );
        for (id, at, verdict) in &checks {
            let (style, word, why) = match verdict {
                Verdict::Safe => continue,
                Verdict::Unsafe(_) => (UNSAFE, "violated", String::new()),
                Verdict::Unknown(Reason::Stopped) => continue,
                Verdict::Unknown(why) => (UNKNOWN, "unknown", format!(" ({})", self::word(why))),
            };
            let _ = writeln!(
                out,
                "  {style}{word:8}{style:#}  {}:{}: {}{why}",
                at.file,
                at.line,
                self.what(*id)
            );
        }
    }
}

fn word_of(verdict: &Verdict) -> (&'static str, Option<&Reason>) {
    match verdict {
        Verdict::Safe => ("safe", None),
        Verdict::Unsafe(_) => ("unsafe", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason)),
    }
}

/// In order of position.
fn checks<'a>(
    loaded: &CProgram,
    result: &'a hardbop_bmc::Report,
) -> Vec<(CheckId, Position, &'a Verdict)> {
    let position = |id: CheckId| loaded.sources.position(loaded.program.checks[id].span);
    let mut checks: Vec<_> = result.checks.iter().map(|(&id, it)| (id, position(id), it)).collect();
    checks.sort_by(|(a, at, _), (b, there, _)| {
        (&at.file, at.line, at.col, a).cmp(&(&there.file, there.line, there.col, b))
    });
    checks
}

/// The violation a report speaks of: the first in the source.
pub fn violated<'a>(
    loaded: &CProgram,
    result: &'a hardbop_bmc::Report,
) -> Option<(CheckId, &'a Counterexample)> {
    checks(loaded, result).into_iter().find_map(|(id, _, verdict)| match verdict {
        Verdict::Unsafe(counterexample) => Some((id, counterexample)),
        _ => None,
    })
}
