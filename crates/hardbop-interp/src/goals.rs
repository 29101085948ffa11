//! Which places of interest a run of an engine has reached.

use hardbop_cfg::{Action, EdgeRef, Goal, LocRef, Program};
use hardbop_engine::{GoalSite, GoalStatus};
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
        let mut places: Vec<_> = program.all_locs().collect();
        // Locations without a place in the source stay where they are in the program, at the end.
        places.sort_by_key(|(at, info)| (info.span.map_or(u32::MAX, |span| span.start), *at));
        let mut statuses = Vec::new();
        for (at, info) in places {
            for label in &info.labels {
                let site = GoalSite::Label(at, label.clone());
                statuses.push(GoalStatus { site, reachable: self.locs.contains(&at) });
            }
            for (edge, it) in program.procs[at.proc].out_edges(at.loc) {
                if matches!(it.action, Action::Assert(_)) {
                    let edge = EdgeRef { proc: at.proc, edge };
                    let site = GoalSite::Assert(edge);
                    statuses.push(GoalStatus { site, reachable: self.failed.contains(&edge) });
                }
            }
        }
        statuses
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
