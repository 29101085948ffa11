//! Calls of functions with a body: what the caller keeps while the callee runs. Who goes through the
//! callee, and how often it may call itself, is not decided here.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{Callee, FuncId, ObjId, Op, VarId};

use crate::chunks::Chunks;
use crate::executor::{Executor, Frame};
use crate::forget::Changes;
use crate::state::State;
use crate::value::{Pointer, Value};

/// A caller that waits for a call to return.
pub struct Suspended {
    locals: Chunks<Option<Value>>,
    objects: Rc<BTreeMap<ObjId, Pointer>>,
    dst: Option<VarId>,
    callee: FuncId,
}

impl Executor<'_> {
    /// The first state of all executions, at the entry of `main`. To be called once.
    pub fn begin(&mut self) -> State {
        let main = self.program.main;
        let mut state = self.first_state();
        state.locals = self.no_locals(main);
        self.frames.push(Frame::of(main));
        state
    }

    /// A state at the entry of a function that the program may call after these changes of the first one, with any
    /// arguments.
    pub fn begin_anywhere(&mut self, func: FuncId, first: &State, changes: &Changes) -> State {
        let program = self.program;
        let mut state = first.clone();
        state.locals = self.no_locals(func);
        self.frames.push(Frame::of(func));
        self.forget(&mut state, changes);
        for &param in &program.funcs[func].params {
            let value = self.unknown(program.vars[param].ty);
            self.set(&mut state, param, value);
        }
        state
    }

    /// Registers of a function before their first assignment, and the place of its result.
    pub(crate) fn no_locals(&self, func: FuncId) -> Chunks<Option<Value>> {
        Chunks::from_elem(None, self.code.registers[func].len() + 1)
    }

    /// Enters the callee of an instruction that calls a function.
    pub fn call_begin(&mut self, call: &Op, mut state: State) -> (State, Suspended) {
        let Op::Call { dst, callee: Callee::Func(callee), args } = call else {
            unreachable!("only calls of functions are entered")
        };
        let args: Vec<Value> = args.iter().map(|&arg| self.eval(&state, arg)).collect();
        let mut locals = self.no_locals(*callee);
        for (&param, arg) in self.program.funcs[*callee].params.iter().zip(args) {
            locals[self.code.slots[param]] = Some(arg);
        }
        let locals = std::mem::replace(&mut state.locals, locals);
        if let Some(caller) = self.frames.last_mut() {
            caller.waiting = locals.clone();
        }
        let objects = std::mem::take(&mut state.objects);
        self.frames.push(Frame::of(*callee));
        (state, Suspended { locals, objects, dst: *dst, callee: *callee })
    }

    /// What a call that is not gone through returns.
    pub fn set_result(&self, state: &mut State, callee: FuncId, value: Value) {
        state.locals[self.code.registers[callee].len()] = Some(value);
    }

    /// Leaves it again.
    pub fn call_end(&mut self, suspended: Suspended, mut state: State) -> State {
        let program = self.program;
        let objects: Vec<Pointer> = state.objects.values().cloned().collect();
        objects.iter().for_each(|it| self.kill(&mut state, it));
        let value = state.locals[self.code.registers[suspended.callee].len()].take();
        self.frames.pop();
        (state.locals, state.objects) = (suspended.locals, suspended.objects);
        if let Some(dst) = suspended.dst {
            let value = value.unwrap_or_else(|| self.unknown(program.vars[dst].ty));
            let is_lost = is_on(Fault::ResultForgotten);
            let value = if is_lost { self.zero(program.vars[dst].ty) } else { value };
            self.set(&mut state, dst, value);
        }
        state
    }

    /// Leaves a function whose executions do not return, or whose state is of no more use.
    pub fn forget_frame(&mut self) {
        self.frames.pop();
    }
}
