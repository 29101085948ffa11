//! Memory of the heap that nothing leads to.

use hardbop_base::Idx;
use hardbop_cir::analysis::holding::held_by_calls;
use hardbop_cir::{Holder, ObjKind, VarKind};
use hardbop_smt::TermId;

use crate::exec::Executor;
use crate::state::State;
use crate::value::Value;

impl Executor<'_> {
    /// Every living heap instance is reached from what may hold it: from one to the next, as often as
    /// there are instances.
    pub(crate) fn no_leak(&mut self, state: &State, holder: Holder) -> TermId {
        let ids: Vec<usize> =
            (0..state.slots.len()).filter(|&id| state.slots[id].is_some()).collect();
        let heap: Vec<usize> =
            ids.iter().copied().filter(|&id| self.instances[id].is_heap).collect();
        let mut reached: Vec<(usize, TermId)> = Vec::new();
        let roots = self.roots(state, &ids, holder);
        for &id in &heap {
            let mut ways = Vec::new();
            for &(there, root) in &roots {
                let is_it = self.is_base(root, id);
                ways.push(self.prover.terms.and(there, is_it));
            }
            reached.push((id, self.prover.terms.or_all(&ways)));
        }
        for _ in 1..heap.len() {
            let before = reached.clone();
            for at in 0..reached.len() {
                let mut ways = vec![reached[at].1];
                for &(from, is_reached) in &before {
                    let alive = state.slot(from).map(|it| it.alive);
                    for base in self.stored(state, from) {
                        let is_it = self.is_base(base, heap[at]);
                        let terms = &mut self.prover.terms;
                        ways.extend(alive.map(|alive| terms.and_all(&[is_it, is_reached, alive])));
                    }
                }
                reached[at].1 = self.prover.terms.or_all(&ways);
            }
            if before == reached {
                break;
            }
        }
        let mut all = Vec::new();
        for (id, is_reached) in reached {
            let alive = state.slot(id).map(|it| it.alive);
            let terms = &mut self.prover.terms;
            all.extend(alive.map(|alive| terms.implies(alive, is_reached)));
        }
        self.prover.terms.and_all(&all)
    }

    /// The bases of what registers and objects point to that are no memory of the heap, and where each is there.
    fn roots(&mut self, state: &State, ids: &[usize], holder: Holder) -> Vec<(TermId, TermId)> {
        let program = self.program;
        let yes = self.prover.terms.bool(true);
        let mut roots = Vec::new();
        for (&var, value) in state.globals.iter() {
            if let Value::Ptr(ptr) = value
                && program.vars[var].kind != VarKind::Ghost
            {
                roots.push((yes, ptr.base));
            }
        }
        let has_calls = holder == Holder::Calls;
        if has_calls {
            let held = held_by_calls(program);
            for locals in self.callers.iter().chain([&state.locals]) {
                for (var, value) in locals.iter() {
                    if let (true, Value::Ptr(ptr)) = (held.contains(var.index()), value) {
                        roots.push((yes, ptr.base));
                    }
                }
            }
        }
        for &id in ids {
            let is_root = match program.objects[self.instances[id].object].kind {
                ObjKind::Global | ObjKind::Thread => true,
                ObjKind::Local(_) => has_calls,
                ObjKind::Heap(_) => false,
            };
            if let (true, Some(slot)) = (is_root, state.slot(id)) {
                let alive = slot.alive;
                roots.extend(self.stored(state, id).into_iter().map(|it| (alive, it)));
            }
        }
        roots
    }

    /// No heap instance lives.
    pub(crate) fn all_freed(&mut self, state: &State) -> TermId {
        let heap = (0..state.slots.len()).filter(|&id| self.instances[id].is_heap);
        let alive: Vec<TermId> = heap.filter_map(|id| Some(state.slot(id)?.alive)).collect();
        let any = self.prover.terms.or_all(&alive);
        self.prover.terms.not(any)
    }

    /// The bases of whole pointers stored in an instance.
    fn stored(&mut self, state: &State, id: usize) -> Vec<TermId> {
        use crate::memory::Part;
        let n = u64::from(self.program.ptr_bits / 8);
        let Some(slot) = state.slot(id) else { return Vec::new() };
        let known = &slot.cells.known;
        let terms = &mut self.prover.terms;
        let mut found = Vec::new();
        for (&at, first) in known {
            let is_part = |k: u64| {
                known.get(&at.wrapping_add(k)).is_some_and(|it| {
                    it.part == Part::At(k as u8) && it.base == first.base && !it.is_number(terms)
                })
            };
            if (0..n).all(is_part) {
                found.push(first.base);
            }
        }
        found
    }
}
