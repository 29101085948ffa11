//! What a thread may touch before its atomic section ends: Ratomic and Watomic of BOOM table 6.1.
//!
//! For partial-order reduction a section is one instruction, hence `atomic_begin` carries the sets
//! of its whole section (BOOM table 6.2). A section may span calls and returns: a call brings all
//! the callee may do, the exit goes on in every caller. Threads started inside a section do not run
//! before it ends and are not met.

use super::callgraph::{CallGraph, Follow};
use super::effects::{Effects, Reading};
use super::footprint::{Footprint, Reached, whole};
use super::future::return_sites;
use super::lists::Lists;
use super::locmap::LocBase;
use crate::program::{Action, EdgeRef, LocRef, Program};

/// The future of each location up to the next `atomic_end`.
#[derive(Clone, Debug)]
pub struct AtomicFuture {
    reached: Reached,
}

impl AtomicFuture {
    /// `effects` in a reading of dependence.
    pub fn of(program: &Program, effects: &Effects, calls: &CallGraph) -> Self {
        debug_assert_ne!(effects.reading(), Reading::DataFlow);
        let whole = whole(program, effects, calls, Follow::Calls);
        let base = LocBase::new(program);
        let (mut own, mut succ) = (Vec::with_capacity(base.len()), Lists::new());
        let mut next = Vec::new();
        for (LocRef { proc, loc }, _) in program.all_locs() {
            let body = &program.procs[proc];
            let mut footprint = Footprint::default();
            next.clear();
            for (edge, it) in body.out_edges(loc) {
                // The step that ends the section is itself still part of it: `enforce` restricts.
                footprint.add_edge(program, effects, EdgeRef { proc, edge });
                if let Action::Call(call) = &it.action {
                    footprint.union_with(&whole[call.callee]);
                    footprint.store(program, call);
                }
                if it.falls_through() && it.action != Action::AtomicEnd {
                    next.push(base.flat(proc, it.to) as u32);
                }
            }
            if loc == body.exit {
                footprint.union_with(&Footprint::of_return(program, effects, calls, proc));
                next.extend(return_sites(program, &base, calls, proc));
            }
            own.push(footprint);
            succ.push(&next);
        }
        AtomicFuture { reached: Reached::of(base, &own, &succ) }
    }

    /// What a thread inside a section may do from the location to the end of the section.
    pub fn at(&self, at: LocRef) -> &Footprint {
        self.reached.at(at)
    }

    /// Of one edge as one instruction: `atomic_begin` with its section.
    pub fn step(&self, program: &Program, effects: &Effects, at: EdgeRef) -> Footprint {
        let mut footprint = Footprint::of_edge(program, effects, at);
        let edge = program.edge(at);
        if edge.action == Action::AtomicBegin {
            footprint.union_with(self.at(LocRef { proc: at.proc, loc: edge.to }));
        }
        footprint
    }
}
