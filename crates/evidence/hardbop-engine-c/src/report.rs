//! What an engine has found out about the checks of a program.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{Assumption, CheckId, Class, Op, Program};

use super::Counterexample;
use hardbop_engine::{Reason, Verdict};

/// What an engine says of one check: as in every claim, a violation counts only when it has been replayed.
pub type Finding = Verdict<Counterexample>;

/// What an engine says of all checks, one by one.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Every check of the classes asked for that the program contains.
    pub checks: BTreeMap<CheckId, Finding>,
    /// Why the search was not complete, if it was not: it also holds of a program without checks.
    pub incomplete: Option<Reason>,
    /// The last bound that was unrolled to the end.
    pub bound: u32,
    /// Checks that no execution comes to, as far as that was asked and is known.
    pub never_reached: BTreeSet<CheckId>,
    /// What safety rests on beside what the program says.
    pub assumptions: Vec<Assumption>,
}

impl Report {
    /// Every check of the classes with the verdict found for it, the others with that of the rest:
    /// safe, unless the search was not complete.
    pub fn new(
        program: &Program,
        classes: &[Class],
        found: BTreeMap<CheckId, Finding>,
        incomplete: Option<Reason>,
        bound: u32,
    ) -> Report {
        let rest = incomplete.clone().map_or(Finding::Safe, Finding::Unknown);
        let mut checks = found;
        for (_, _, inst) in program.insts() {
            if let Op::Check { check, .. } = inst.op
                && classes.contains(&program.checks[check].class)
            {
                checks.entry(check).or_insert_with(|| rest.clone());
            }
        }
        let (never_reached, assumptions) = (BTreeSet::new(), Vec::new());
        Report { checks, incomplete, bound, never_reached, assumptions }
    }

    /// Of an engine that does not know threads about a program that has them. Soundness: no pass may touch it.
    pub fn of_threads(program: &Program, classes: &[Class]) -> Option<Report> {
        let why = "the program starts threads, of which only engines interleave and cegar know";
        let reason = Reason::Unsupported(why.into());
        program.has_threads().then(|| Report::unknown(program, classes, reason))
    }

    /// Nothing was found out.
    pub fn unknown(program: &Program, classes: &[Class], reason: Reason) -> Report {
        Report::new(program, classes, BTreeMap::new(), Some(reason), 0)
    }

    /// Whether something is not known of a check.
    pub fn has_open(&self) -> bool {
        self.checks.values().any(Finding::is_unknown)
    }

    /// The verdict on all checks together: a violation before doubt before safety.
    pub fn overall(&self) -> Finding {
        let find = |wanted: fn(&Finding) -> bool| self.checks.values().find(|it| wanted(it));
        find(Finding::is_unsafe)
            // That another violation came first explains nothing if that was not confirmed.
            .or_else(|| find(|it| matches!(it, Finding::Unknown(why) if *why != Reason::Stopped)))
            .or_else(|| find(Finding::is_unknown))
            .cloned()
            .or_else(|| self.incomplete.clone().map(Finding::Unknown))
            .unwrap_or(Finding::Safe)
    }
}
