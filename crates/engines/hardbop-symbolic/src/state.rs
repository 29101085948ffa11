//! A symbolic state: under which condition it is there, registers, memory; and how two are merged.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::ObjId;
use hardbop_smt::{TermId, Terms};

use crate::chunks::Chunks;
use crate::layout::{Layout, choose_layout};
use crate::value::{Pointer, Value, choose, choose_pointer, null};

/// A path condition as a list of conjuncts, each with the conjunction up to it. What two paths have
/// in common is a prefix and need not be told apart when they meet.
#[derive(Clone, Default, Debug)]
pub struct Guard(Chunks<(TermId, TermId)>);

impl Guard {
    pub fn term(&self, terms: &mut Terms) -> TermId {
        self.0.last().map_or_else(|| terms.bool(true), |it| it.1)
    }

    pub fn add(&mut self, terms: &mut Terms, cond: TermId) {
        if terms.as_const(cond) == Some(1) || self.0.iter().rev().take(8).any(|it| it.0 == cond) {
            return;
        }
        let before = self.term(terms);
        let all = terms.and(before, cond);
        self.0.push((cond, all));
    }

    pub fn is_false(&self, terms: &mut Terms) -> bool {
        let term = self.term(terms);
        terms.as_const(term) == Some(0)
    }

    /// Whether the paths of this guard are among those of the other, as far as they began together.
    pub fn begins_with(&self, other: &Guard) -> bool {
        other.0.len() <= self.0.len() && self.0.common(&other.0, |a, b| a.0 == b.0) == other.0.len()
    }

    /// The guard of either, and the condition that tells the first from the second.
    fn join(&self, other: &Guard, terms: &mut Terms) -> (Guard, TermId) {
        let common = self.0.common(&other.0, |a, b| a.0 == b.0);
        let suffix = |terms: &mut Terms, guard: &Guard| {
            let conds: Vec<TermId> = guard.0.tail(common).map(|it| it.0).collect();
            terms.and_all(&conds)
        };
        let (a, b) = (suffix(terms, self), suffix(terms, other));
        let mut guard = self.clone();
        guard.0.truncate(common);
        let not_a = terms.not(a);
        if not_a != b || is_on(Fault::JoinForgetsPath) {
            let either = if is_on(Fault::JoinForgetsPath) { a } else { terms.or(a, b) };
            guard.add(terms, either);
        }
        (guard, a)
    }
}

/// What a state knows of an instance.
#[derive(Clone, Debug)]
pub struct Slot {
    pub layout: Rc<Layout>,
    pub alive: TermId,
}

#[derive(Clone, Debug)]
pub struct State {
    pub guard: Guard,
    /// Global registers, by id; the places of others are unused.
    pub globals: Chunks<Option<Value>>,
    /// Registers of the running call, by slot; `None` before the first assignment.
    pub locals: Chunks<Option<Value>>,
    /// Where the local objects of the running call are.
    pub objects: Rc<BTreeMap<ObjId, Pointer>>,
    /// By number of instance; one that this path did not make is absent.
    pub memory: Chunks<Option<Slot>>,
}

/// The states of two paths that exclude each other as one. `initial` gives the value a register of
/// the running call has before its first assignment, `is_live` whether one may still be read: what
/// nobody reads needs no choice between two values.
pub fn merge(
    terms: &mut Terms,
    ptr_bits: u8,
    a: State,
    b: State,
    is_live: &impl Fn(usize) -> bool,
    initial: &mut impl FnMut(&mut Terms, usize) -> Value,
) -> State {
    let (guard, cond) = a.guard.join(&b.guard, terms);
    let globals = a.globals.zip_with(b.globals, |_, x, y| match (x, y) {
        (Some(x), Some(y)) if x == y => Some(x),
        (Some(x), Some(y)) => Some(choose(terms, cond, &x, &y)),
        _ => None,
    });
    let locals = a.locals.zip_with(b.locals, |slot, x, y| match (x, y) {
        (None, None) => None,
        (Some(x), Some(y)) if x == y => Some(x),
        _ if !is_live(slot) => None,
        (Some(x), _) if is_on(Fault::JoinKeepsFirst) => Some(x),
        (x, y) => {
            let x = x.unwrap_or_else(|| initial(terms, slot));
            let y = y.unwrap_or_else(|| initial(terms, slot));
            Some(choose(terms, cond, &x, &y))
        }
    });
    let objects = match Rc::ptr_eq(&a.objects, &b.objects) {
        true => a.objects,
        false => Rc::new(merge_objects(terms, ptr_bits, cond, &a.objects, &b.objects)),
    };
    let (mut memory, mut other) = (a.memory, b.memory);
    let n = memory.len().max(other.len());
    memory.resize(n, None);
    other.resize(n, None);
    let memory = memory.zip_with(other, |_, x, y| merge_slots(terms, ptr_bits, cond, x, y));
    State { guard, globals, locals, objects, memory }
}

fn merge_objects(
    terms: &mut Terms,
    ptr_bits: u8,
    cond: TermId,
    a: &BTreeMap<ObjId, Pointer>,
    b: &BTreeMap<ObjId, Pointer>,
) -> BTreeMap<ObjId, Pointer> {
    let nowhere = null(terms, ptr_bits);
    let all = a.keys().chain(b.keys().filter(|it| !a.contains_key(it)));
    all.map(|object| {
        let x = a.get(object).unwrap_or(&nowhere);
        let y = b.get(object).unwrap_or(&nowhere);
        (*object, choose_pointer(terms, cond, x, y))
    })
    .collect()
}

fn merge_slots(
    terms: &mut Terms,
    ptr_bits: u8,
    cond: TermId,
    x: Option<Slot>,
    y: Option<Slot>,
) -> Option<Slot> {
    match (x, y) {
        (Some(x), Some(y)) => {
            // Nobody reads the bytes of the dead.
            let layout = match (terms.as_const(x.alive), terms.as_const(y.alive)) {
                (Some(0), _) => y.layout,
                (_, Some(0)) => x.layout,
                _ if is_on(Fault::MemoryJoinKeepsFirst) => x.layout,
                _ => choose_layout(terms, cond, &x.layout, &y.layout, ptr_bits),
            };
            let alive = terms.ite(cond, x.alive, y.alive);
            Some(Slot { layout, alive })
        }
        (Some(x), None) => {
            let alive = terms.and(cond, x.alive);
            Some(Slot { alive, ..x })
        }
        (None, Some(y)) => {
            let not = terms.not(cond);
            let alive = terms.and(not, y.alive);
            Some(Slot { alive, ..y })
        }
        (None, None) => None,
    }
}
