//! What a search has seen of data races, and what that says.

use hardbop_cir::{Assumption, CheckId, Class, Program};
use hardbop_engine::Reason;
use hardbop_engine_c::{Finding, Report};

/// What was seen of races, whether they are asked about or not.
#[derive(Default)]
pub(crate) struct Races {
    pub is_found: bool,
    /// Something happened that orders nothing although all interleavings look as if it did.
    pub are_open: bool,
}

impl Races {
    /// Whether there is no need to look for them any more.
    pub fn are_settled(&self, check: Option<CheckId>) -> bool {
        (self.is_found || self.are_open) && check.is_none()
    }

    pub fn judge(&self, program: &Program, report: &mut Report) {
        let why = "an atomic access that is less than acquire and release, a lock that was not got, output of what threads \
                   share, or a place that depends on an input: what that orders is not followed";
        for (&check, finding) in &mut report.checks {
            let is_race = program.checks[check].class == Class::Race;
            // Soundness: where something orders less than it seems, races may be unseen.
            if is_race && self.are_open && *finding == Finding::Safe {
                *finding = Finding::Unknown(Reason::Unsupported(why.into()));
            }
        }
        if self.is_found || self.are_open {
            report.assumptions.push(Assumption::SequentialConsistency);
        }
    }
}
