//! What a step does to terms, and what it must know before.

use hardbop_cir::interp::{Base, Next, Sight, Slot, Value};
use hardbop_cir::{Callee, Cond, ExprId, Op, Stop, Term, ThreadOp, Ty, VarId};
use hardbop_smt::TermId;

use super::Following;
use super::path::Fork;

/// Some bytes of an instance.
type Place = (u32, u64, u64);

#[derive(Clone, Default, Debug)]
pub(super) enum Effect {
    #[default]
    Nothing,
    Set(Slot, Option<TermId>),
    Write(Place, Option<TermId>),
    Copy {
        from: (u32, u64),
        to: (u32, u64),
        size: u64,
    },
    Call(Vec<(Slot, TermId)>),
    /// The register of the caller.
    Return(Option<(Slot, Option<TermId>)>),
    Ends,
}

type Go<T> = Result<T, Option<Fork>>;

impl Following<'_> {
    pub(super) fn effect(&mut self, at: &Sight) -> Go<Effect> {
        match at.next() {
            Next::Inst(inst) => self.op(at, &inst.op),
            Next::End(term) => self.end(at, term),
            Next::Nothing => Ok(Effect::Nothing),
        }
    }

    fn op(&mut self, at: &Sight, op: &Op) -> Go<Effect> {
        let program = at.program();
        let set = |var: VarId, term| Effect::Set(at.slot(var, 0), term);
        Ok(match op {
            Op::Set { dst, value } => {
                let term = self.scalar(at, *value)?;
                set(*dst, term)
            }
            Op::Load { dst, ptr } => {
                self.pin(at, *ptr)?;
                let ty = program.vars[*dst].ty;
                let Some(place) = place(at, *ptr, ty.bytes(program.ptr_bits)) else {
                    return Ok(set(*dst, None));
                };
                let term = self.read(at, place, ty)?;
                set(*dst, term)
            }
            Op::Store { ptr, value } => {
                self.pin(at, *ptr)?;
                let term = self.scalar(at, *value)?;
                let size = program.exprs.ty(*value).bytes(program.ptr_bits);
                let term = term.map(|it| self.shared.terms.zero_extend(it, 8 * size as u32));
                match place(at, *ptr, size) {
                    Some(place) => Effect::Write(place, term),
                    None => Effect::Nothing,
                }
            }
            Op::Copy { dst, src, size } => {
                self.pin_all(at, &[*dst, *src, *size])?;
                let size = at.value(*size).int() as u64;
                match (place(at, *src, size), place(at, *dst, size)) {
                    (Some(from), Some(to)) => {
                        Effect::Copy { from: (from.0, from.1), to: (to.0, to.1), size }
                    }
                    _ => Effect::Nothing,
                }
            }
            Op::Fill { dst, byte: value, size } | Op::Repeat { dst, value, size } => {
                self.pin_all(at, &[*dst, *value, *size])?;
                let place = place(at, *dst, at.value(*size).int() as u64);
                place.map_or(Effect::Nothing, |it| Effect::Write(it, None))
            }
            Op::Nondet { dst, .. } => set(*dst, None),
            Op::Size { dst, ptr: expr } | Op::Alloc { dst, size: expr, .. } => {
                self.pin(at, *expr)?;
                set(*dst, None)
            }
            Op::Free { ptr: expr }
            | Op::Havoc { ptr: expr }
            | Op::Enter { size: Some(expr), .. } => {
                self.pin(at, *expr)?;
                Effect::Nothing
            }
            Op::Enter { size: None, .. } | Op::Leave { .. } => Effect::Nothing,
            Op::Call { callee, args, .. } => self.call(at, *callee, args)?,
            // What is written changes nothing.
            Op::Print { dst, .. } => dst.map_or(Effect::Nothing, |dst| set(dst, None)),
            Op::Assume { cond } => self.branch(at, *cond)?,
            Op::Check { cond: Cond::Holds(cond), .. } => self.branch(at, *cond)?,
            Op::Check { cond, .. } => {
                let mut operands = Vec::new();
                cond.clone().map_operands(|it| {
                    operands.push(it);
                    it
                });
                self.pin_all(at, &operands)?;
                Effect::Nothing
            }
            Op::Thread(ThreadOp::Wait { cond }) => self.branch(at, *cond)?,
            Op::Thread(thread) => {
                self.pin_all(at, &op.operands())?;
                thread.dst().map_or(Effect::Nothing, |dst| set(dst, None))
            }
        })
    }

    fn end(&mut self, at: &Sight, term: &Term) -> Go<Effect> {
        Ok(match term {
            Term::Goto(_) => Effect::Nothing,
            Term::Branch { cond, .. } => self.branch(at, *cond)?,
            Term::Switch { value, cases, .. } => {
                if let Some(term) = self.term(at, *value)? {
                    let width = self.shared.terms.width(term);
                    for &(case, _) in cases {
                        let case = self.shared.terms.constant(width, case);
                        let is_case = self.shared.terms.eq(term, case);
                        if self.decide(is_case)? {
                            break;
                        }
                    }
                }
                Effect::Nothing
            }
            Term::Return(value) if at.n_calls() == 1 => {
                self.leaves(at, *value)?;
                Effect::Ends
            }
            Term::Return(value) => {
                let term = value.map(|it| self.scalar(at, it)).transpose()?;
                Effect::Return(at.result().map(|dst| (at.slot(dst, 1), term.flatten())))
            }
            Term::Stop(Stop::Thread(value)) => {
                self.leaves(at, Some(*value))?;
                Effect::Ends
            }
            // The program ends here, whatever the value.
            Term::Stop(_) => Effect::Nothing,
        })
    }

    /// What a thread leaves where it ends is a number, if anybody asks.
    fn leaves(&mut self, at: &Sight, value: Option<ExprId>) -> Go<()> {
        match value {
            Some(value) if at.thread() != 0 && !self.facts.ignores_results => self.pin(at, value),
            _ => Ok(()),
        }
    }

    fn branch(&mut self, at: &Sight, cond: ExprId) -> Go<Effect> {
        if let Some(cond) = self.term(at, cond)? {
            self.decide(cond)?;
        }
        Ok(Effect::Nothing)
    }

    fn pin_all(&mut self, at: &Sight, exprs: &[ExprId]) -> Go<()> {
        exprs.iter().try_for_each(|&it| self.pin(at, it))
    }

    /// Of a bit-vector its term; anything else is a number.
    fn scalar(&mut self, at: &Sight, expr: ExprId) -> Go<Option<TermId>> {
        let term = self.term(at, expr)?;
        if let (Some(term), Value::Int(now)) = (term, at.value(expr)) {
            debug_assert_eq!(self.shared.terms.eval(term, self.own.path.model()), now);
        }
        Ok(term)
    }

    fn read(&mut self, at: &Sight, place: Place, ty: Ty) -> Go<Option<TermId>> {
        if let Ty::Int(width) = ty {
            let number = |offset| at.byte(place.0, offset);
            let term = self.own.cells.read(&mut self.shared.terms, place, number);
            return Ok(term.map(|it| self.shared.terms.truncate(it, u32::from(width))));
        }
        for (offset, cell) in self.own.cells.within(place.0, place.1, place.2) {
            let bytes = (0..cell.size).rev().map(|it| u128::from(at.byte(place.0, offset + it)));
            let number = bytes.fold(0, |number, byte| number << 8 | byte);
            let number = self.shared.terms.constant(8 * cell.size as u32, number);
            self.pin_term(cell.term, number)?;
        }
        Ok(None)
    }

    fn call(&mut self, at: &Sight, callee: Callee, args: &[ExprId]) -> Go<Effect> {
        let func = match callee {
            Callee::Func(func) => Some(func),
            Callee::Ptr(ptr) => {
                self.pin(at, ptr)?;
                match at.value(ptr).pointer().base {
                    Base::Func(func) => Some(func),
                    Base::None | Base::Instance(_) => None,
                }
            }
        };
        let mut terms = Vec::new();
        for &arg in args {
            terms.push(self.scalar(at, arg)?);
        }
        let params = func.map_or(&[][..], |it| &at.program().funcs[it].params);
        let params = params.iter().map(|&it| at.slot_of_callee(it)).zip(terms);
        Ok(Effect::Call(params.filter_map(|(slot, term)| Some((slot, term?))).collect()))
    }

    pub(super) fn apply(&mut self, at: &Sight, effect: Effect) {
        let thread = at.thread();
        match effect {
            Effect::Nothing => {}
            Effect::Set(slot, term) => self.set(thread, slot, term),
            Effect::Write(place, term) => {
                let term = term.filter(|&it| self.shared.terms.as_const(it).is_none());
                self.own.cells.write(&mut self.shared.terms, place, term);
            }
            Effect::Copy { from, to, size } => {
                self.own.cells.copy(&mut self.shared.terms, from, to, size);
            }
            Effect::Call(args) => {
                self.forget_calls(thread, at.n_calls() as u32);
                self.own.registers.extend(args.into_iter().map(|(slot, it)| ((thread, slot), it)));
            }
            Effect::Return(result) => {
                self.forget_calls(thread, at.n_calls() as u32 - 1);
                if let Some((slot, term)) = result {
                    self.set(thread, slot, term);
                }
            }
            Effect::Ends => self.own.registers.retain(|it, _| it.0 != thread),
        }
    }

    fn set(&mut self, thread: u32, slot: Slot, term: Option<TermId>) {
        match term.filter(|&it| self.shared.terms.as_const(it).is_none()) {
            Some(term) => self.own.registers.insert((thread, slot), term),
            None => self.own.registers.remove(&(thread, slot)),
        };
    }

    /// Registers of calls so deep and deeper.
    fn forget_calls(&mut self, thread: u32, call: u32) {
        let gone = (thread, Slot::Local(call, 0))..=(thread, Slot::Local(u32::MAX, u32::MAX));
        let gone: Vec<_> = self.own.registers.range(gone).map(|it| *it.0).collect();
        for slot in gone {
            self.own.registers.remove(&slot);
        }
    }
}

/// Where the bytes are, if they are somewhere.
fn place(at: &Sight, ptr: ExprId, size: u64) -> Option<Place> {
    at.place(at.value(ptr).pointer(), size).map(|(instance, offset)| (instance, offset, size))
}
