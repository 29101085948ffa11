//! What a state knows, forgotten as far as a piece of the program that is jumped over may change it.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{ObjId, VarId};
use hardbop_smt::TermId;

use crate::executor::{Executor, Role};
use crate::state::State;
use crate::value::{Base, Pointer, Value, choose_pointer, pointer};

/// Instances that a pointer of which the place was forgotten is looked for in.
const MAX_PLACES: usize = 16;

/// What executing a piece of the program, such as a loop, may change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Registers of the running function and global ones.
    pub vars: Vec<VarId>,
    /// What pointers among these may point to, as far as it is known and wanted.
    pub pointers: BTreeMap<VarId, Vec<ObjId>>,
    /// Contents.
    pub objects: Vec<ObjId>,
    /// A pointer that may point anywhere is written through.
    pub any_object: bool,
    /// Objects whose instances begin or end here.
    pub lives: Vec<ObjId>,
    pub allocates: bool,
}

impl Executor<'_> {
    /// The state after any number of executions of what makes the changes.
    pub fn forget(&mut self, state: &mut State, changes: &Changes) {
        let no_vars = if is_on(Fault::ForgetsNoRegisters) { changes.vars.len() } else { 0 };
        for &var in &changes.vars[no_vars..] {
            let value = match changes.pointers.get(&var) {
                Some(objects) => Value::Ptr(self.somewhere(state, objects)),
                None => self.unknown(self.program.vars[var].ty),
            };
            self.set(state, var, value);
        }
        for id in 0..state.memory.len() {
            if state.memory[id].is_none() || is_on(Fault::ForgetsNoMemory) {
                continue;
            }
            let object = self.instances[id].object;
            let is_const = self.instances[id].is_const;
            if (changes.any_object && !is_const) || changes.objects.contains(&object) {
                self.forget_instance(state, id as u32);
            }
            if (changes.any_object && self.instances[id].is_heap) || changes.lives.contains(&object)
            {
                let still = self.terms.var("alive", 1);
                if let Some(Some(slot)) = state.memory.get_mut(id) {
                    slot.alive = self.terms.and(slot.alive, still);
                }
            }
        }
        for &object in &changes.lives {
            if state.objects.contains_key(&object) {
                let anywhere = self.nowhere_known();
                Rc::make_mut(&mut state.objects).insert(object, anywhere);
            }
        }
        // Soundness: earlier rounds may have made instances that this state does not know of.
        if changes.allocates {
            let never = self.terms.bool(false);
            self.forget_made(state, never);
        }
    }

    /// Memory may have been made of which nothing is known, except where all of it has been freed.
    pub fn forget_made(&mut self, state: &State, all_freed: TermId) {
        if self.classes.iter().any(|it| it.is_of_heap()) {
            let mut guard = state.guard.clone();
            let lost = self.terms.not(all_freed);
            guard.add(&mut self.terms, lost);
            self.give_up(&guard, "memory is allocated in a loop without a bound");
        }
    }

    /// Null, anywhere in an instance of these objects that the state knows, or a pointer of which nothing is known: any
    /// pointer, told apart so that it can be shown to be no other.
    fn somewhere(&mut self, state: &State, objects: &[ObjId]) -> Pointer {
        let mut any = self.nowhere_known();
        let mut others = vec![self.null()];
        for id in self.places(state, objects) {
            let offset = self.terms.var("offset", u32::from(self.program.ptr_bits));
            others.push(pointer(&mut self.terms, Base::Instance(id), offset));
        }
        for other in others {
            let is_it = self.terms.var("points there", 1);
            any = choose_pointer(&mut self.terms, is_it, &other, &any);
        }
        any
    }

    /// The instances of these objects that a pointer may point into, as far as a state knows them.
    fn places(&self, state: &State, objects: &[ObjId]) -> Vec<u32> {
        let is_one = |&id: &usize| match &state.memory[id] {
            Some(slot) => {
                let instance = &self.instances[id];
                instance.role != Role::Shadow
                    && objects.contains(&instance.object)
                    && self.terms.as_const(slot.alive) != Some(0)
            }
            None => false,
        };
        (0..state.memory.len()).filter(is_one).take(MAX_PLACES).map(|id| id as u32).collect()
    }

    /// Where this holds, a pointer is null or points to one of the places of an earlier state. Soundness: these are the same that
    /// [`Executor::forget`] chooses from in that state.
    pub fn surely_known(
        &mut self,
        state: &State,
        var: VarId,
        objects: &[ObjId],
        earlier: &State,
    ) -> TermId {
        let places = self.places(earlier, objects);
        let mut elsewhere = Vec::new();
        for case in self.register(state, var).pointer().clone().iter() {
            match case.base {
                Base::Instance(id) if places.contains(&id) => {}
                Base::None => {
                    let is_number = self.terms.is_nonzero(case.offset);
                    elsewhere.push(self.terms.and(case.cond, is_number));
                }
                Base::Instance(_) | Base::Wild | Base::Func(_) => elsewhere.push(case.cond),
            }
        }
        let elsewhere = self.terms.or_all(&elsewhere);
        self.terms.not(elsewhere)
    }

    /// This holds where the state knows what the pointer points to.
    pub fn perhaps_known(&mut self, state: &State, var: VarId) -> TermId {
        let pointer = self.register(state, var).pointer().clone();
        let wild = pointer.iter().filter(|case| case.base == Base::Wild).map(|case| case.cond);
        let wild: Vec<TermId> = wild.collect();
        let wild = self.terms.or_all(&wild);
        self.terms.not(wild)
    }

    /// Where this holds, all memory of the heap that was made since an earlier state has been freed.
    pub fn surely_freed(&mut self, state: &State, earlier: &State) -> TermId {
        let mut live = Vec::new();
        for id in 0..state.memory.len() {
            let Some(slot) = &state.memory[id] else { continue };
            let was_there = matches!(earlier.memory.get(id), Some(Some(_)));
            if self.instances[id].is_heap && !was_there {
                live.push(slot.alive);
            }
        }
        let live = self.terms.or_all(&live);
        self.terms.not(live)
    }

    /// A pointer of which it is not known where it points.
    pub(crate) fn nowhere_known(&mut self) -> Pointer {
        let offset = self.terms.var("wild", u32::from(self.program.ptr_bits));
        pointer(&mut self.terms, Base::Wild, offset)
    }
}
