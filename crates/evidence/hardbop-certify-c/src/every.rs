//! Claims about all elements of an array: with registers that stand for any number, and elements whose index is made of these.
//!
//! Where such a claim must hold it must do so for numbers of which nothing is known (Skolem). Where it is assumed it is kept, with
//! the state in which it is, and assumed of the numbers that matter as they come up: the indices of elements that are read afterwards, or were
//! read before, and the numbers for which another claim must hold.
//!
//! Soundness: what was assumed holds in each execution that passed the place where it was, whatever number is put in. So each
//! instance says: if an execution comes that way, it is so of this number. An execution on another path does not come
//! that way, by its condition. Instances that are not made can only prevent a proof.

use std::rc::Rc;

use hardbop_base::Span;
use hardbop_cir::{ExprId, ObjId, Ty, VarId};
use hardbop_smt::TermId;

use crate::certificate::{Claim, ClaimsOf, Place};
use crate::exec::Executor;
use crate::state::State;
use crate::value::{Pointer, Value, fresh, low_zeros};

/// Numbers of one state that claims are assumed of, and claims that are kept.
const MAX_INDICES: usize = 48;
const MAX_ASSUMED: usize = 64;
/// Combinations of numbers that one claim is assumed of at a time.
const MAX_TUPLES: usize = 128;

/// A claim of which it is said in what state it holds.
pub(crate) struct Assumed {
    /// The condition under which an execution comes there.
    guard: TermId,
    state: State,
    claims: Vec<ExprId>,
    /// The registers in them that stand for any number.
    any: Vec<VarId>,
}

/// What is assumed on either path. Soundness: each with the condition under which it is.
pub(crate) fn join_assumed(a: &State, b: &State) -> Rc<Vec<Rc<Assumed>>> {
    if Rc::ptr_eq(&a.assumed, &b.assumed) {
        return Rc::clone(&a.assumed);
    }
    let mut all = (*a.assumed).clone();
    let is_new = |it: &&Rc<Assumed>| !a.assumed.iter().any(|other| Rc::ptr_eq(it, other));
    all.extend(b.assumed.iter().filter(is_new).cloned());
    Rc::new(all)
}

pub(crate) fn join_indices(a: &State, b: &State) -> Rc<Vec<TermId>> {
    if Rc::ptr_eq(&a.indices, &b.indices) {
        return Rc::clone(&a.indices);
    }
    let mut all = (*a.indices).clone();
    all.extend(b.indices.iter().filter(|it| !a.indices.contains(it)));
    Rc::new(all)
}

impl Executor<'_> {
    /// What is claimed holds here, or is assumed.
    pub(crate) fn claim_all(
        &mut self,
        state: &mut State,
        (claims, of): (&[ExprId], ClaimsOf),
        span: Span,
        what: &str,
    ) {
        let said = self.said;
        let (every, plain): (Vec<_>, Vec<_>) =
            claims.iter().copied().enumerate().partition(|it| said.every.contains_key(&it.1));
        for (at, formula) in plain {
            self.asked = Some(Claim { of, at });
            let holds = self.eval_bits(state, formula);
            self.require(state, holds, span, what);
        }
        match self.is_assuming {
            _ if every.is_empty() => {}
            true => self.assume_every(state, every.into_iter().map(|it| it.1).collect()),
            false => self.require_every(state, (&every, of), span, what),
        }
        self.asked = None;
    }

    /// What is claimed is so, whether it was looked at or not.
    pub(crate) fn assume_all(&mut self, state: &mut State, claims: &[ExprId]) {
        let outside = std::mem::replace(&mut self.is_assuming, true);
        let nobody = ClaimsOf::Before(self.program.main);
        self.claim_all(state, (claims, nobody), Span::default(), "");
        self.is_assuming = outside;
    }

    fn require_every(
        &mut self,
        state: &State,
        (claims, of): (&[(usize, ExprId)], ClaimsOf),
        span: Span,
        what: &str,
    ) {
        let any = self.any_in(&claims.iter().map(|it| it.1).collect::<Vec<_>>());
        let numbers: Vec<TermId> = any.iter().map(|&var| self.number(var)).collect();
        let mut here = state.clone();
        for assumed in Rc::clone(&state.assumed).iter() {
            self.instances(&mut here, assumed, &numbers, &numbers);
        }
        self.bound = any.into_iter().zip(numbers).collect();
        for &(at, claim) in claims {
            self.asked = Some(Claim { of, at });
            let holds = self.eval_bits(state, claim);
            self.require(&mut here, holds, span, what);
        }
        self.bound.clear();
    }

    fn assume_every(&mut self, state: &mut State, claims: Vec<ExprId>) {
        if state.assumed.len() >= MAX_ASSUMED {
            return;
        }
        let guard = state.guard.term(&mut self.prover.terms);
        let any = self.any_in(&claims);
        // What was assumed before is not needed in it.
        let snapshot = State { assumed: Rc::default(), indices: Rc::default(), ..state.clone() };
        let assumed = Rc::new(Assumed { guard, state: snapshot, claims, any });
        let indices = Rc::clone(&state.indices);
        self.instances(state, &assumed, &indices, &indices);
        Rc::make_mut(&mut state.assumed).push(assumed);
    }

    /// An element is read: what was assumed of all elements is so of this one.
    pub(crate) fn reads_element(&mut self, state: &mut State, ptr: Pointer, ty: Ty) {
        let bytes = ty.bytes(self.program.ptr_bits);
        if !self.is_array(state, ptr)
            || !bytes.is_power_of_two()
            || low_zeros(&self.prover.terms, ptr.offset) < bytes.trailing_zeros()
            || state.indices.len() >= MAX_INDICES
        {
            return;
        }
        let shift = self.bytes(u64::from(bytes.trailing_zeros()));
        let index = self.prover.terms.lshr(ptr.offset, shift);
        self.scaled.insert((index, bytes.trailing_zeros()), ptr.offset);
        if state.indices.contains(&index) {
            return;
        }
        Rc::make_mut(&mut state.indices).push(index);
        let indices = Rc::clone(&state.indices);
        for assumed in Rc::clone(&state.assumed).iter() {
            self.instances(state, assumed, &[index], &indices);
        }
    }

    /// Whether it may point into an array of which elements are named.
    fn is_array(&self, state: &State, ptr: Pointer) -> bool {
        let ids = self.candidates(state, ptr.base);
        ids.iter().any(|&id| self.said.arrays.contains(&self.instances[id].object))
    }

    /// What was assumed, of all combinations of numbers with one of the new ones.
    fn instances(&mut self, state: &mut State, of: &Assumed, new: &[TermId], all: &[TermId]) {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for _ in &of.any {
            let longer = |it: &Vec<TermId>| {
                let numbers: Vec<TermId> = new.iter().chain(all).copied().collect();
                numbers.into_iter().map(|number| [it.as_slice(), &[number]].concat()).collect()
            };
            tuples = tuples.iter().flat_map(|it| -> Vec<Vec<TermId>> { longer(it) }).collect();
            tuples.truncate(16 * MAX_TUPLES);
        }
        tuples.retain(|it| it.iter().any(|number| new.contains(number)));
        tuples.sort_unstable();
        tuples.dedup();
        for numbers in tuples.into_iter().take(MAX_TUPLES) {
            let outside = std::mem::take(&mut self.bound);
            for (&var, number) in of.any.iter().zip(numbers) {
                let number = self.as_wide_as(number, var);
                self.bound.push((var, number));
            }
            let mut holds = Vec::new();
            for &claim in &of.claims {
                holds.push(self.eval_bits(&of.state, claim));
            }
            self.bound = outside;
            let terms = &mut self.prover.terms;
            let holds = terms.and_all(&holds);
            let instance = terms.implies(of.guard, holds);
            state.guard.add(terms, instance);
        }
    }

    /// The registers of claims that stand for any number.
    fn any_in(&self, claims: &[ExprId]) -> Vec<VarId> {
        let mut any: Vec<VarId> =
            claims.iter().filter_map(|it| self.said.every.get(it)).flatten().copied().collect();
        any.sort_unstable();
        any.dedup();
        any
    }

    fn number(&mut self, var: VarId) -> TermId {
        fresh(&mut self.prover.terms, self.program.vars[var].ty, self.program.ptr_bits).bits()
    }

    fn as_wide_as(&mut self, number: TermId, var: VarId) -> TermId {
        let width = crate::value::width(self.program.vars[var].ty);
        crate::expr::resize(&mut self.prover.terms, number, width)
    }

    /// What the formulas of the certificate call a register, if it stands for a place in memory or any number.
    pub(crate) fn place_named(&mut self, state: &State, var: VarId) -> Option<Value> {
        let at = (var.as_u32() as usize).checked_sub(self.n_registers)?;
        let (object, offset, ty) = match self.plan.places.get(at)? {
            Place::Any(_) => {
                return self.bound.iter().find(|it| it.0 == var).map(|it| Value::Bits(it.1));
            }
            Place::Size { .. } => {
                let ptr = self.eval_pointer(state, *self.said.operands.get(&var)?);
                return Some(Value::Bits(self.size_of(state, ptr)));
            }
            Place::Text { .. } => {
                let ptr = self.eval_pointer(state, *self.said.operands.get(&var)?);
                return Some(Value::Bits(self.is_text(state, ptr)));
            }
            Place::Bytes { object, offset, ty } => (*object, self.bytes(*offset), *ty),
            Place::Element { object, ty, .. } => {
                let index = self.eval_bits(state, *self.said.operands.get(&var)?);
                let bytes = ty.bytes(self.program.ptr_bits);
                let known = self.scaled.get(&(index, bytes.trailing_zeros())).copied();
                let size = self.bytes(bytes);
                let offset = known.filter(|_| bytes.is_power_of_two());
                // Soundness: it is the place, of which no bits were lost, that the index was made of.
                let offset = offset.unwrap_or_else(|| self.prover.terms.mul(index, size));
                (*object, offset, *ty)
            }
        };
        let base = self.base_named(state, object);
        let ptr = Pointer { base, offset };
        let there = self.peek(state, ptr, ty);
        let size = self.bytes(ty.bytes(self.program.ptr_bits));
        let inside = self.fits(state, ptr, size);
        // Soundness: what lies outside of the object may be anything, each time it is asked for.
        let elsewhere = self.any(ty);
        Some(Value::choose(&mut self.prover.terms, inside, there, elsewhere))
    }

    /// The instance that a claim means: the one there is, or that of the running call.
    fn base_named(&mut self, state: &State, object: ObjId) -> TermId {
        if let Some(&instance) = self.statics.get(&object) {
            return self.base_of(instance);
        }
        if let Some(&base) = state.objects.get(&object) {
            return base;
        }
        let is_it = |id: &usize| state.slot(*id).is_some() && self.instances[*id].object == object;
        let mut found = (0..state.slots.len()).filter(is_it);
        match (found.next(), found.next()) {
            (Some(only), None) => self.base_of(only),
            _ => self.no_base(),
        }
    }
}
