//! One block at a time, from a state somebody else made: for engines that look at a program as a
//! transition system over blocks.

use std::rc::Rc;

use hardbop_base::{Idx, Name};
use hardbop_cir::{BlockId, CheckId, FuncId, ObjId, ObjKind, VarId};
use hardbop_smt::TermId;

use crate::chunks::Chunks;
use crate::executor::{Executor, Input};
use crate::layout::{Content, Layout};
use crate::state::{Guard, Slot, State};
use crate::value::{Base, Pointer, Value, pointer};

/// What the execution of one block from one state says; conditions are over the terms of the state.
pub struct Step {
    /// Where it goes and with which state; `None` is the return of the function.
    pub after: Vec<(Option<BlockId>, State)>,
    pub fails: Vec<(CheckId, TermId)>,
    /// Where the path could not be followed, with the reason.
    pub given_up: Vec<(Name, TermId)>,
    /// The arbitrary values it asks for, in order.
    pub inputs: Vec<Input>,
}

impl Executor<'_> {
    /// Executes a block of the function that was begun.
    pub fn step(&mut self, func: FuncId, block: BlockId, state: State) -> Step {
        let after = match self.insts(func, block, state) {
            Some(state) => self.leave(func, block, state),
            None => Vec::new(),
        };
        let (fails, given_up) = self.facts.take_part();
        Step { after, fails, given_up, inputs: std::mem::take(&mut self.inputs) }
    }

    /// The state at the end of a block; `None` if no execution comes there.
    fn insts(&mut self, func: FuncId, block: BlockId, mut state: State) -> Option<State> {
        let program = self.program;
        for inst in &program.funcs[func].blocks[block].insts {
            state = self.op(&inst.op, state)?;
            if state.guard.is_false(&mut self.terms) {
                return None;
            }
        }
        Some(state)
    }

    /// An instance of an object for all steps, not alive yet; `None` if its size is not fixed.
    pub fn reserve(&mut self, state: &mut State, object: ObjId) -> Option<u32> {
        let size = self.bytes(self.program.objects[object].size?);
        let id = self.create(state, object, size, Content::Raw);
        let alive = self.terms.bool(false);
        if let Some(Some(slot)) = state.memory.get_mut(id as usize) {
            slot.alive = alive;
        }
        Some(id)
    }

    /// The instance of a global object.
    pub fn instance_of(&self, object: ObjId) -> Option<u32> {
        self.statics.get(&object).copied()
    }

    pub fn object_of(&self, instance: u32) -> ObjId {
        self.instances[instance as usize].object
    }

    /// Its size in bytes, where that is a constant.
    pub fn size_of(&self, instance: u32) -> Option<u64> {
        self.terms.as_const(self.instances[instance as usize].size).map(|it| it as u64)
    }

    /// How many instances there are; those that come later are made by steps.
    pub fn n_instances(&self) -> usize {
        self.instances.len()
    }

    /// Forgets the instances made by the last steps.
    pub fn drop_instances(&mut self, n: usize) {
        self.instances.truncate(n);
        self.addresses.drop_instances(n);
    }

    pub fn register_of(&mut self, state: &State, var: VarId) -> Value {
        self.register(state, var)
    }

    /// Whether the state says what the register holds.
    pub fn holds_register(&self, state: &State, var: VarId) -> bool {
        match self.program.vars[var].owner {
            None => state.globals[var.index()].is_some(),
            Some(_) => state.locals.get(self.code.slots[var]).is_some_and(Option::is_some),
        }
    }

    pub fn set_register(&mut self, state: &mut State, var: VarId, value: Value) {
        self.set(state, var, value);
    }

    /// What a state may hold of an instance.
    pub fn set_slot(&self, state: &mut State, instance: u32, layout: Rc<Layout>, alive: TermId) {
        state.memory[instance as usize] = Some(Slot { layout, alive });
    }

    /// A local object is where its only instance is, as long as that is alive.
    pub fn set_place(&mut self, state: &mut State, object: ObjId, instance: u32, alive: TermId) {
        if matches!(self.program.objects[object].kind, ObjKind::Local(_)) {
            let zero = self.bytes(0);
            let here = pointer(&mut self.terms, Base::Instance(instance), zero);
            let nowhere = self.null();
            let place: Pointer =
                crate::value::choose_pointer(&mut self.terms, alive, &here, &nowhere);
            Rc::make_mut(&mut state.objects).insert(object, place);
        }
    }

    /// An empty state of the same shape.
    pub fn blank(&self, like: &State) -> State {
        State {
            guard: Guard::default(),
            globals: Chunks::from_elem(None, like.globals.len()),
            locals: Chunks::from_elem(None, like.locals.len()),
            objects: Rc::default(),
            memory: Chunks::from_elem(None, like.memory.len()),
        }
    }
}
