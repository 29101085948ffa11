//! Is every live heap instance reachable from what is global? The pointers of live instances are
//! followed round by round, as often as there are instances.

use hardbop_cir::{ObjKind, VarKind};
use hardbop_smt::TermId;

use crate::executor::Executor;
use crate::state::State;
use crate::value::{Base, Pointer, Value};

/// With more live instances than this the question is not asked.
const MAX_INSTANCES: usize = 200;

impl Executor<'_> {
    /// `None` if there are too many instances. A pointer that is not known to point to an instance
    /// does not hold it: that can only make the check fail where it does not.
    pub(crate) fn no_leak(&mut self, state: &State) -> Option<TermId> {
        let live: Vec<(u32, TermId)> = (0..)
            .zip(state.memory.iter())
            .filter_map(|(id, slot)| Some((id, slot.as_ref()?.alive)))
            .filter(|it| self.terms.as_const(it.1) != Some(0))
            .collect();
        let is_heap = |it: &Self, id: u32| it.instances[id as usize].is_heap;
        let heap: Vec<(u32, TermId)> =
            live.iter().copied().filter(|it| is_heap(self, it.0)).collect();
        if heap.len() > MAX_INSTANCES {
            return None;
        }
        let mut roots: Vec<Pointer> = Vec::new();
        for (value, var) in state.globals.iter().zip(self.program.vars.iter()) {
            if let Some(Value::Ptr(it)) = value
                && var.kind != VarKind::Ghost
            {
                roots.push(it.clone());
            }
        }
        for &(id, _) in &live {
            let object = self.instances[id as usize].object;
            if self.program.objects[object].kind == ObjKind::Global {
                roots.extend(self.pointers(state, id));
            }
        }
        let mut reached: Vec<TermId> = Vec::new();
        for &(id, _) in &heap {
            let by_roots: Vec<TermId> = roots.iter().flat_map(|it| conds(it, id)).collect();
            reached.push(self.terms.or_all(&by_roots));
        }
        // Local objects are no roots, and what only they hold is lost with them.
        for _ in 0..heap.len() {
            let mut next = reached.clone();
            for (at, &(from, alive)) in heap.iter().enumerate() {
                let open = self.terms.and(reached[at], alive);
                for pointer in self.pointers(state, from) {
                    for (to, &(id, _)) in heap.iter().enumerate() {
                        for cond in conds(&pointer, id) {
                            let edge = self.terms.and(open, cond);
                            next[to] = self.terms.or(next[to], edge);
                        }
                    }
                }
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        let mut parts = Vec::new();
        for (&(_, alive), &reached) in heap.iter().zip(&reached) {
            parts.push(self.terms.implies(alive, reached));
        }
        Some(self.terms.and_all(&parts))
    }

    /// The pointers an instance holds.
    fn pointers(&mut self, state: &State, id: u32) -> Vec<Pointer> {
        let Some(Some(slot)) = state.memory.get(id as usize) else { return Vec::new() };
        let (terms, ptr_bits) = (&mut self.terms, self.program.ptr_bits);
        let cells = slot.layout.cells.values();
        cells.filter_map(|cell| cell.content.held_pointer(terms, ptr_bits)).collect()
    }
}

fn conds(pointer: &Pointer, id: u32) -> impl Iterator<Item = TermId> + '_ {
    pointer.iter().filter(move |case| case.base == Base::Instance(id)).map(|case| case.cond)
}
