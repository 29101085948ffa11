//! Values as terms, control as it is: an execution on numbers, and beside it, for each register and each byte that
//! depends on an input with too many values, the term it is. The numbers are one model of what the path asks of
//! the inputs; where a step depends on more than that (a branch, an address), the state is divided in two, the solver
//! giving the other one its numbers (concolic execution: Godefroid, Klarlund, Sen 2005; states of threads as in
//! Sen, Agha 2006).
//!
//! Two states are the same if they agree in what is not symbolic and their terms, with what is known of them, are
//! the same up to the names of inputs ([`describe`]).

mod cells;
mod describe;
mod path;
mod questions;
mod step;
mod value;

use std::collections::BTreeMap;

use hardbop_base::{Budget, Exhausted, Idx};
use hardbop_cir::VarId as Register;
use hardbop_cir::interp::{Follow, Sight, Slot, World};
use hardbop_cir::{Source, Ty};
use hardbop_smt::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::search::Facts;
use cells::Cells;
pub(crate) use path::Fork;
use path::Path;
use questions::Questions;
use step::Effect;

/// What is known of the values of one state.
#[derive(Clone, Default)]
pub(crate) struct Symbolic {
    registers: BTreeMap<(u32, Slot), TermId>,
    cells: Cells,
    path: Path,
    /// Inputs since they were taken last: whether the program as it was read asks for it, and its variable.
    asked: Vec<(bool, VarId)>,
    effect: Effect,
    fork: Option<Fork>,
    /// A place that is accessed depended on an input.
    pub has_pinned: bool,
}

/// What all states share.
#[derive(Default)]
pub(crate) struct Shared {
    terms: Terms,
    questions: Questions,
    vars: FxHashMap<TermId, std::rc::Rc<[VarId]>>,
    /// The solver gave up.
    pub exhausted: Option<Exhausted>,
}

impl Shared {
    /// Variables from this one on are new.
    pub fn next_var(&self) -> VarId {
        VarId::new(self.terms.vars().len())
    }
}

impl Symbolic {
    pub fn take_asked(&mut self) -> Vec<(bool, VarId)> {
        std::mem::take(&mut self.asked)
    }

    pub fn fork(&self) -> Option<&Fork> {
        self.fork.as_ref()
    }

    pub fn take_fork(&mut self) -> Option<Fork> {
        self.fork.take()
    }

    pub fn input(&self, var: VarId) -> u128 {
        self.path.model().get(var)
    }

    /// The state in which what the fork asks holds as it does now, or in which it does not, with other numbers.
    pub fn divide(&mut self, world: &mut World<'_>, shared: &Shared, fork: &Fork, as_now: bool) {
        self.path.learn(fork, as_now);
        if !as_now {
            self.renew(world, shared);
        }
    }

    /// Writes the numbers of the model where terms stand.
    fn renew(&self, world: &mut World<'_>, shared: &Shared) {
        let mut evaluator = hardbop_smt::Evaluator::new(&shared.terms, self.path.model());
        for (&(thread, slot), &term) in &self.registers {
            world.set_register(thread, slot, evaluator.value(term));
        }
        for (instance, offset, cell) in self.cells.all() {
            let bytes = evaluator.value(cell.term).to_le_bytes();
            world.set_bytes(instance, offset, &bytes[..cell.size as usize]);
        }
    }
}

/// The state of one execution with what all share.
pub(crate) struct Following<'s> {
    pub own: &'s mut Symbolic,
    pub shared: &'s mut Shared,
    pub facts: &'s Facts<'s>,
    pub budget: &'s Budget,
}

impl Follow for Following<'_> {
    fn input(&mut self, at: &Sight, var: Register, source: &Source, is_read: bool) -> Option<u128> {
        let Ty::Int(width) = at.program().vars[var].ty else { return None };
        if self.facts.choices.values(var, is_read).are_all {
            return None;
        }
        let term = self.shared.terms.var("input", u32::from(width));
        let Term::Var(symbol) = self.shared.terms.node(term) else { return None };
        self.own.asked.push((self.facts.is_input(var, source), symbol));
        self.own.registers.insert((at.thread(), at.slot(var, 0)), term);
        Some(0)
    }

    fn prepare(&mut self, at: &Sight) -> bool {
        if self.own.registers.is_empty() && self.own.cells.is_empty() {
            self.own.effect = Effect::Nothing;
            return true;
        }
        match self.effect(at) {
            Ok(effect) => {
                self.own.effect = effect;
                true
            }
            Err(halt) => {
                self.own.fork = halt;
                false
            }
        }
    }

    fn commit(&mut self, at: &Sight) {
        let effect = std::mem::take(&mut self.own.effect);
        self.apply(at, effect);
    }

    fn register(&self, thread: u32, slot: Slot) -> Option<u32> {
        self.own.registers.get(&(thread, slot)).map(|it| it.as_u32())
    }

    fn cells(&self, instance: u32) -> Vec<(u64, u64, u32)> {
        let cells = self.own.cells.of(instance);
        cells.map(|(offset, cell)| (offset, cell.size, cell.term.as_u32())).collect()
    }

    fn describe(&self, marks: &[(usize, u32)], bytes: &mut Vec<u8>) {
        if !marks.is_empty() {
            let marks = marks.iter().map(|&(at, term)| (at, TermId::from_u32(term)));
            describe::describe(&self.shared.terms, &self.own.path, marks, bytes);
        }
    }
}
