//! What instructions and the ends of blocks do to a state.

use std::rc::Rc;

use hardbop_base::Idx;
use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{
    BlockId, Callee, CheckId, Cond, FloatTy, FuncId, ObjId, Op, Source, Stop, Term, TextPart, Ty,
    VarId,
};
use hardbop_smt::TermId;

use crate::executor::{Executor, Input, Stance};
use crate::going_on::Said;
use crate::layout::Content;
use crate::state::State;
use crate::value::{Base, Pointer, Value, pointer, width_of};

impl Executor<'_> {
    /// Runs an instruction; `None` if no execution comes past it. Calls of functions are entered by who
    /// goes through the program.
    pub(crate) fn op(&mut self, op: &Op, mut state: State) -> Option<State> {
        let program = self.program;
        match op {
            Op::Set { dst, value } => {
                let value = self.eval(&state, *value);
                self.set(&mut state, *dst, value);
            }
            Op::Nondet { dst, source } => {
                let value = self.arbitrary(&state, *dst, source);
                self.set(&mut state, *dst, value);
            }
            Op::Load { dst, ptr } => {
                let ptr = self.eval(&state, *ptr);
                let value = self.load(&mut state, ptr.pointer(), program.vars[*dst].ty);
                self.set(&mut state, *dst, value);
            }
            Op::Size { dst, ptr } => {
                let ptr = self.eval(&state, *ptr);
                let size = self.size_pointed_into(&state, ptr.pointer());
                self.set(&mut state, *dst, Value::Bits(size));
            }
            Op::Store { ptr, value } => {
                let (to, stored) = (self.eval(&state, *ptr), self.eval(&state, *value));
                self.store(&mut state, to.pointer(), &stored, program.exprs.ty(*value));
            }
            Op::Copy { dst, src, size } => {
                let (dst, src) = (self.eval(&state, *dst), self.eval(&state, *src));
                let size = self.eval_size(&state, *size);
                self.copy(&mut state, dst.pointer(), src.pointer(), size);
            }
            Op::Fill { dst, byte, size } => {
                let (dst, byte) = (self.eval(&state, *dst), self.eval_bits(&state, *byte));
                let size = self.eval_size(&state, *size);
                self.fill(&mut state, dst.pointer(), byte, size);
            }
            Op::Repeat { dst, value, size } => {
                let (dst, value) = (self.eval(&state, *dst), self.eval(&state, *value));
                let size = self.eval_size(&state, *size);
                self.repeat(&mut state, dst.pointer(), value.pointer(), size);
            }
            Op::Havoc { ptr } => {
                let ptr = self.eval(&state, *ptr);
                self.havoc(&mut state, ptr.pointer());
            }
            Op::Enter { object, size } => {
                let size = match size {
                    Some(size) => self.eval_size(&state, *size),
                    None => self.bytes(program.objects[*object].size.unwrap_or(0)),
                };
                if let Some(old) = state.objects.get(object).cloned() {
                    self.kill(&mut state, &old);
                }
                let made = self.fresh(&mut state, *object, size);
                Rc::make_mut(&mut state.objects).insert(*object, made);
            }
            Op::Leave { object } => {
                if let Some(old) = Rc::make_mut(&mut state.objects).remove(object) {
                    self.kill(&mut state, &old);
                }
            }
            Op::Alloc { dst, object, size } => {
                let size = self.eval_size(&state, *size);
                let made = self.fresh(&mut state, *object, size);
                self.set(&mut state, *dst, Value::Ptr(made));
            }
            Op::Free { ptr } => {
                let value = self.eval(&state, *ptr);
                let wild = self.end_unchecked(&mut state, value.pointer(), &[Said::Freeable]);
                if let Some(allowed) = self.cond(&state, Cond::Freeable(*ptr)) {
                    let allowed = match wild {
                        Some(_) => self.may_hold(&state, Cond::Freeable(*ptr), allowed),
                        None => allowed,
                    };
                    let mut guard = state.guard.clone();
                    let invalid = self.terms.not(allowed);
                    guard.add(&mut self.terms, invalid);
                    self.has_no_meaning(&guard, "a free may be invalid, which was not asked for");
                    state.guard.add(&mut self.terms, allowed);
                }
                self.kill(&mut state, value.pointer());
                if let Some(wild) = wild {
                    self.free_anything(&mut state, wild);
                }
            }
            Op::Call { callee, .. } => {
                let what = match callee {
                    Callee::Func(_) => "a call that is not followed",
                    _ => "a call through a pointer",
                };
                self.give_up(&state.guard, what);
                return None;
            }
            Op::Print { dst, .. } => {
                if let Some(dst) = dst {
                    let value = self.unknown(program.vars[*dst].ty);
                    self.set(&mut state, *dst, value);
                }
            }
            Op::Assume { cond } => {
                let cond = self.eval_bits(&state, *cond);
                state.guard.add(&mut self.terms, cond);
            }
            Op::Check { check, cond } => self.check(&mut state, *check, *cond),
            Op::Thread(_) => {
                self.give_up(&state.guard, "a thread");
                return None;
            }
        }
        Some(state)
    }

    pub(crate) fn check(&mut self, state: &mut State, check: CheckId, cond: Cond) {
        let info = &self.program.checks[check];
        if !self.classes.contains(&info.class) {
            return;
        }
        let guard = state.guard.term(&mut self.terms);
        if let Some(visits) = &mut self.facts.visits {
            visits.push((check, guard));
        }
        let Some(holds) = self.cond(state, cond) else {
            if self.stance == Stance::Ask {
                self.facts.unasked.push((check, guard));
            }
            return;
        };
        if self.stance == Stance::Assume {
            state.guard.add(&mut self.terms, holds);
            return;
        }
        let not = self.terms.not(holds);
        let fails = self.terms.and(guard, not);
        let is_dropped = is_on(Fault::ChecksDropped) && !self.facts.fails.is_empty();
        if self.terms.as_const(fails) != Some(0) && !is_dropped {
            self.facts.fails.push((check, fails));
            if info.is_fatal() {
                let possible = self.may_hold(state, cond, holds);
                state.guard.add(&mut self.terms, possible);
                self.note_passed(state, cond);
            }
        }
    }

    /// The states after a block, with where they go; `None` is the return.
    pub(crate) fn leave(
        &mut self,
        func: FuncId,
        block: BlockId,
        mut state: State,
    ) -> Vec<(Option<BlockId>, State)> {
        let program = self.program;
        let mut result = Vec::new();
        match &program.funcs[func].blocks[block].term {
            Term::Goto(to) => result.push((Some(*to), state)),
            Term::Branch { cond, yes, no } => {
                let cond = self.eval_bits(&state, *cond);
                let not = self.terms.not(cond);
                for (cond, to) in [(cond, *yes), (not, *no)] {
                    if is_on(Fault::BranchOneWay) && !result.is_empty() {
                        continue;
                    }
                    if let Some(state) = self.split(&state, cond) {
                        result.push((Some(to), state));
                    }
                }
            }
            Term::Switch { value, cases, default } => {
                let value = self.eval_bits(&state, *value);
                let width = self.terms.width(value);
                let mut others = Vec::new();
                for &(constant, to) in cases {
                    let constant = self.terms.constant(width, constant);
                    let here = self.terms.eq(value, constant);
                    others.push(self.terms.not(here));
                    if let Some(state) = self.split(&state, here) {
                        result.push((Some(to), state));
                    }
                }
                let none = self.terms.and_all(&others);
                if let Some(state) = self.split(&state, none) {
                    result.push((Some(*default), state));
                }
            }
            Term::Return(value) => {
                let n = self.code.registers[func].len();
                state.locals[n] = value.map(|value| self.eval(&state, value));
                result.push((None, state));
            }
            Term::Stop(Stop::Thread(_)) => self.has_no_meaning(&state.guard, "a thread"),
            Term::Stop(Stop::Unsupported(what)) => self.has_no_meaning(&state.guard, what),
            Term::Stop(_) => {}
        }
        self.n_splits += u64::from(result.len() > 1);
        result
    }

    pub(crate) fn split(&mut self, state: &State, cond: TermId) -> Option<State> {
        if self.terms.as_const(cond) == Some(0) {
            return None;
        }
        let mut guard = state.guard.clone();
        guard.add(&mut self.terms, cond);
        if guard.is_false(&mut self.terms) {
            return None;
        }
        Some(State { guard, ..state.clone() })
    }

    pub(crate) fn set(&mut self, state: &mut State, var: VarId, value: Value) {
        if self.program.vars[var].owner.is_none() {
            state.globals[var.index()] = Some(value);
        } else {
            state.locals[self.code.slots[var]] = Some(value);
        }
    }

    pub(crate) fn fresh(&mut self, state: &mut State, object: ObjId, size: TermId) -> Pointer {
        let instance = self.create(state, object, size, Content::Raw);
        let zero = self.bytes(0);
        pointer(&mut self.terms, Base::Instance(instance), zero)
    }

    pub(crate) fn arbitrary(&mut self, state: &State, var: VarId, source: &Source) -> Value {
        let ty = self.program.vars[var].ty;
        let (value, term) = match ty {
            Ty::Float(FloatTy::F32) => {
                let bits = self.terms.var("input", 32);
                (Value::Bits(self.widen(bits)), Some(bits))
            }
            Ty::Ptr => (self.unknown(ty), None),
            _ => {
                let term = self.terms.var("input", width_of(ty));
                (Value::Bits(term), Some(term))
            }
        };
        let guard = state.guard.term(&mut self.terms);
        let is_input = source.input().is_some();
        self.inputs.push(Input { guard, var, term, is_input });
        if let (Source::Argument(_, TextPart::Length), Some(length)) = (source, term) {
            let longest = self.terms.constant(width_of(ty), TextPart::CHOSEN.into());
            let is_short = self.terms.ule(length, longest);
            self.facts.short_texts.push(is_short);
        }
        value
    }
}
