//! Live variables, over procedure bounds.
//!
//! BOOM section 10.9 and appendix C (after Srivastava and Wall 1992), BEB section 3.3. Phase 1 is
//! `exposed`; this is phase 2, a least fixpoint backwards over all locations.
//!
//! **What it guarantees.** Let `v` be in scope at location `l` of procedure `p` and not in
//! [`Live::at`]`(l)`. In every run that passes `l`, no later statement of any thread and no
//! `enforce` reads the value that `v` has in this frame at `l` (for a shared `v`: the value it has at
//! that moment): it is overwritten before any read, or never read. Returning counts as reading the
//! return values that some call takes. So an engine may replace the value at `l` by any other, and
//! reaches the same labels and failing assertions.
//!
//! **Equations.** With `live(l)` the least sets that contain
//! * at every location, the exit included: what the `enforce` of the procedure mentions, which is
//!   asked on arrival and on departure;
//! * at an exit: the return values that some call stores, and of the shared variables all that is
//!   live after some call of the procedure, less the results stored there (callers are not told
//!   apart);
//! * for an edge `l → m`: what it reads, and `live(m)` less what it writes. `constrain` reads
//!   current values, and next values of what the edge does not assign;
//! * for a call: the arguments; and of `live(m)` less the results the locals, the shared variables
//!   that may pass the callee unwritten, and all shared variables exposed by the callee;
//! * for a start of a thread at `t` of the same procedure: `live(t)`, since locals are copied. For a
//!   start with a call: the arguments;
//! * nothing after the end of a thread. A broadcast reads its values and surely writes nothing.
//!
//! Where several threads may run, any of them may read a shared variable at any time: then each
//! that is read anywhere in the program is live everywhere.
//!
//! Code that cannot be reached counts like any other: its calls and reads keep variables alive.
//! Since callers are not told apart, a variable may be dead at a call and live in the callee, for the
//! sake of another call: there it may have any value, and nobody who returns to the first call reads
//! it.

use hardbop_base::{Bits, Idx};

use super::backward::{Backward, Procs};
use super::callgraph::CallGraph;
use super::effects::{Effects, Reading};
use super::exposed::{Exposed, before_results};
use super::locmap::{LocBase, LocMap, PerProc};
use super::modref::ModRef;
use super::worklist::Worklist;
use crate::program::{Action, EdgeRef, LocRef, Program, VarId};

/// How many threads may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Population {
    /// One, from beginning to end. A program that starts threads is taken as `Many`.
    One,
    /// Several: the program starts threads, or `main` is replicated.
    Many,
}

/// The live variables of each location, by index in its procedure's scope.
#[derive(Clone, Debug)]
pub struct Live {
    at: LocMap<Bits>,
}

impl Live {
    pub fn of(program: &Program, population: Population) -> Self {
        let effects = Effects::of(program, Reading::DataFlow);
        Live::with(program, population, &effects, &CallGraph::of(program))
    }

    /// With facts already at hand; `effects` in the reading of data flow.
    pub fn with(
        program: &Program,
        population: Population,
        effects: &Effects,
        calls: &CallGraph,
    ) -> Self {
        Live::solve(program, population, effects, calls, None, Entries::Apart)
    }

    /// For an engine of one thread whose summaries mention only what a procedure may modify: a
    /// shared variable that a callee leaves alone keeps its value in the caller, so it is live in
    /// the callee only where the callee itself reads it.
    pub fn framed(
        program: &Program,
        effects: &Effects,
        calls: &CallGraph,
        modref: &ModRef,
    ) -> Self {
        Live::solve(program, Population::One, effects, calls, Some(modref), Entries::Apart)
    }

    /// As [`Live::framed`], and a call reads whatever shared variable is live at the entry of the callee, even if
    /// only for the sake of another call, or live behind the call and kept by it: the live values at a call
    /// determine those at the entry and behind it, so that sets of live values can be closed under calls.
    pub fn framed_through_calls(
        program: &Program,
        effects: &Effects,
        calls: &CallGraph,
        modref: &ModRef,
    ) -> Self {
        Live::solve(program, Population::One, effects, calls, Some(modref), Entries::Read)
    }

    /// Nothing is ever dead: to measure what liveness is worth.
    pub fn everything(program: &Program) -> Self {
        let scopes = program.all_locs().map(|(at, _)| Bits::full(program.scope_width(at.proc)));
        Live { at: LocMap::from_items(LocBase::new(program), scopes.collect()) }
    }

    fn solve(
        program: &Program,
        population: Population,
        effects: &Effects,
        calls: &CallGraph,
        framed_by: Option<&ModRef>,
        entries: Entries,
    ) -> Self {
        debug_assert_eq!(effects.reading(), Reading::DataFlow);
        let many = population == Population::Many || program.starts_threads();
        let backward = Backward::of(program);
        let (exposed, everywhere) = if many {
            (Exposed::nothing(program), shared_reads(program, effects))
        } else {
            (Exposed::with(program, effects, calls, &backward), Bits::new())
        };
        let mut solver = Solver {
            program,
            effects,
            calls,
            backward: &backward,
            exposed,
            always: always(program, effects, everywhere),
            at_exit: returns_taken(program, calls),
            framed_by,
            entries,
            live: vec![Bits::new(); backward.base.len()],
        };
        solver.solve();
        let live = solver.live;
        Live { at: LocMap::from_items(backward.base, live) }
    }

    /// The variables whose values at the location may still be read.
    pub fn at(&self, at: LocRef) -> &Bits {
        &self.at[at]
    }
}

/// Shared variables that no statement and no `enforce` ever reads.
pub fn never_read(program: &Program, effects: &Effects) -> Bits {
    let mut unread = Bits::full(program.n_shared());
    unread.subtract(&shared_reads(program, effects));
    unread
}

fn shared_reads(program: &Program, effects: &Effects) -> Bits {
    let mut reads = Bits::new();
    let mut add = |vars: &[VarId]| {
        reads.extend(vars.iter().filter(|&&var| program.is_shared(var)).map(|var| var.index()));
    };
    for (at, _) in program.all_edges() {
        add(effects.reads(at));
    }
    program.procs.ids().for_each(|proc| add(effects.enforce(proc)));
    reads
}

/// What is live at every location of each procedure.
fn always(program: &Program, effects: &Effects, everywhere: Bits) -> PerProc<Bits> {
    let with_enforce = |proc| {
        let mut always = everywhere.clone();
        always.extend(effects.enforce(proc).iter().map(|var| var.index()));
        always
    };
    program.procs.ids().map(with_enforce).collect()
}

/// The return values that some call stores.
fn returns_taken(program: &Program, calls: &CallGraph) -> PerProc<Bits> {
    let taken = |proc| {
        let mut taken = Bits::new();
        for &site in calls.call_sites(proc) {
            if let Action::Call(call) = &program.edge(site).action {
                let stored = program.returns(proc).zip(&call.results);
                taken.extend(stored.filter(|(_, to)| to.is_some()).map(|(var, _)| var.index()));
            }
        }
        taken
    };
    program.procs.ids().map(taken).collect()
}

/// Whether a call reads what is live at the entry of the callee.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entries {
    /// Only what is exposed by the callee, or read after this call.
    Apart,
    /// All of it.
    Read,
}

struct Solver<'a> {
    program: &'a Program,
    effects: &'a Effects,
    calls: &'a CallGraph,
    backward: &'a Backward,
    exposed: Exposed,
    always: PerProc<Bits>,
    /// What is live at each exit, grown as callers become known.
    at_exit: PerProc<Bits>,
    /// Only what this says is modified is live at exits for the sake of callers.
    framed_by: Option<&'a ModRef>,
    entries: Entries,
    /// By location number.
    live: Vec<Bits>,
}

impl Solver<'_> {
    fn solve(&mut self) {
        let program = self.program;
        let Backward { base, refs, preds, .. } = self.backward;
        let order = self.backward.order(self.calls, Procs::CallersFirst);
        let mut todo = Worklist::full(&order);
        while let Some(node) = todo.pop() {
            let at = refs[node];
            let live = self.transfer(at);
            if live == self.live[node] {
                continue;
            }
            let body = &program.procs[at.proc];
            let preds = &preds[at.proc];
            for &id in preds.edges(at.loc).iter().chain(preds.starts(at.loc)) {
                let edge = &body.edges[id];
                todo.push(base.flat(at.proc, edge.from));
                if let Action::Call(call) = &edge.action {
                    let mut after = before_results(call, &live).below(program.n_shared());
                    if let Some(modref) = self.framed_by {
                        after.intersect_with(modref.modified(call.callee));
                    }
                    if self.at_exit[call.callee].union_with(&after) {
                        let exit = program.procs[call.callee].exit;
                        todo.push(base.flat(call.callee, exit));
                    }
                }
            }
            if self.entries == Entries::Read && at.loc == body.entry {
                for &site in self.calls.call_sites(at.proc) {
                    todo.push(base.flat(site.proc, program.edge(site).from));
                }
            }
            self.live[node] = live;
        }
    }

    /// The live variables of a location from those of its successors.
    fn transfer(&self, at: LocRef) -> Bits {
        let n_shared = self.program.n_shared();
        let body = &self.program.procs[at.proc];
        let mut live = self.always[at.proc].clone();
        if at.loc == body.exit {
            live.union_with(&self.at_exit[at.proc]);
        }
        for (id, edge) in body.out_edges(at.loc) {
            let edge_ref = EdgeRef { proc: at.proc, edge: id };
            live.extend(self.effects.reads(edge_ref).iter().map(|var| var.index()));
            if let Some(target) = edge.starts_at() {
                live.union_with(&self.live[self.backward.base.flat(at.proc, target)]);
            }
            if !edge.falls_through() {
                continue;
            }
            let after = &self.live[self.backward.base.flat(at.proc, edge.to)];
            if let Action::Call(call) = &edge.action {
                let after = before_results(call, after);
                live.union_with(&self.exposed.before_call(call.callee, &after.below(n_shared)));
                live.union_with(&after.from(n_shared));
                if self.entries == Entries::Read {
                    let entry = self.program.procs[call.callee].entry;
                    let entry = &self.live[self.backward.base.flat(call.callee, entry)];
                    live.union_with(&entry.below(n_shared));
                    // Even if no run of the callee returns: whoever does not know it takes it that one does.
                    let mut framed = after.below(n_shared);
                    self.framed_by.iter().for_each(|it| framed.subtract(it.modified(call.callee)));
                    live.union_with(&framed);
                }
            } else {
                let mut before = after.clone();
                for var in self.effects.writes(edge_ref) {
                    before.remove(var.index());
                }
                live.union_with(&before);
            }
        }
        live
    }
}

#[cfg(test)]
mod tests;
