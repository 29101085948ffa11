//! A symbolic state: what holds on a path, and what registers and memory are there.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_cir::{ObjId, VarId};
use hardbop_smt::TermId;

use crate::every::{Assumed, join_assumed, join_indices};
use crate::exec::Executor;
use crate::guard::Guard;
use crate::memory::{Cell, Cells, Change, Rest, Slot};
use crate::value::{Value, fresh};

#[derive(Clone)]
pub(crate) struct State {
    pub guard: Guard,
    /// Registers that have a value; the others may hold anything.
    pub globals: Registers,
    pub locals: Registers,
    /// The base of each local object of the running call that was entered.
    pub objects: Rc<BTreeMap<ObjId, TermId>>,
    /// By number of the instance; none where it is made later, or is dead for good.
    pub slots: Rc<Vec<Option<Slot>>>,
    /// What was assumed of all elements of arrays.
    pub assumed: Rc<Vec<Rc<Assumed>>>,
    /// Where elements were read: these are what it was assumed of.
    pub indices: Rc<Vec<TermId>>,
}

pub(crate) type Registers = Rc<BTreeMap<VarId, Value>>;

impl State {
    /// What it knows of an instance.
    pub fn slot(&self, id: usize) -> Option<&Slot> {
        self.slots.get(id).and_then(Option::as_ref)
    }

    pub fn slot_mut(&mut self, id: usize) -> Option<&mut Slot> {
        Rc::make_mut(&mut self.slots).get_mut(id).and_then(Option::as_mut)
    }
}

impl Executor<'_> {
    /// One state for both paths. No execution takes both of them.
    pub(crate) fn join(&mut self, a: &State, b: &State) -> State {
        let (guard, here) = a.guard.join(&b.guard, &mut self.prover.terms);
        let globals = self.join_registers(here, &a.globals, &b.globals);
        let locals = self.join_registers(here, &a.locals, &b.locals);
        let objects = match Rc::ptr_eq(&a.objects, &b.objects) {
            true => Rc::clone(&a.objects),
            false => self.join_objects(here, a, b),
        };
        let slots = match Rc::ptr_eq(&a.slots, &b.slots) {
            true => Rc::clone(&a.slots),
            false => {
                let n = a.slots.len().max(b.slots.len());
                let at = |state: &State, id: usize| state.slots.get(id).cloned().flatten();
                Rc::new((0..n).map(|id| self.join_slots(here, at(a, id), at(b, id))).collect())
            }
        };
        let (assumed, indices) = (join_assumed(a, b), join_indices(a, b));
        State { guard, globals, locals, objects, slots, assumed, indices }
    }

    fn join_objects(&mut self, here: TermId, a: &State, b: &State) -> Rc<BTreeMap<ObjId, TermId>> {
        let none = self.no_base();
        let mut objects = BTreeMap::new();
        for &object in a.objects.keys().chain(b.objects.keys()) {
            let base = |state: &State| state.objects.get(&object).copied().unwrap_or(none);
            objects.insert(object, self.prover.terms.ite(here, base(a), base(b)));
        }
        Rc::new(objects)
    }

    /// The states in the order their paths came about: the last two parted last.
    pub(crate) fn join_all(&mut self, states: Vec<State>) -> Option<State> {
        states.into_iter().rev().reduce(|later, earlier| self.join(&earlier, &later))
    }

    fn join_registers(&mut self, here: TermId, a: &Registers, b: &Registers) -> Registers {
        if Rc::ptr_eq(a, b) {
            return Rc::clone(a);
        }
        let mut joined = BTreeMap::new();
        for &var in a.keys().chain(b.keys()) {
            let (x, y) = (a.get(&var).copied(), b.get(&var).copied());
            if joined.contains_key(&var) {
                continue;
            }
            let value = match (x, y) {
                (Some(x), Some(y)) if x == y => x,
                _ => {
                    // Soundness: what has no value may hold anything, not just what the other path holds.
                    let any = || {
                        fresh(
                            &mut self.prover.terms,
                            self.program.vars[var].ty,
                            self.program.ptr_bits,
                        )
                    };
                    let [x, y] = match (x, y) {
                        (Some(x), Some(y)) => [x, y],
                        (Some(x), None) => [x, { any }()],
                        (None, Some(y)) => [{ any }(), y],
                        (None, None) => unreachable!("one of them has it"),
                    };
                    Value::choose(&mut self.prover.terms, here, x, y)
                }
            };
            joined.insert(var, value);
        }
        Rc::new(joined)
    }

    fn join_slots(&mut self, here: TermId, a: Option<Slot>, b: Option<Slot>) -> Option<Slot> {
        let terms = &mut self.prover.terms;
        match (a, b) {
            (None, None) => None,
            (Some(a), None) => {
                let alive = terms.and(here, a.alive);
                Some(Slot { alive, ..a })
            }
            (None, Some(b)) => {
                let there = terms.not(here);
                let alive = terms.and(there, b.alive);
                Some(Slot { alive, ..b })
            }
            (Some(a), Some(b)) if a.alive == b.alive && Rc::ptr_eq(&a.cells, &b.cells) => Some(a),
            (Some(a), Some(b)) => {
                let alive = terms.ite(here, a.alive, b.alive);
                let cells = match Rc::ptr_eq(&a.cells, &b.cells) {
                    true => a.cells,
                    false => Rc::new(self.join_cells(here, &a.cells, &b.cells)),
                };
                Some(Slot { alive, cells })
            }
        }
    }

    fn join_cells(&mut self, here: TermId, a: &Cells, b: &Cells) -> Cells {
        let mut known = BTreeMap::new();
        for &at in a.known.keys().chain(b.known.keys()) {
            let (x, y) = (self.cell(a, at), self.cell(b, at));
            let cell = if x == y { x } else { Cell::choose(&mut self.prover.terms, here, x, y) };
            known.insert(at, cell);
        }
        if a.rest == b.rest {
            return Cells { rest: a.rest.clone(), known };
        }
        let below = |it: &Cells| Rc::new(Cells { rest: it.rest.clone(), known: BTreeMap::new() });
        let rest = self.layer(Change::Choice { cond: here, yes: below(a), no: below(b) }).rest;
        Cells { rest, known }
    }

    /// The contents of bytes of which nothing is known.
    pub(crate) fn anything(&mut self) -> Rest {
        self.n_unknown += 1;
        Rest::Any(self.n_unknown)
    }
}
