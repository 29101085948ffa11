//! Sequential programs with recursion: path edges and summaries, one valuation at a time.
//!
//! **Computes** all reachable ⟨entry, location, scope⟩, the *path edges* of SURV figure 11 and BEB
//! section 3: the procedure was entered with the scope `entry` in a reachable state and control can
//! be at the location with the scope at hand, in the same activation. A path edge at the exit is a
//! *summary* of its entry.
//!
//! **Departure.** The papers take work in any order. Here each path edge has the *cost* of the
//! cheapest way from its entry, in statements, and each entry the *distance* of the cheapest way
//! from the start of the program; work is taken in order of distance + cost. So the first goal met
//! is a nearest one and its trace a shortest one, and exploration ends right there.
//!
//! **Invariant.** Work leaves the queue in order of distance + cost, and then both are final. An
//! entry is first met from the nearest of all calls that lead to it, because calls come in order.
//! A path edge after a call at c with the summary s of an entry e costs cost(c) + 1 + cost(s), and
//! distance(e) ≤ distance(c's entry) + cost(c) + 1, so neither s nor c can leave the queue after
//! the path edge that rests on them should have.
//!
//! **Limits.** Enumerates valuations: exponential in the variables in scope.
//!
//! Read: [`Tabulation::run`], `visit`, `call`, `summarise`, `propagate`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, IndexVec, define_id};
use hardbop_cfg::{Action, Call, EdgeId, EdgeRef, Goal, Loc, LocRef, ProcId};
use hardbop_engine::{GoalSite, RunCtx};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::goals::{Reached, label_site};
use crate::semantics::Semantics;

define_id!(
    /// A procedure with the scope it was entered with.
    EntryId, "entry"
);
define_id!(
    /// A path edge.
    PathId, "path"
);

/// The state of the tabulation.
#[derive(Debug)]
pub struct Tabulation<'a> {
    semantics: &'a Semantics<'a>,
    pub(crate) entries: IndexVec<EntryId, Entry>,
    entry_ids: FxHashMap<(ProcId, Bits), EntryId>,
    pub(crate) paths: IndexVec<PathId, Path>,
    path_ids: FxHashMap<(EntryId, Loc, Bits), PathId>,
    /// By distance + cost, then by age.
    queue: BinaryHeap<Reverse<(u64, u64, PathId)>>,
    /// Work ever queued: the age of the next.
    n_queued: u64,
    n_summaries: u64,
    reached: Reached,
    found: Option<Found>,
}

/// A reachable entry of a procedure.
#[derive(Debug)]
pub(crate) struct Entry {
    pub proc: ProcId,
    pub scope: Bits,
    /// Statements from the start of the program.
    distance: u64,
    /// The call it was first met from; `None` if the program starts here.
    pub nearest_call: Option<(PathId, EdgeId)>,
    /// All calls met so far that lead here.
    calls: Vec<(PathId, EdgeId)>,
    /// Final path edges at the exit, distinct in what a caller can see.
    summaries: Vec<PathId>,
    /// What callers see of them: shared variables and return values.
    seen: FxHashSet<Bits>,
}

/// A path edge.
#[derive(Debug)]
pub(crate) struct Path {
    pub entry: EntryId,
    pub loc: Loc,
    pub scope: Bits,
    /// Statements from the entry; final once `done`.
    pub cost: u64,
    pub origin: Origin,
    done: bool,
}

/// The last step of a cheapest way from the entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// It is the entry.
    Entry,
    Step {
        from: PathId,
        edge: EdgeId,
    },
    /// The call on `edge` at `call`, and all up to the return from `exit`.
    Call {
        call: PathId,
        edge: EdgeId,
        exit: PathId,
    },
}

/// The nearest place where the goal is reached.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    pub(crate) path: PathId,
    /// Statements executed, a failing one included.
    pub n_statements: u64,
}

impl<'a> Tabulation<'a> {
    pub fn new(semantics: &'a Semantics<'a>) -> Self {
        Tabulation {
            semantics,
            entries: IndexVec::new(),
            entry_ids: FxHashMap::default(),
            paths: IndexVec::new(),
            path_ids: FxHashMap::default(),
            queue: BinaryHeap::new(),
            n_queued: 0,
            n_summaries: 0,
            reached: Reached::default(),
            found: None,
        }
    }

    /// Explores up to the nearest goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        ctx.budget.check()?;
        let main = self.semantics.program.main;
        for shared in self.semantics.initial_shared(&mut meter)? {
            for scope in self.semantics.main_entries(&shared, &mut meter)? {
                self.enter(main, scope, 0, None);
            }
            meter.tick()?;
        }
        while let Some(Reverse((_, _, path))) = self.queue.pop() {
            if std::mem::replace(&mut self.paths[path].done, true) {
                continue;
            }
            meter.tick()?;
            ctx.progress.set_found(self.paths.len() as u64);
            ctx.progress.set_waiting(self.queue.len() as u64);
            self.visit(path, goal, &mut meter)?;
            if self.found.is_some() && !exhaustive {
                break;
            }
        }
        Ok(())
    }

    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    pub fn n_paths(&self) -> u64 {
        self.paths.len() as u64
    }

    pub fn n_summaries(&self) -> u64 {
        self.n_summaries
    }

    /// All that follows from a path edge whose cost is final.
    fn visit(&mut self, id: PathId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let program = self.semantics.program;
        let Path { entry, loc, ref scope, cost, .. } = self.paths[id];
        let scope = scope.clone();
        let proc = self.entries[entry].proc;
        let at = LocRef { proc, loc };
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(program, goal, at)
        {
            self.reach(site, id, 0);
        }
        if loc == program.procs[proc].exit {
            self.summarise(id);
        }
        for (edge, it) in program.procs[proc].out_edges(loc) {
            let here = EdgeRef { proc, edge };
            match &it.action {
                Action::Call(call) => {
                    self.call(id, edge, call, meter)?;
                    continue;
                }
                Action::EndThread => continue,
                Action::Assert(condition)
                    if program.exprs.eval(*condition, &scope, &scope).be_false
                        && self.reached.failed.insert(here)
                        && *goal == Goal::Assert =>
                {
                    self.reach(GoalSite::Assert(here), id, 1);
                }
                _ => {}
            }
            for after in self.semantics.post(here, &scope, meter)? {
                self.propagate(
                    entry,
                    it.to,
                    after,
                    cost.saturating_add(1),
                    Origin::Step { from: id, edge },
                );
            }
        }
        Ok(())
    }

    /// Enters the callee, and returns at once with the summaries known already.
    fn call(
        &mut self,
        id: PathId,
        edge: EdgeId,
        call: &Call,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let path = &self.paths[id];
        let distance =
            self.entries[path.entry].distance.saturating_add(path.cost.saturating_add(1));
        for scope in self.semantics.entries(call.callee, &call.args, &path.scope.clone(), meter)? {
            let entry = self.enter(call.callee, scope, distance, Some((id, edge)));
            self.entries[entry].calls.push((id, edge));
            for exit in self.entries[entry].summaries.clone() {
                self.resume(id, edge, exit);
            }
        }
        Ok(())
    }

    /// Hands a path edge at the exit to all calls of its entry.
    fn summarise(&mut self, exit: PathId) {
        let program = self.semantics.program;
        let path = &self.paths[exit];
        let entry = &mut self.entries[path.entry];
        let mut visible = path.scope.below(program.n_shared());
        let returns = program.returns(entry.proc).map(|var| var.as_u32() as usize);
        visible.extend(returns.filter(|&var| path.scope.contains(var)));
        // Of summaries that callers cannot tell apart the first is the cheapest.
        if !entry.seen.insert(visible) {
            return;
        }
        entry.summaries.push(exit);
        self.n_summaries += 1; // stats
        for (call, edge) in entry.calls.clone() {
            self.resume(call, edge, exit);
        }
    }

    /// The return from `exit` to the call at `call`.
    fn resume(&mut self, call: PathId, edge: EdgeId, exit: PathId) {
        let (caller, callee) = (&self.paths[call], &self.paths[exit]);
        let proc = self.entries[caller.entry].proc;
        let it = self.semantics.program.edge(EdgeRef { proc, edge });
        let Action::Call(action) = &it.action else { unreachable!("only calls are resumed") };
        let after = self.semantics.after_return(proc, action, &caller.scope, &callee.scope);
        let cost = caller.cost.saturating_add(1).saturating_add(callee.cost);
        if let Some(after) = after {
            let origin = Origin::Call { call, edge, exit };
            self.propagate(caller.entry, it.to, after, cost, origin);
        }
    }

    /// The entry of a procedure with a scope; new ones become work.
    fn enter(
        &mut self,
        proc: ProcId,
        scope: Bits,
        distance: u64,
        nearest_call: Option<(PathId, EdgeId)>,
    ) -> EntryId {
        if let Some(&known) = self.entry_ids.get(&(proc, scope.clone())) {
            return known;
        }
        let id = self.entries.push(Entry {
            proc,
            scope: scope.clone(),
            distance,
            nearest_call,
            calls: Vec::new(),
            summaries: Vec::new(),
            seen: FxHashSet::default(),
        });
        self.entry_ids.insert((proc, scope.clone()), id);
        self.propagate(id, self.semantics.program.procs[proc].entry, scope, 0, Origin::Entry);
        id
    }

    /// A way to a path edge: work if it is the first or a cheaper one.
    fn propagate(&mut self, entry: EntryId, loc: Loc, scope: Bits, cost: u64, origin: Origin) {
        let next = self.paths.next_id();
        let id = *self.path_ids.entry((entry, loc, scope.clone())).or_insert(next);
        if id == next {
            self.paths.push(Path { entry, loc, scope, cost, origin, done: false });
        } else {
            let path = &mut self.paths[id];
            if cost >= path.cost {
                return;
            }
            debug_assert!(!path.done, "costs are final when work is taken up");
            (path.cost, path.origin) = (cost, origin);
        }
        let priority = self.entries[entry].distance.saturating_add(cost);
        self.queue.push(Reverse((priority, self.n_queued, id)));
        self.n_queued += 1;
    }

    /// Notes a place where the goal is reached: the first is the nearest.
    fn reach(&mut self, site: GoalSite, path: PathId, last: u64) {
        if self.found.is_none() {
            let it = &self.paths[path];
            let before = self.entries[it.entry].distance.saturating_add(it.cost);
            let n_statements = before.saturating_add(last);
            self.found = Some(Found { site, path, n_statements });
        }
    }
}
