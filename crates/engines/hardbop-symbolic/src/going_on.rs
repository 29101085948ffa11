//! Going on where it is not known whether a check holds, or where an access goes.
//!
//! A state that has forgotten where a pointer points cannot say that a check of it holds. To others the path ends there,
//! as if the check failed: they want all checks to hold, so one is enough. Who decides checks one by one must not
//! end it, because there may be executions on which the check holds and another one fails later. So the path goes on
//! wherever the check may hold; what is read through such a pointer is anything, and what is written may be anywhere.
//!
//! That an access is valid must have been checked before, on the same path: of one nobody asked about, nothing is
//! known, and the path is given up as elsewhere.

use hardbop_cir::Cond;
use hardbop_smt::TermId;

use crate::access::Target;
use crate::executor::{Executor, Knowledge, Role, Stance};
use crate::state::{Guard, State};
use crate::value::{Base, Pointer};

/// A check that paths have come past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    NotNull,
    Alive,
    /// So many bytes are inside.
    Inside(TermId),
    Freeable,
}

/// What is said of a pointer of unknown base, which its offset names, on paths that begin with a guard.
pub(crate) struct Passed {
    said: Said,
    offset: TermId,
    guard: Guard,
}

impl Executor<'_> {
    /// Paths go on where it is not known whether a check holds.
    pub fn going_on(self) -> Self {
        Executor { goes_on: true, ..self }
    }

    /// From the start on, a pointer of unknown base never had a value: it is known that its checks fail.
    fn may_be_unsure(&self) -> bool {
        self.goes_on && self.knowledge == Knowledge::Partial
    }

    /// The condition under which a check may hold, given that under which it is known to.
    pub(crate) fn may_hold(&mut self, state: &State, cond: Cond, holds: TermId) -> TermId {
        if !self.may_be_unsure() {
            return holds;
        }
        let stance = std::mem::replace(&mut self.stance, Stance::Assume);
        let possible = self.cond(state, cond);
        self.stance = stance;
        possible.map_or(holds, |it| self.terms.or(holds, it))
    }

    /// Remembers that a path has come past a check.
    pub(crate) fn note_passed(&mut self, state: &State, cond: Cond) {
        if !self.may_be_unsure() {
            return;
        }
        let (ptr, said) = match cond {
            Cond::NotNull(ptr) => (ptr, Said::NotNull),
            Cond::Alive(ptr) => (ptr, Said::Alive),
            Cond::InBounds { ptr, size } => (ptr, Said::Inside(self.eval_size(state, size))),
            Cond::Freeable(ptr) => (ptr, Said::Freeable),
            _ => return,
        };
        let value = self.eval(state, ptr);
        for case in value.pointer().iter().filter(|it| it.base == Base::Wild) {
            self.passed.push(Passed { said, offset: case.offset, guard: state.guard.clone() });
        }
    }

    /// Gives up the paths on which nothing is known of where the pointer points, but for those where all of this has
    /// been checked of it: the condition that it is one of these.
    // Soundness: the ends of objects' lives clear what was noted, so what was checked still holds.
    pub(crate) fn end_unchecked(
        &mut self,
        state: &mut State,
        ptr: &Pointer,
        needed: &[Said],
    ) -> Option<TermId> {
        let is_checked = |it: &Self, offset: TermId| {
            needed.iter().all(|said| {
                it.passed.iter().any(|passed| {
                    passed.said == *said
                        && passed.offset == offset
                        && state.guard.begins_with(&passed.guard)
                })
            })
        };
        let checked: Vec<TermId> = ptr
            .iter()
            .filter(|it| it.base == Base::Wild && is_checked(self, it.offset))
            .map(|it| it.cond)
            .collect();
        if checked.is_empty() {
            self.end_wild(state, ptr);
            return None;
        }
        // The cases of a pointer have one base each, so there is one that is wild.
        Some(self.terms.or_all(&checked))
    }

    /// Something was written to a place that is not known.
    pub(crate) fn write_anywhere(&mut self, state: &mut State, cond: TermId) {
        for id in 0..state.memory.len() as u32 {
            let instance = &self.instances[id as usize];
            let is_there = state.memory.get(id as usize).is_some_and(Option::is_some);
            if !is_there || instance.is_const || instance.role == Role::Shadow {
                continue;
            }
            let target = Target { cond, instance: id, offset: self.bytes(0) };
            self.update(state, &target, |executor, state, target| {
                executor.forget_instance(state, target.instance);
            });
        }
    }

    /// Something on the heap was freed, and it is not known what.
    pub(crate) fn free_anything(&mut self, state: &mut State, cond: TermId) {
        for id in 0..state.memory.len() {
            if !self.instances[id].is_heap {
                continue;
            }
            let still = self.terms.var("alive", 1);
            let still = self.terms.implies(cond, still);
            if let Some(Some(slot)) = state.memory.get_mut(id) {
                slot.alive = self.terms.and(slot.alive, still);
            }
        }
    }
}
