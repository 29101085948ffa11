//! Which places of interest a run of an engine has reached.

use hardbop_cfg::{EdgeRef, Goal, LocRef, Program};
use hardbop_engine::{GoalSite, GoalStatus, goals};
use rustc_hash::FxHashSet;

/// The assertions that may fail and the locations control may be at, as far as explored.
#[derive(Default, Debug)]
pub struct Reached {
    pub failed: FxHashSet<EdgeRef>,
    pub locs: FxHashSet<LocRef>,
}

impl Reached {
    /// Every assert and every label of the program, in order of appearance.
    pub fn statuses(&self, program: &Program) -> Vec<GoalStatus> {
        goals::statuses(program, |site| match site {
            GoalSite::Assert(edge) => self.failed.contains(edge),
            GoalSite::Label(at, _) => self.locs.contains(at),
        })
    }
}

/// The goal's site if being at `at` reaches it.
pub fn label_site(program: &Program, goal: &Goal, at: LocRef) -> Option<GoalSite> {
    match goal {
        Goal::Label(label) if program.procs[at.proc].locs[at.loc].has_label(label) => {
            Some(GoalSite::Label(at, label.clone()))
        }
        _ => None,
    }
}
