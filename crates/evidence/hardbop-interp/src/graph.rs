//! Reachability in the graph alone, whatever the data.

use hardbop_cfg::{Action, Goal, LocRef, Program, Spawn};
use rustc_hash::FxHashSet;

/// Whether no place of the goal can be reached from `main`, for any data and any number of threads:
/// calls and thread starts are followed, and a call is taken to return.
pub fn unreachable_in_graph(program: &Program, goal: &Goal) -> bool {
    let reached = reachable_locs(program);
    match goal {
        Goal::Assert => program
            .asserts()
            .all(|at| !reached.contains(&LocRef { proc: at.proc, loc: program.edge(at).from })),
        Goal::Label(label) => program.labelled(label).all(|at| !reached.contains(&at)),
    }
}

fn reachable_locs(program: &Program) -> FxHashSet<LocRef> {
    let entry = |proc| LocRef { proc, loc: program.procs[proc].entry };
    let mut reached = FxHashSet::default();
    let mut waiting = vec![entry(program.main)];
    while let Some(at) = waiting.pop() {
        if !reached.insert(at) {
            continue;
        }
        for (_, edge) in program.procs[at.proc].out_edges(at.loc) {
            if edge.falls_through() {
                waiting.push(LocRef { proc: at.proc, loc: edge.to });
            }
            match &edge.action {
                Action::Call(call) => waiting.push(entry(call.callee)),
                Action::StartThread(spawn) => waiting.push(match **spawn {
                    Spawn::Goto(loc) => LocRef { proc: at.proc, loc },
                    Spawn::Call { callee, .. } => entry(callee),
                }),
                _ => {}
            }
        }
    }
    reached
}
