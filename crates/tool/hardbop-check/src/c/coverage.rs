//! Which lines executions reach: each statement is a check that fails where it is reached.
//!
//! The program must have been read with the checks of [`Class::Line`] besides those that were asked about, which end
//! executions as they do in the question itself. A line is reached if a run was shown that comes there, and not
//! reached if an engine proved that none does.

use std::collections::BTreeMap;

use hardbop_base::Name;
use hardbop_c::CProgram;
use hardbop_cir::Class;
use hardbop_engine::{RunCtx, Verdict};

use super::{decide, property};
use crate::run::Request;

/// What is known of a line: the most that is known of one of its statements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reached {
    /// No execution comes there.
    No,
    /// That is not known.
    Unknown,
    /// A run that does was replayed.
    Yes,
}

impl Reached {
    /// As the JSON has it.
    pub fn word(self) -> &'static str {
        match self {
            Reached::No => "no",
            Reached::Unknown => "unknown",
            Reached::Yes => "yes",
        }
    }
}

/// The lines with statements, by file and number.
pub type Coverage = BTreeMap<(Name, u32), Reached>;

/// Asks about every statement of a program.
pub fn coverage(loaded: &CProgram, request: &Request, ctx: &RunCtx) -> Coverage {
    let mut request = request.clone();
    request.exhaustive = true;
    request.c.classes.push(Class::Line);
    let confirmed = decide(loaded, &request, ctx).confirmed;
    let mut lines = Coverage::new();
    for it in property::properties(loaded, &confirmed.claim.goals, &confirmed.runs) {
        if it.class != Class::Line {
            continue;
        }
        let reached = match it.verdict {
            Verdict::Unsafe(()) => Reached::Yes,
            Verdict::Safe => Reached::No,
            Verdict::Unknown(_) => Reached::Unknown,
        };
        let line = lines.entry((it.file, it.line)).or_insert(reached);
        *line = reached.max(*line);
    }
    lines
}
