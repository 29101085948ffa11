//! Loop-free stretches of a function between two cut points, from a state somebody else made: for
//! engine `cegar`. The meaning of instructions is the unrolling's own.
//!
//! There are two kinds of states to begin with. [`Unroller::anywhere`] knows nothing but what holds
//! of every execution at a place; a path of real states is walked from [`Unroller::begin`] through
//! [`Unroller::call_begin`] and [`Unroller::call_end`].

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Exhausted, Idx, Name};
use hardbop_cir::{BlockId, Callee, CheckId, FuncId, ObjId, ObjKind, Op, VarId};
use hardbop_smt::TermId;
use rustc_hash::FxHashMap;

use crate::chunks::Chunks;
use crate::objects::initial_of;
use crate::state::{State, merge};
use crate::unroll::{Frame, Unroller};
use crate::value::{Base, Pointer, Value, pointer};

/// Before an instruction of a block, or before its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    pub block: BlockId,
    pub inst: usize,
}

/// Where a stretch ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// Before a block where stretches are cut.
    Block(BlockId),
    /// Before a call.
    Call(At),
    Return,
}

/// What the executions of a stretch do; conditions are over the terms of the state it began with.
pub struct Stretch {
    /// Each end once, with the merged state.
    pub ends: BTreeMap<End, State>,
    pub fails: Vec<(CheckId, TermId)>,
    /// Where the path could not be followed, with the reason.
    pub given_up: Vec<(Name, TermId)>,
}

/// Whether a local object has a live instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Always,
    Sometimes,
    Never,
}

/// What an arbitrary state may have forgotten.
pub trait Oblivion {
    /// Whether the contents of the object may differ from the first ones.
    fn is_written(&self, object: ObjId) -> bool;
    /// Of a local object of the function.
    fn life(&self, object: ObjId) -> Life;
}

/// A caller that waits for a call to return.
pub struct Suspended {
    locals: Chunks<Option<Value>>,
    objects: Rc<BTreeMap<ObjId, Pointer>>,
    dst: Option<VarId>,
    callee: FuncId,
}

impl Unroller<'_> {
    /// The state of any execution at a place of a function: registers have any value, memory holds
    /// anything. `ground` is the first state of all executions. Ends with
    /// [`Unroller::forget_frame`].
    pub fn anywhere(&mut self, ground: &State, func: FuncId, what: &impl Oblivion) -> State {
        let program = self.program;
        self.forgets = true;
        let mut state = ground.clone();
        state.objects = Rc::default();
        for (var, info) in program.vars.iter_enumerated() {
            if info.owner.is_none() {
                state.globals[var.index()] = Some(self.unknown(info.ty));
            }
        }
        let statics: Vec<(ObjId, u32)> = self.statics.iter().map(|(&k, &v)| (k, v)).collect();
        for (object, instance) in statics {
            if what.is_written(object) {
                self.forget_instance(&mut state, instance);
            }
        }
        state.locals = Chunks::from_elem(None, self.registers[func].len() + 1);
        self.frames.push(Frame { func, initial: FxHashMap::default() });
        for (object, info) in program.objects.iter_enumerated() {
            if info.kind == ObjKind::Local(func) && what.life(object) != Life::Never {
                self.place_local(&mut state, object, what.life(object));
            }
        }
        state
    }

    /// One instance stands for the one of this call; where its size is not fixed it is anywhere.
    fn place_local(&mut self, state: &mut State, object: ObjId, life: Life) {
        let place = match self.reserve(state, object) {
            Some(id) => {
                let alive = match life {
                    Life::Always => self.terms.bool(true),
                    _ => self.terms.var("alive", 1),
                };
                if let Some(Some(slot)) = state.memory.get_mut(id as usize) {
                    slot.alive = alive;
                }
                let zero = self.bytes(0);
                pointer(&mut self.terms, Base::Instance(id), zero)
            }
            None => {
                let offset = self.terms.var("wild", u32::from(self.program.ptr_bits));
                pointer(&mut self.terms, Base::Wild, offset)
            }
        };
        Rc::make_mut(&mut state.objects).insert(object, place);
    }

    pub fn forget_frame(&mut self) {
        self.frames.pop();
    }

    /// The first state of all executions, at the entry of `main`. To be called once.
    pub fn begin(&mut self) -> State {
        let program = self.program;
        let mut state = self.first_state();
        state.locals = Chunks::from_elem(None, self.registers[program.main].len() + 1);
        self.frames.push(Frame { func: program.main, initial: FxHashMap::default() });
        state
    }

    /// Executes up to the next blocks where stretches are cut, calls and returns. Soundness: every
    /// loop must have a block where it is cut, the head of its component in [`crate::order::Order`].
    pub fn stretch(
        &mut self,
        func: FuncId,
        from: At,
        state: State,
        is_cut: impl Fn(BlockId) -> bool,
    ) -> Result<Stretch, Exhausted> {
        let order = self.order(func);
        let position = |block: BlockId| order.places[block].position;
        let mut pending: BTreeMap<u32, (At, State)> = BTreeMap::new();
        pending.insert(position(from.block), (from, state));
        let mut ends: BTreeMap<End, State> = BTreeMap::new();
        while let Some((_, (at, state))) = pending.pop_first() {
            self.budget.check()?;
            let (end, state) = match self.insts_until_call(func, at, state)? {
                None => continue,
                Some(it) => it,
            };
            let after = match end {
                Some(call) => vec![(End::Call(call), state)],
                None => {
                    let after = self.leave(func, at.block, state).into_iter();
                    after.map(|(to, state)| (to.map_or(End::Return, End::Block), state)).collect()
                }
            };
            for (end, state) in after {
                match end {
                    End::Block(to) if !is_cut(to) => {
                        let before = pending.remove(&position(to)).map(|it| it.1);
                        let state = self.join_whole(before, state);
                        pending.insert(position(to), (At { block: to, inst: 0 }, state));
                    }
                    _ => {
                        let before = ends.remove(&end);
                        let state = self.join_whole(before, state);
                        ends.insert(end, state);
                    }
                }
            }
        }
        let not_modelled = Name::from("the condition of a check is not modelled");
        let unasked = std::mem::take(&mut self.unasked).into_iter();
        let mut given_up = std::mem::take(&mut self.given_up);
        given_up.extend(unasked.map(|(_, guard)| (not_modelled.clone(), guard)));
        Ok(Stretch { ends, fails: std::mem::take(&mut self.fails), given_up })
    }

    /// The state before the first call of the block or before its end; `None` if no execution comes
    /// there.
    fn insts_until_call(
        &mut self,
        func: FuncId,
        at: At,
        mut state: State,
    ) -> Result<Option<(Option<At>, State)>, Exhausted> {
        let program = self.program;
        let insts = &program.funcs[func].blocks[at.block].insts;
        for (inst, it) in insts.iter().enumerate().skip(at.inst) {
            if matches!(it.op, Op::Call { callee: Callee::Func(_), .. }) {
                return Ok(Some((Some(At { inst, ..at }), state)));
            }
            match self.op(&it.op, state)? {
                Some(next) if !next.guard.is_false(&mut self.terms) => state = next,
                _ => return Ok(None),
            }
        }
        Ok(Some((None, state)))
    }

    /// Two paths as one. Soundness: every register keeps its value, also one that nobody reads
    /// again, because predicates may speak of it.
    fn join_whole(&mut self, before: Option<State>, state: State) -> State {
        let Some(before) = before else { return state };
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        let (terms, registers) = (&mut self.terms, &self.registers);
        let Some(frame) = self.frames.last_mut() else { unreachable!("a function is entered") };
        merge(terms, ptr_bits, before, state, &|_| true, &mut |terms, slot| {
            initial_of(terms, program, registers, frame, slot, ptr_bits)
        })
    }

    /// Enters the callee of a call, on a path of real states.
    pub fn call_begin(&mut self, func: FuncId, at: At, mut state: State) -> (State, Suspended) {
        let program = self.program;
        let op = &program.funcs[func].blocks[at.block].insts[at.inst].op;
        let Op::Call { dst, callee: Callee::Func(callee), args } = op else {
            unreachable!("a stretch ended before a call")
        };
        let args: Vec<Value> = args.iter().map(|&arg| self.eval(&state, arg)).collect();
        let mut locals = Chunks::from_elem(None, self.registers[*callee].len() + 1);
        for (&param, arg) in program.funcs[*callee].params.iter().zip(args) {
            locals[self.slots[param]] = Some(arg);
        }
        let locals = std::mem::replace(&mut state.locals, locals);
        let objects = std::mem::take(&mut state.objects);
        self.frames.push(Frame { func: *callee, initial: FxHashMap::default() });
        (state, Suspended { locals, objects, dst: *dst, callee: *callee })
    }

    /// Leaves it again.
    pub fn call_end(&mut self, suspended: Suspended, mut state: State) -> State {
        let program = self.program;
        let objects: Vec<Pointer> = state.objects.values().cloned().collect();
        objects.iter().for_each(|it| self.kill(&mut state, it));
        let value = state.locals[self.registers[suspended.callee].len()].take();
        self.frames.pop();
        (state.locals, state.objects) = (suspended.locals, suspended.objects);
        if let Some(dst) = suspended.dst {
            let value = value.unwrap_or_else(|| self.unknown(program.vars[dst].ty));
            self.set(&mut state, dst, value);
        }
        state
    }

    /// The condition under which a state is there.
    pub fn guard(&mut self, state: &State) -> TermId {
        state.guard.term(&mut self.terms)
    }

    /// The values the last model gives to what the executions ask for, in order for each register:
    /// the inputs of the program, or all arbitrary values.
    pub fn inputs_of_model(&self, all: bool) -> FxHashMap<VarId, Vec<u128>> {
        let mut evaluator = self.solver.evaluator(&self.terms);
        let mut by_register: FxHashMap<VarId, Vec<u128>> = FxHashMap::default();
        for input in self.inputs.iter().filter(|it| it.is_input || all) {
            if evaluator.value(input.guard) == 1 {
                let value = input.term.map_or(0, |it| evaluator.value(it));
                by_register.entry(input.var).or_default().push(value);
            }
        }
        by_register
    }
}
