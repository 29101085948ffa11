//! What was found out about each property of a C program, and what it rests on, for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use hardbop_engine::Verdict;
use hardbop_kind::print::for_every_index;

use super::human::{DIM, UNKNOWN, UNSAFE};
use crate::c::{Evidence, Property, Reached};
use crate::outcome::Outcome;

/// A person gets to see this many; machines see all.
const SHOWN_ASSUMPTIONS: usize = 12;
/// Facts about all elements of arrays that are shown.
const SHOWN_FACTS: usize = 4;
/// More unknown properties than this are counted by class.
const SHOWN_UNKNOWN: usize = 10;

/// What a proof says of all elements of arrays.
pub(super) fn facts(out: &mut String, outcome: &Outcome) {
    let Some(Evidence::Proof(proof)) = &outcome.evidence else { return };
    for fact in for_every_index(proof).into_iter().take(SHOWN_FACTS) {
        writeln!(out, "  {DIM}proved: {fact}{DIM:#}").expect("writing to a string");
    }
}

/// How many there are; each that is violated, and those that are unknown, by class if they are many.
pub(super) fn properties(out: &mut String, outcome: &Outcome) {
    let properties = &outcome.properties;
    if properties.is_empty() {
        return;
    }
    let count =
        |wanted: fn(&Verdict) -> bool| properties.iter().filter(|it| wanted(&it.verdict)).count();
    writeln!(
        out,
        "\n  properties: {}, of which {} violated, {} safe, {} unknown",
        properties.len(),
        count(Verdict::is_unsafe),
        count(Verdict::is_safe),
        count(Verdict::is_unknown)
    )
    .expect("writing to a string");
    for it in properties.iter().filter(|it| it.verdict.is_unsafe()) {
        line(out, it, "");
    }
    for it in properties.iter().filter(|it| outcome.is_exhaustive && it.is_never_reached) {
        let Property { file, line, class, message, .. } = it;
        writeln!(out, "  {DIM}never reached{DIM:#}  {file}:{line}: {class}: {message}")
            .expect("writing to a string");
    }
    let unknown: Vec<_> = properties.iter().filter_map(|it| Some((it, doubt(it)?))).collect();
    if unknown.len() <= SHOWN_UNKNOWN {
        unknown.iter().for_each(|(it, word)| line(out, it, word));
        return;
    }
    let mut groups: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (it, word) in unknown {
        *groups.entry((it.class.name(), word)).or_default() += 1;
    }
    for ((class, word), n) in groups {
        let properties = if n == 1 { "property" } else { "properties" };
        writeln!(out, "  {UNKNOWN}unknown {UNKNOWN:#}  {class}: {n} {properties} ({word})")
            .expect("writing to a string");
    }
}

/// Why it is unknown; `None` also for what was not looked at because of another violation.
fn doubt(property: &Property) -> Option<&'static str> {
    match &property.verdict {
        Verdict::Unknown(reason) if !reason.is_stopped() => Some(reason.word()),
        _ => None,
    }
}

fn line(out: &mut String, it: &Property, word: &str) {
    let Property { file, line, class, message, .. } = it;
    let (style, verdict, why) = match it.verdict {
        Verdict::Unsafe(()) => (UNSAFE, "violated", String::new()),
        _ => (UNKNOWN, "unknown", format!(" ({word})")),
    };
    writeln!(out, "  {style}{verdict:8}{style:#}  {file}:{line}: {class}: {message}{why}")
        .expect("writing to a string");
}

/// How many lines are reached, and which are not.
pub(super) fn coverage(out: &mut String, outcome: &Outcome) {
    let lines = &outcome.coverage;
    if lines.is_empty() {
        return;
    }
    let n = |wanted| lines.values().filter(|it| **it == wanted).count();
    let (yes, no, open) = (n(Reached::Yes), n(Reached::No), n(Reached::Unknown));
    let all = lines.len();
    writeln!(out, "\n  coverage: of {all} lines {yes} are reached, {no} are not, {open} may be")
        .expect("writing to a string");
    for (wanted, word) in [(Reached::No, "not reached"), (Reached::Unknown, "may be reached")] {
        let mut by_file: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for ((file, line), _) in lines.iter().filter(|it| *it.1 == wanted) {
            by_file.entry(file).or_default().push(*line);
        }
        for (file, lines) in by_file {
            let lines = lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            writeln!(out, "  {word:14}  {file}: {lines}").expect("writing to a string");
        }
    }
}

pub(super) fn assumptions(out: &mut String, outcome: &Outcome) {
    let assumptions = &outcome.assumptions;
    for assumption in assumptions.iter().take(SHOWN_ASSUMPTIONS) {
        writeln!(out, "  {DIM}assumed: {assumption}{DIM:#}").expect("writing to a string");
    }
    if assumptions.len() > SHOWN_ASSUMPTIONS {
        let more = assumptions.len() - SHOWN_ASSUMPTIONS;
        writeln!(out, "  {DIM}and {more} more assumptions: --format json{DIM:#}")
            .expect("writing to a string");
    }
}
