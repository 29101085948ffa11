//! What a state knows, forgotten as far as a piece of the program that is jumped over may change it.

use std::rc::Rc;

use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{Class, ObjId, VarId};

use crate::executor::Executor;
use crate::state::State;
use crate::value::{Base, Pointer, pointer};

/// What executing a piece of the program, such as a loop, may change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Registers of the running function and global ones.
    pub vars: Vec<VarId>,
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
            let value = self.unknown(self.program.vars[var].ty);
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
        if changes.allocates && self.classes.contains(&Class::Leak) {
            self.give_up(&state.guard.clone(), "memory is allocated in a loop without a bound");
        }
    }

    /// A pointer of which it is not known where it points.
    pub(crate) fn nowhere_known(&mut self) -> Pointer {
        let offset = self.terms.var("wild", u32::from(self.program.ptr_bits));
        pointer(&mut self.terms, Base::Wild, offset)
    }
}
