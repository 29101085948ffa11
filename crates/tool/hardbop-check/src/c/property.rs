//! The checks of a C program with what was found out about each.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Name, Span};
use hardbop_c::CProgram;
use hardbop_cir::{CheckId, Class, Cond, Op, Program};
use hardbop_engine::{Reason, Verdict};
use hardbop_engine_c::{Finding, Report};

use super::assumptions::callable;
use super::confirm::Shown;

/// A check in the words of the source.
#[derive(Clone, Debug)]
pub struct Property {
    /// Where it stands.
    pub file: Name,
    /// Where it stands.
    pub line: u32,
    /// Which property it belongs to.
    pub class: Class,
    /// What is wrong when it fails.
    pub message: Name,
    /// A violation has been replayed; that there is none was not confirmed by separate code.
    pub verdict: Verdict,
    /// Why it is unknown, with places and numbers.
    pub detail: Option<String>,
    /// Whether a safe one is so because no execution comes there, as far as that is known.
    pub is_never_reached: bool,
}

/// In order of position.
pub(super) fn properties(loaded: &CProgram, report: &Report, shown: &[Shown]) -> Vec<Property> {
    let shown: BTreeMap<CheckId, Span> = shown.iter().map(|it| (it.check, it.place)).collect();
    let place = |check| shown.get(&check).copied().unwrap_or(loaded.program.checks[check].span);
    let never = never_reached(&loaded.program, &report.never_reached);
    let mut checks: Vec<_> = report.checks.iter().collect();
    checks.sort_by_cached_key(|it| order(loaded, place(*it.0), *it.0));
    let property = |(&check, finding): (&CheckId, &Finding)| {
        let info = &loaded.program.checks[check];
        let at = loaded.sources.position(place(check));
        let verdict = finding.bare();
        let detail = match &verdict {
            Verdict::Unknown(reason) => Some(told(loaded, reason)),
            Verdict::Safe | Verdict::Unsafe(()) => None,
        };
        let (file, line, message) = (at.file, at.line, info.message.clone());
        let is_never_reached = verdict == Verdict::Safe && never.contains(&check);
        Property { file, line, class: info.class, message, verdict, detail, is_never_reached }
    };
    checks.into_iter().map(property).collect()
}

/// Checks no execution comes to: the functions they stand in are not called, or an engine found that out. A check that fails
/// wherever it is reached is not among the latter: that `assert` fails nowhere does not tell whether its condition is ever evaluated.
fn never_reached(program: &Program, found: &BTreeSet<CheckId>) -> BTreeSet<CheckId> {
    let called = callable(program);
    let (mut all, mut live, mut conditional) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (func, _, inst) in program.insts() {
        let Op::Check { check, cond } = inst.op else { continue };
        all.insert(check);
        if called[func] {
            live.insert(check);
        }
        if cond != Cond::Fails {
            conditional.insert(check);
        }
    }
    let found = found.intersection(&conditional);
    all.difference(&live).chain(found).copied().collect()
}

/// By position; those at one place by their number.
pub(super) fn order(loaded: &CProgram, at: Span, check: CheckId) -> (Name, u32, u32, CheckId) {
    let at = loaded.sources.position(at);
    (at.file, at.line, at.col, check)
}

/// A reason with its place.
pub(super) fn told(loaded: &CProgram, reason: &Reason) -> String {
    reason.told(|span| {
        let at = loaded.sources.position(span);
        format!("{}:{}", at.file, at.line)
    })
}
