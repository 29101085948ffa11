//! Is every live heap instance reachable from what is global, or from what is running? The pointers of live instances are
//! followed round by round, as often as there are instances.

use hardbop_base::Idx;
use hardbop_cir::analysis::holding::is_system;
use hardbop_cir::{Holder, ObjKind, Ty, VarKind};
use hardbop_smt::TermId;

use crate::executor::Executor;
use crate::layout::Content;
use crate::state::State;
use crate::value::{Base, Case, Pointer, Value};

/// With more live instances than this the question is not asked.
const MAX_INSTANCES: usize = 200;

impl Executor<'_> {
    /// `None` if there are too many instances. A pointer that is not known to point to an instance
    /// does not hold it: that can only make the check fail where it does not.
    pub(crate) fn no_leak(&mut self, state: &State, holder: Holder) -> Option<TermId> {
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
        let roots = self.roots(state, &live, holder);
        let mut reached: Vec<TermId> = Vec::new();
        for &(id, _) in &heap {
            let mut by_roots = Vec::new();
            for (there, root) in &roots {
                for cond in conds(root, id) {
                    by_roots.push(self.terms.and(*there, cond));
                }
            }
            reached.push(self.terms.or_all(&by_roots));
        }
        // Local objects are no roots for those that are global, and what only they hold is lost with them.
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

    /// The pointers that memory may be held by, and under which condition each is there.
    fn roots(
        &mut self,
        state: &State,
        live: &[(u32, TermId)],
        holder: Holder,
    ) -> Vec<(TermId, Pointer)> {
        let yes = self.terms.bool(true);
        // Soundness: who does not follow calls takes what only they lead to for lost.
        let has_calls = holder == Holder::Calls && self.follows_calls;
        let mut values: Vec<Value> = Vec::new();
        for (value, var) in state.globals.iter().zip(self.program.vars.iter()) {
            let is_holder = holder != Holder::System || is_system(&var.name);
            if is_holder && var.kind != VarKind::Ghost && self.is_wide(var.ty) {
                values.extend(value.clone());
            }
        }
        if has_calls {
            let n = self.frames.len();
            for (at, frame) in self.frames.iter().enumerate() {
                let locals = if at + 1 == n { &state.locals } else { &frame.waiting };
                let registers = &self.code.registers[frame.func];
                for (var, value) in registers.iter().zip(locals.iter()) {
                    if self.held.contains(var.index()) {
                        values.extend(value.clone());
                    }
                }
            }
        }
        let mut roots = Vec::new();
        for value in values {
            roots.extend(self.pointer_held(state, &value).map(|it| (yes, it)));
        }
        for &(id, alive) in live {
            let object = self.instances[id as usize].object;
            let info = &self.program.objects[object];
            let is_root = match info.kind {
                ObjKind::Global | ObjKind::Thread => {
                    holder != Holder::System || is_system(&info.name)
                }
                ObjKind::Local(_) => has_calls,
                ObjKind::Heap(_) => false,
            };
            if is_root {
                roots.extend(self.pointers(state, id).into_iter().map(|it| (alive, it)));
            }
        }
        roots
    }

    fn is_wide(&self, ty: Ty) -> bool {
        ty == Ty::Ptr || ty == Ty::Int(self.program.ptr_bits)
    }

    /// The pointer that a value is, or that a number stands for.
    fn pointer_held(&mut self, state: &State, value: &Value) -> Option<Pointer> {
        match value {
            Value::Ptr(pointer) => Some(pointer.clone()),
            Value::Bits(number) => {
                self.is_number_held(*number).then(|| self.number_held(state, *number))
            }
        }
    }

    /// Soundness: a number holds only what it lies in; a pointer goes on holding what it was made of.
    fn number_held(&mut self, state: &State, number: TermId) -> Pointer {
        let zero = self.bytes(0);
        let mut cases = Vec::new();
        for case in self.pointer_at(state, number).iter() {
            if let Base::Instance(id) = case.base {
                let size = self.instances[id as usize].size;
                let is_inside = self.terms.ult(case.offset, size);
                let is_first = self.terms.eq(case.offset, zero);
                let lies_in = self.terms.or(is_inside, is_first);
                cases.push(Case { cond: self.terms.and(case.cond, lies_in), ..*case });
            }
        }
        cases.into()
    }

    /// Whether a number may be the address of something.
    fn is_number_held(&self, number: TermId) -> bool {
        let is_wide = self.terms.width(number) == u32::from(self.program.ptr_bits);
        is_wide && self.terms.as_const(number).is_none() && self.addresses.has_exposed()
    }

    /// The pointers an instance holds, and the numbers that are addresses.
    fn pointers(&mut self, state: &State, id: u32) -> Vec<Pointer> {
        let Some(Some(slot)) = state.memory.get(id as usize) else { return Vec::new() };
        let ptr_bits = self.program.ptr_bits;
        let mut held = Vec::new();
        for cell in slot.layout.cells.values() {
            held.extend(match &cell.content {
                Content::Bits(number) => self.pointer_held(state, &Value::Bits(*number)),
                other => other.held_pointer(&mut self.terms, ptr_bits),
            });
        }
        held
    }
}

fn conds(pointer: &Pointer, id: u32) -> impl Iterator<Item = TermId> + '_ {
    pointer.iter().filter(move |case| case.base == Base::Instance(id)).map(|case| case.cond)
}
