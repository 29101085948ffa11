//! The places of a program whose reachability can be asked.

use hardbop_cfg::{Action, EdgeRef, Goal, Program};

use crate::claim::{GoalSite, GoalStatus};

/// Every label and every assert of the program, in order of appearance in the source.
pub fn sites(program: &Program) -> Vec<GoalSite> {
    let mut places: Vec<_> = program.all_locs().collect();
    // Locations without a place in the source stay where they are in the program, at the end.
    places.sort_by_key(|(at, info)| (info.span.map_or(u32::MAX, |span| span.start), *at));
    let mut sites = Vec::new();
    for (at, info) in places {
        sites.extend(info.labels.iter().map(|label| GoalSite::Label(at, label.clone())));
        for (edge, it) in program.procs[at.proc].out_edges(at.loc) {
            if matches!(it.action, Action::Assert(_)) {
                sites.push(GoalSite::Assert(EdgeRef { proc: at.proc, edge }));
            }
        }
    }
    sites
}

/// The same with what an exhaustive run has found.
pub fn statuses(program: &Program, reached: impl Fn(&GoalSite) -> bool) -> Vec<GoalStatus> {
    let status = |site| GoalStatus { reachable: reached(&site), site };
    sites(program).into_iter().map(status).collect()
}

impl GoalSite {
    /// Whether reaching this place reaches the goal.
    pub fn is_of(&self, goal: &Goal) -> bool {
        match (self, goal) {
            (GoalSite::Assert(_), Goal::Assert) => true,
            (GoalSite::Label(_, name), Goal::Label(wanted)) => name == wanted,
            _ => false,
        }
    }
}
