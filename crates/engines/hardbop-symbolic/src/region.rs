//! Loop-free stretches of a function between two cut points, from a state somebody else made: for
//! engine `cegar`.
//!
//! There are two kinds of states to begin with. [`Executor::anywhere`] knows nothing but what holds
//! of every execution at a place; a path of real states is walked from [`Executor::begin`] through
//! [`Executor::call_begin`] and [`Executor::call_end`].

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::{Exhausted, Idx, Name};
use hardbop_cir::{BlockId, Callee, CheckId, FuncId, ObjId, ObjKind, Op, Ty, VarId};
use hardbop_smt::TermId;

use crate::executor::{Executor, Frame, Knowledge};
use crate::objects::initial_of;
use crate::state::{State, merge};
use crate::value::{Base, Case, Pointer, Value, choose_pointer, pointer};

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

/// Where stretches end.
pub trait Cuts {
    /// Before a block. Soundness: every loop has a block where it is cut, the head of its component in
    /// [`crate::order::Order`].
    fn at_block(&self, func: FuncId, block: BlockId) -> bool;
    /// Before a call. Soundness: one that is not cut has no cut inside and calls nothing that is running.
    fn at_call(&self, callee: FuncId) -> bool;
}

/// Whether a local object has a live instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Always,
    Sometimes,
    Never,
}

/// What a pointer may point to, where that is all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointees {
    /// Each has one instance in an execution.
    pub objects: Vec<ObjId>,
    pub may_be_null: bool,
}

/// What an arbitrary state may have forgotten.
pub trait Oblivion {
    /// Whether the contents of the object may differ from the first ones.
    fn is_written(&self, object: ObjId) -> bool;
    /// Of a local object of the function.
    fn life(&self, object: ObjId) -> Life;
    /// Of a pointer register; `None` if it may point anywhere.
    fn pointees(&self, var: VarId) -> Option<Pointees>;
    /// Local objects of callers that registers may point to.
    fn outer(&self) -> Vec<(ObjId, Life)>;
}

impl Executor<'_> {
    /// The state of any execution at a place of a function: registers have any value, memory holds
    /// anything. `ground` is the first state of all executions. Ends with
    /// [`Executor::forget_frame`].
    pub fn anywhere(&mut self, ground: &State, func: FuncId, what: &impl Oblivion) -> State {
        let program = self.program;
        // Soundness: what this state does not know may be anything.
        assert_eq!(self.knowledge, Knowledge::Partial, "an arbitrary state knows less");
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
        state.locals = self.no_locals(func);
        self.frames.push(Frame::of(func));
        for (object, info) in program.objects.iter_enumerated() {
            if info.kind == ObjKind::Local(func) && what.life(object) != Life::Never {
                let place = self.place_local(&mut state, object, what.life(object));
                Rc::make_mut(&mut state.objects).insert(object, place);
            }
        }
        let mut places = BTreeMap::clone(&state.objects);
        for (object, life) in what.outer() {
            let place = self.place_local(&mut state, object, life);
            places.insert(object, place);
        }
        for (&object, &instance) in &self.statics {
            let zero = self.terms.constant(u32::from(program.ptr_bits), 0);
            places.insert(object, pointer(&mut self.terms, Base::Instance(instance), zero));
        }
        for (var, info) in program.vars.iter_enumerated() {
            if info.ty == Ty::Ptr
                && info.owner.is_none_or(|it| it == func)
                && let Some(pointees) = what.pointees(var)
                && let Some(value) = self.one_of(&places, &pointees)
            {
                self.set(&mut state, var, Value::Ptr(value));
            }
        }
        state
    }

    /// A pointer anywhere in or beside one of the objects; `None` if one of them has no place.
    fn one_of(&mut self, places: &BTreeMap<ObjId, Pointer>, what: &Pointees) -> Option<Pointer> {
        let mut result = what.may_be_null.then(|| self.null());
        for object in &what.objects {
            let [Case { base: base @ Base::Instance(_), .. }] = places.get(object)?[..] else {
                return None;
            };
            let offset = self.terms.var("offset", u32::from(self.program.ptr_bits));
            let into = pointer(&mut self.terms, base, offset);
            result = Some(match result {
                None => into,
                Some(others) => {
                    let is_this = self.terms.var("is", 1);
                    choose_pointer(&mut self.terms, is_this, &into, &others)
                }
            });
        }
        result
    }

    /// One instance stands for the one of this call; where its size is not fixed it is anywhere.
    fn place_local(&mut self, state: &mut State, object: ObjId, life: Life) -> Pointer {
        match self.reserve(state, object) {
            Some(id) => {
                let alive = match life {
                    Life::Always => self.terms.bool(true),
                    Life::Sometimes => self.terms.var("alive", 1),
                    Life::Never => self.terms.bool(false),
                };
                if let Some(Some(slot)) = state.memory.get_mut(id as usize) {
                    slot.alive = alive;
                }
                self.forget_instance(state, id);
                let zero = self.bytes(0);
                pointer(&mut self.terms, Base::Instance(id), zero)
            }
            None => self.nowhere_known(),
        }
    }

    /// Executes up to the next cuts and returns.
    pub fn stretch(
        &mut self,
        func: FuncId,
        from: At,
        state: State,
        cuts: &impl Cuts,
    ) -> Result<Stretch, Exhausted> {
        let ends = self.ends(func, from, state, cuts)?;
        let (fails, given_up) = self.facts.take_part();
        Ok(Stretch { ends, fails, given_up })
    }

    fn ends(
        &mut self,
        func: FuncId,
        from: At,
        state: State,
        cuts: &impl Cuts,
    ) -> Result<BTreeMap<End, State>, Exhausted> {
        let order = self.order(func);
        let position = |block: BlockId| order.places[block].position;
        let mut pending: BTreeMap<u32, (At, State)> = BTreeMap::new();
        pending.insert(position(from.block), (from, state));
        let mut ends: BTreeMap<End, State> = BTreeMap::new();
        while let Some((_, (at, state))) = pending.pop_first() {
            self.budget.check()?;
            let Some((end, state)) = self.insts_until_call(func, at, state, cuts)? else {
                continue;
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
                    End::Block(to) if !cuts.at_block(func, to) => {
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
        Ok(ends)
    }

    /// The state before the first call of the block that is cut or before its end; `None` if no execution
    /// comes there.
    fn insts_until_call(
        &mut self,
        func: FuncId,
        at: At,
        mut state: State,
        cuts: &impl Cuts,
    ) -> Result<Option<(Option<At>, State)>, Exhausted> {
        let program = self.program;
        let insts = &program.funcs[func].blocks[at.block].insts;
        for (inst, it) in insts.iter().enumerate().skip(at.inst) {
            let next = match it.op {
                Op::Call { callee: Callee::Func(callee), .. } if cuts.at_call(callee) => {
                    return Ok(Some((Some(At { inst, ..at }), state)));
                }
                Op::Call { callee: Callee::Func(callee), .. } => {
                    self.through(&it.op, callee, state, cuts)?
                }
                _ => self.op(&it.op, state),
            };
            match next {
                Some(next) if !next.guard.is_false(&mut self.terms) => state = next,
                _ => return Ok(None),
            }
        }
        Ok(Some((None, state)))
    }

    /// Goes through a call to its return; `None` if it does not return.
    fn through(
        &mut self,
        call: &Op,
        callee: FuncId,
        state: State,
        cuts: &impl Cuts,
    ) -> Result<Option<State>, Exhausted> {
        let (inner, suspended) = self.call_begin(call, state);
        let entry = At { block: BlockId::new(0), inst: 0 };
        let go = || self.ends(callee, entry, inner, cuts);
        let mut ends = hardbop_base::stack::maybe_grow(256 << 10, 8 << 20, go)?;
        let returned = ends.remove(&End::Return);
        assert!(ends.is_empty(), "what is gone through is not cut");
        Ok(match returned {
            Some(state) => Some(self.call_end(suspended, state)),
            None => {
                self.forget_frame();
                None
            }
        })
    }

    /// Two paths as one. Soundness: every register keeps its value, also one that nobody reads
    /// again, because predicates may speak of it.
    fn join_whole(&mut self, before: Option<State>, state: State) -> State {
        let Some(before) = before else { return state };
        let (program, ptr_bits) = (self.program, self.program.ptr_bits);
        let (terms, registers) = (&mut self.terms, &self.code.registers);
        let Some(frame) = self.frames.last_mut() else { unreachable!("a function is entered") };
        merge(terms, ptr_bits, before, state, &|_| true, &mut |terms, slot| {
            initial_of(terms, program, registers, frame, slot, ptr_bits)
        })
    }
}
