//! What every analysis that flows backwards over the whole program needs, computed once.

use hardbop_base::{Idx, IndexVec};

use super::callgraph::{CallGraph, Follow};
use super::dfs::Dfs;
use super::locmap::LocBase;
use super::preds::{ControlGraph, Preds};
use crate::program::{Loc, LocRef, ProcId, Program};

/// Numbers, predecessors and visiting orders of all locations.
#[derive(Debug)]
pub(crate) struct Backward {
    pub(crate) base: LocBase,
    /// The location of each number.
    pub(crate) refs: Vec<LocRef>,
    pub(crate) preds: IndexVec<ProcId, Preds>,
    /// Of each procedure, at the numbers of its locations: those numbers, successors first.
    successors_first: Vec<u32>,
}

/// In which order procedures are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Procs {
    CalleesFirst,
    CallersFirst,
}

impl Backward {
    pub(crate) fn of(program: &Program) -> Self {
        let base = LocBase::new(program);
        let mut successors_first = Vec::with_capacity(base.len());
        for (id, proc) in program.procs.iter_enumerated() {
            let first = base.flat(id, Loc::new(0)) as u32;
            let order = Dfs::of(&ControlGraph::of(proc)).successors_first();
            successors_first.extend(order.into_iter().map(|loc| first + loc));
        }
        Backward {
            refs: program.all_locs().map(|(at, _)| at).collect(),
            preds: program.procs.iter().map(Preds::of).collect(),
            successors_first,
            base,
        }
    }

    /// All locations in an order in which sets that flow backwards settle soon.
    pub(crate) fn order(&self, calls: &CallGraph, procs: Procs) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.base.len());
        let mut add = |component: &[ProcId]| {
            for &proc in component {
                order.extend_from_slice(&self.successors_first[self.base.range(proc)]);
            }
        };
        let components = calls.components(Follow::Calls);
        match procs {
            Procs::CalleesFirst => components.for_each(&mut add),
            Procs::CallersFirst => components.rev().for_each(&mut add),
        }
        order
    }
}
