//! What a part of a thread's run may touch that others see: the sets of partial-order reduction.

use hardbop_base::{Bits, Idx};

use super::callgraph::{CallGraph, Follow};
use super::effects::Effects;
use super::lists::Lists;
use super::locmap::{LocBase, LocMap, PerProc};
use super::scc::components;
use crate::program::{Action, Call, EdgeRef, LocRef, ProcId, Program, VarId};

/// Shared variables read and written, and whether locals of other threads are written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Footprint {
    pub reads: Bits,
    pub writes: Bits,
    /// A broadcast assignment is among it.
    pub broadcasts: bool,
}

impl Footprint {
    /// Whether the order of the two can matter: one writes what the other reads or writes. A
    /// broadcast may meet any frame of another thread, hence depends on all.
    pub fn depends_on(&self, other: &Footprint) -> bool {
        self.broadcasts
            || other.broadcasts
            || self.writes.intersects(&other.writes)
            || self.writes.intersects(&other.reads)
            || self.reads.intersects(&other.writes)
    }

    pub fn union_with(&mut self, other: &Footprint) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.broadcasts |= other.broadcasts;
    }

    /// Of one edge as one step, in the reading of dependence.
    pub fn of_edge(program: &Program, effects: &Effects, at: EdgeRef) -> Self {
        let mut footprint = Footprint::default();
        footprint.add_edge(program, effects, at);
        footprint
    }

    /// Of leaving the exit of `proc`, for any caller: it asks the `enforce` of both and stores the
    /// results.
    pub fn of_return(
        program: &Program,
        effects: &Effects,
        calls: &CallGraph,
        proc: ProcId,
    ) -> Self {
        let mut footprint = Footprint::default();
        footprint.restrict(effects.enforce(proc));
        for &site in calls.call_sites(proc) {
            footprint.restrict(effects.enforce(site.proc));
            if let Action::Call(call) = &program.edge(site).action {
                footprint.store(program, call);
            }
        }
        footprint
    }

    pub(crate) fn add_edge(&mut self, program: &Program, effects: &Effects, at: EdgeRef) {
        self.reads.extend(effects.reads(at).iter().map(|var| var.index()));
        self.writes.extend(effects.writes(at).iter().map(|var| var.index()));
        self.broadcasts |= match &program.edge(at).action {
            Action::Assign(assign) => !assign.broadcast.is_empty(),
            _ => false,
        };
    }

    /// Adds the shared variables that take results.
    pub(crate) fn store(&mut self, program: &Program, call: &Call) {
        let results = call.results.iter().flatten();
        let shared = results.filter(|&&var| program.is_shared(var));
        self.writes.extend(shared.map(|var| var.index()));
    }

    fn restrict(&mut self, vars: &[VarId]) {
        self.reads.extend(vars.iter().map(|var| var.index()));
        self.writes.extend(vars.iter().map(|var| var.index()));
    }
}

/// Of everything a call of each procedure may do, entering and returning from others included. With
/// [`Follow::CallsAndStarts`] also of the threads it starts.
pub(crate) fn whole(
    program: &Program,
    effects: &Effects,
    calls: &CallGraph,
    follow: Follow,
) -> PerProc<Footprint> {
    let own = |proc, whole: &mut Footprint| {
        whole.restrict(effects.enforce(proc));
        for (edge, it) in program.procs[proc].edges.iter_enumerated() {
            whole.add_edge(program, effects, EdgeRef { proc, edge });
            if let Action::Call(call) = &it.action {
                whole.store(program, call);
            }
        }
    };
    calls.close(follow, own, |whole, callee| whole.union_with(callee))
}

/// For each location the union of `own` over all locations that `succ` leads to from there, itself
/// included. Linear: locations on a common cycle share one set.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    component: LocMap<u32>,
    footprints: Vec<Footprint>,
}

impl Reached {
    pub(crate) fn of(base: LocBase, own: &[Footprint], succ: &Lists<u32>) -> Self {
        let found = components(succ);
        let mut component = vec![u32::MAX; own.len()];
        let mut footprints: Vec<Footprint> = Vec::with_capacity(found.len());
        for i in 0..found.len() {
            found.of(i).iter().for_each(|&node| component[node as usize] = i as u32);
            let mut footprint = Footprint::default();
            for &node in found.of(i) {
                footprint.union_with(&own[node as usize]);
                for &next in succ.of(node as usize) {
                    // Components that come later cannot be led to, this one is being built.
                    if let Some(after) = footprints.get(component[next as usize] as usize) {
                        footprint.union_with(after);
                    }
                }
            }
            footprints.push(footprint);
        }
        Reached { component: LocMap::from_items(base, component), footprints }
    }

    pub(crate) fn at(&self, at: LocRef) -> &Footprint {
        &self.footprints[self.component[at] as usize]
    }
}
