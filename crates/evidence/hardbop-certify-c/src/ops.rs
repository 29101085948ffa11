//! What instructions do to a state, and what checks ask.

use std::rc::Rc;

use hardbop_base::Span;
use hardbop_cir::{Callee, CheckId, Cond, ExprId, FuncId, Holder, Op, Ty, VarId};
use hardbop_smt::TermId;

use crate::Rejected;
use crate::exec::{Executor, Go};
use crate::expr::resize;
use crate::state::State;
use crate::value::{BASE_BITS, Pointer, Value};

impl Executor<'_> {
    /// The state after an instruction; none if no execution comes past it.
    pub(crate) fn op(&mut self, op: &Op, mut state: State, span: Span) -> Go<Option<State>> {
        let program = self.program;
        match op {
            Op::Set { dst, value } => {
                let value = self.eval(&state, *value);
                self.set(&mut state, *dst, value);
            }
            Op::Nondet { dst, .. } => self.set_any(&mut state, *dst),
            Op::Print { dst, .. } => {
                if let Some(dst) = dst {
                    self.set_any(&mut state, *dst);
                }
            }
            Op::Load { dst, ptr } => {
                let ptr = self.eval_pointer(&state, *ptr);
                let value = self.load(&mut state, ptr, program.vars[*dst].ty, span);
                self.set(&mut state, *dst, value);
            }
            Op::Store { ptr, value } => {
                let (to, ty) = (self.eval_pointer(&state, *ptr), program.exprs.ty(*value));
                let value = self.eval(&state, *value);
                self.store(&mut state, to, value, ty, span);
            }
            Op::Copy { dst, src, size } => {
                let (to, from) = (self.eval_pointer(&state, *dst), self.eval_pointer(&state, *src));
                let size = self.eval_bits(&state, *size);
                self.copy(&mut state, to, from, size, span);
            }
            Op::Fill { dst, byte, size } => {
                let (to, byte) = (self.eval_pointer(&state, *dst), self.eval_bits(&state, *byte));
                let size = self.eval_bits(&state, *size);
                self.fill(&mut state, to, byte, size, span);
            }
            // What is repeated is forgotten: more behaviours, not less.
            Op::Repeat { dst, size, .. } => {
                let (to, size) = (self.eval_pointer(&state, *dst), self.eval_bits(&state, *size));
                self.must_hold_bytes(&mut state, to, size, span);
                self.havoc(&mut state, to);
            }
            Op::Havoc { ptr } => {
                let ptr = self.eval_pointer(&state, *ptr);
                // Soundness: the body of a function with a contract does not know all objects there are.
                if !self.said.contracts.is_empty() {
                    self.must_be_valid(&mut state, ptr, 0, span);
                }
                self.havoc(&mut state, ptr);
            }
            Op::Enter { object, size } => {
                let size = match size {
                    Some(size) => self.eval_size(&state, *size),
                    None => self.bytes(program.objects[*object].size.unwrap_or(0)),
                };
                // A jump back over the declaration ends the life of the one before.
                if let Some(old) = Rc::make_mut(&mut state.objects).remove(object) {
                    self.kill(&mut state, old);
                }
                let rest = self.anything();
                let made = self.create(&mut state, *object, size, rest);
                let base = self.base_of(made);
                Rc::make_mut(&mut state.objects).insert(*object, base);
            }
            Op::Leave { object } => {
                if let Some(old) = Rc::make_mut(&mut state.objects).remove(object) {
                    self.kill(&mut state, old);
                }
            }
            Op::Alloc { dst, object, size } => {
                let size = self.eval_size(&state, *size);
                let rest = self.anything();
                let made = self.create(&mut state, *object, size, rest);
                let base = self.base_of(made);
                let start = self.at_start(base);
                self.set(&mut state, *dst, Value::Ptr(start));
            }
            Op::Size { dst, ptr } => {
                let ptr = self.eval_pointer(&state, *ptr);
                let size = self.size_of(&state, ptr);
                let Ty::Int(width) = program.vars[*dst].ty else {
                    return Err(Rejected::At(span, "the size of an object is no number".into()));
                };
                let size = resize(&mut self.prover.terms, size, u32::from(width));
                self.set(&mut state, *dst, Value::Bits(size));
            }
            Op::Free { ptr } => {
                let ptr = self.eval_pointer(&state, *ptr);
                let allowed = self.is_freeable(&state, ptr);
                self.require(&mut state, allowed, span, "a free may be invalid");
                self.kill(&mut state, ptr.base);
            }
            Op::Call { dst, callee, args } => {
                return self.enter(&state, *dst, *callee, args, span);
            }
            Op::Assume { cond } => {
                let cond = self.eval_bits(&state, *cond);
                return Ok(self.assuming(&state, cond));
            }
            Op::Check { check, cond } => self.check(&mut state, *check, *cond, span)?,
            // Soundness: what is known of memory holds for one thread.
            Op::Thread(_) => return Err(Rejected::At(span, "a thread".into())),
        }
        Ok(Some(state))
    }

    fn set_any(&mut self, state: &mut State, dst: VarId) {
        let value = self.any(self.program.vars[dst].ty);
        self.set(state, dst, value);
    }

    /// As wide as a pointer. Soundness: an object larger than addresses reach does not exist.
    fn eval_size(&mut self, state: &State, size: ExprId) -> TermId {
        let size = self.eval_bits(state, size);
        resize(&mut self.prover.terms, size, u32::from(self.program.ptr_bits))
    }

    fn check(&mut self, state: &mut State, check: CheckId, cond: Cond, span: Span) -> Go {
        let info = &self.program.checks[check];
        if self.is_asked(info.class) {
            let holds = self.holds(state, cond, span)?;
            self.require(state, holds, info.span, &info.message);
        }
        Ok(())
    }

    fn enter(
        &mut self,
        state: &State,
        dst: Option<VarId>,
        callee: Callee,
        args: &[ExprId],
        span: Span,
    ) -> Go<Option<State>> {
        let args: Vec<Value> = args.iter().map(|&arg| self.eval(state, arg)).collect();
        let ptr = match callee {
            Callee::Func(func) => return self.enter_one(state.clone(), func, dst, args, span),
            Callee::Ptr(ptr) => self.eval_pointer(state, ptr),
        };
        let (mut after, mut others) = (Vec::new(), state.clone());
        let zero = self.bytes(0);
        for func in self.program.funcs.ids() {
            let terms = &mut self.prover.terms;
            let base = terms.constant(BASE_BITS, u128::from(func.as_u32()) + 1);
            let (is_base, is_start) = (terms.eq(ptr.base, base), terms.eq(ptr.offset, zero));
            let is_it = terms.and(is_base, is_start);
            let not = terms.not(is_it);
            if let Some(state) = self.assuming(&others, is_it) {
                if self.fits_call(func, dst, &args) {
                    after.extend(self.enter_one(state, func, dst, args.clone(), span)?);
                } else {
                    self.never(&state, span, "a call of a function of another type".into());
                }
            }
            match self.assuming(&others, not) {
                Some(rest) => others = rest,
                None => return Ok(self.join_all(after)),
            }
        }
        // Soundness: a call of what is no function has no meaning.
        let never = self.prover.terms.bool(false);
        self.require(&mut others, never, span, "a call through a pointer that is no function");
        Ok(self.join_all(after))
    }

    fn enter_one(
        &mut self,
        state: State,
        func: FuncId,
        dst: Option<VarId>,
        args: Vec<Value>,
        span: Span,
    ) -> Go<Option<State>> {
        let called = match self.said.contracts.get(&func) {
            Some(contract) => self.call_by_contract(func, contract, args, state, span),
            None => self.call(func, args, state, span)?,
        };
        let Some((mut state, result)) = called else { return Ok(None) };
        if let Some(dst) = dst {
            match result {
                Some(value) => self.set(&mut state, dst, value),
                None => self.set_any(&mut state, dst),
            }
        }
        Ok(Some(state))
    }

    fn fits_call(&self, func: FuncId, dst: Option<VarId>, args: &[Value]) -> bool {
        let it = &self.program.funcs[func];
        let fits = |(&param, arg): (&VarId, &Value)| match (self.program.vars[param].ty, arg) {
            (Ty::Ptr, Value::Ptr(_)) => true,
            (Ty::Ptr, _) | (_, Value::Ptr(_)) => false,
            (ty, Value::Bits(bits)) => self.prover.terms.width(*bits) == crate::value::width(ty),
        };
        it.params.len() == args.len()
            && it.params.iter().zip(args).all(fits)
            && dst.is_none_or(|dst| it.result == Some(self.program.vars[dst].ty))
    }

    // What is asked of pointers.

    /// The instance is alive and `size` bytes from the pointer on lie inside.
    pub(crate) fn fits(&mut self, state: &State, ptr: Pointer, size: TermId) -> TermId {
        let mut ways = Vec::new();
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id) else { continue };
            let alive = slot.alive;
            let (is_it, inside) = (self.is_base(ptr.base, id), self.is_inside(ptr, size, id));
            ways.push(self.prover.terms.and_all(&[is_it, alive, inside]));
        }
        self.prover.terms.or_all(&ways)
    }

    /// `size` bytes from the pointer on lie inside of the instance, dead or alive.
    fn is_inside(&mut self, ptr: Pointer, size: TermId, id: usize) -> TermId {
        let terms = &mut self.prover.terms;
        // One bit more than each of them: the sum does not wrap.
        let width = terms.width(size).max(terms.width(ptr.offset)) + 1;
        let (start, size) = (terms.zero_extend(ptr.offset, width), terms.zero_extend(size, width));
        let whole = terms.zero_extend(self.instances[id].size, width);
        let end = terms.add(start, size);
        terms.ule(end, whole)
    }

    pub(crate) fn must_be_valid(&mut self, state: &mut State, ptr: Pointer, n: u64, span: Span) {
        let n = self.bytes(n);
        let valid = self.fits(state, ptr, n);
        self.require(state, valid, span, "an access may be invalid");
    }

    /// No byte at all needs no object.
    pub(crate) fn must_hold_bytes(
        &mut self,
        state: &mut State,
        ptr: Pointer,
        size: TermId,
        span: Span,
    ) {
        let valid = self.fits(state, ptr, size);
        let terms = &mut self.prover.terms;
        let some = terms.is_nonzero(size);
        let allowed = terms.implies(some, valid);
        self.require(state, allowed, span, "an access may be invalid");
    }

    /// 0 if it points into no living object.
    pub(crate) fn size_of(&mut self, state: &State, ptr: Pointer) -> TermId {
        let mut size = self.bytes(0);
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id) else { continue };
            let alive = slot.alive;
            let is_it = self.is_base(ptr.base, id);
            let terms = &mut self.prover.terms;
            let here = terms.and(is_it, alive);
            size = terms.ite(here, self.instances[id].size, size);
        }
        size
    }

    fn is_freeable(&mut self, state: &State, ptr: Pointer) -> TermId {
        let (none, zero) = (self.no_base(), self.bytes(0));
        let terms = &mut self.prover.terms;
        let mut ways = vec![terms.eq(ptr.base, none)];
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id).filter(|_| self.instances[id].is_heap) else {
                continue;
            };
            let alive = slot.alive;
            let is_it = self.is_base(ptr.base, id);
            ways.push(self.prover.terms.and(is_it, alive));
        }
        let terms = &mut self.prover.terms;
        let (base, at_start) = (terms.or_all(&ways), terms.eq(ptr.offset, zero));
        terms.and(base, at_start)
    }

    /// Soundness: a base that is no instance the state knows is that of a dead one, and of that nothing is said
    /// to hold but that it is none of the others.
    fn holds(&mut self, state: &State, cond: Cond, span: Span) -> Go<TermId> {
        Ok(match cond {
            Cond::Holds(e) => self.eval_bits(state, e),
            Cond::Fails => self.prover.terms.bool(false),
            // With one thread nothing that is watched for can happen.
            Cond::Watched => self.prover.terms.bool(true),
            Cond::NotNull(ptr) => {
                let ptr = self.eval_pointer(state, ptr);
                self.is_instance(ptr.base)
            }
            Cond::Alive(ptr) => self.of_instance(state, ptr, |_, alive, _, _| alive),
            Cond::InBounds { ptr, size } => {
                let size = self.eval_bits(state, size);
                self.of_instance(state, ptr, |it, alive, ptr, id| {
                    let inside = it.is_inside(ptr, size, id);
                    it.prover.terms.implies(alive, inside)
                })
            }
            Cond::Writable(ptr) => self.of_instance(state, ptr, |it, _, _, id| {
                let is_writable = !it.instances[id].is_const;
                it.prover.terms.bool(is_writable)
            }),
            Cond::Freeable(ptr) => {
                let ptr = self.eval_pointer(state, ptr);
                self.is_freeable(state, ptr)
            }
            Cond::Apart { a, b, size } => {
                let (a, b) = (self.eval_pointer(state, a), self.eval_pointer(state, b));
                let size = self.eval_bits(state, size);
                let none = self.no_base();
                let terms = &mut self.prover.terms;
                let width = terms.width(size).max(terms.width(a.offset));
                let size = terms.zero_extend(size, width);
                let mut is_before = |x: Pointer, y: Pointer| {
                    let distance = terms.sub(y.offset, x.offset);
                    let distance = terms.zero_extend(distance, width);
                    terms.ule(size, distance)
                };
                let (one, other) = (is_before(a, b), is_before(b, a));
                let some = terms.is_nonzero(size);
                let ways = [
                    terms.not(some),
                    terms.ne(a.base, b.base),
                    terms.eq(a.base, none),
                    terms.and(one, other),
                ];
                terms.or_all(&ways)
            }
            // What the library keeps for itself is the program's here.
            Cond::NoLeak(Holder::System) => self.all_freed(state),
            Cond::NoLeak(holder) => self.no_leak(state, holder),
            Cond::Written { .. } => {
                let why = "whether a variable has a value is not followed";
                return Err(Rejected::At(span, why.into()));
            }
        })
    }

    /// The pointer points into no instance, or what is asked of the one it points into holds.
    fn of_instance(
        &mut self,
        state: &State,
        ptr: ExprId,
        mut asked: impl FnMut(&mut Self, TermId, Pointer, usize) -> TermId,
    ) -> TermId {
        let ptr = self.eval_pointer(state, ptr);
        let inside = self.is_instance(ptr.base);
        let mut ways = vec![self.prover.terms.not(inside)];
        for id in self.candidates(state, ptr.base) {
            let Some(slot) = state.slot(id) else { continue };
            let (alive, is_it) = (slot.alive, self.is_base(ptr.base, id));
            let holds = asked(self, alive, ptr, id);
            ways.push(self.prover.terms.and(is_it, holds));
        }
        self.prover.terms.or_all(&ways)
    }
}
