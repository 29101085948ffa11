//! Where a thread's steps concern nobody else.

use hardbop_base::Bits;
use hardbop_cfg::analysis::LocMap;
use hardbop_cfg::{Action, Goal, LocRef, Program};

use crate::counted::counters::LocalId;
use crate::counted::explore::Explorer;
use crate::counted::por::facts::Facts;

/// Which locations are local: none of their steps touches a shared variable that anybody reads, the
/// flag, or the number of threads.
#[derive(Debug)]
pub struct Places {
    is_local: LocMap<bool>,
    /// Whether the program starts threads. Then the end of one concerns others: it makes room.
    pub has_starts: bool,
}

impl Places {
    /// `None` if other threads may write a thread's locals: then no step is its own business.
    pub fn of(explorer: &Explorer<'_>) -> Option<Self> {
        let program = explorer.threads.program;
        if program.has_broadcasts() {
            return None;
        }
        let live = explorer.threads.contexts.live_shared();
        let has_starts = program.starts_threads();
        Some(Places { is_local: local_places(program, &live, has_starts), has_starts })
    }

    /// Whether the thread's next step concerns nobody else.
    pub fn is_local(&self, explorer: &Explorer<'_>, local: LocalId) -> bool {
        self.is_local[place(explorer, local)] && !(self.has_starts && is_end(explorer, local))
    }
}

/// Where the thread is.
pub fn place(explorer: &Explorer<'_>, local: LocalId) -> LocRef {
    explorer.threads.contexts.place(&explorer.local(local))
}

/// Whether the thread can only end.
pub fn is_end(explorer: &Explorer<'_>, local: LocalId) -> bool {
    let thread = explorer.local(local);
    let contexts = &explorer.threads.contexts;
    let at = contexts.place(&thread);
    let body = &explorer.threads.program.procs[at.proc];
    if at.loc == body.exit {
        return contexts.caller(thread.context).is_none();
    }
    body.out_edges(at.loc).all(|(_, edge)| edge.action == Action::EndThread)
}

fn local_places(program: &Program, live: &Bits, has_starts: bool) -> LocMap<bool> {
    let facts = Facts::of(program, &Goal::Assert, true);
    let mut is_local = LocMap::new(program, false);
    for (at, _) in program.all_locs() {
        let step = facts.step(at);
        let mut edges = program.procs[at.proc].out_edges(at.loc);
        is_local[at] = !step.reads.intersects(live)
            && !step.writes.intersects(live)
            && edges.all(|(_, edge)| match edge.action {
                Action::StartThread(_) | Action::AtomicBegin | Action::AtomicEnd => false,
                Action::EndThread => !has_starts,
                Action::Skip
                | Action::Assume(_)
                | Action::Assert(_)
                | Action::Assign(_)
                | Action::Call(_) => true,
            });
    }
    is_local
}
