//! Loops that are cut: k-induction (Sheeran, Singh and Stålmarck 2000), loop by loop.
//!
//! With k = 1: what is claimed of the head holds when the loop is entered; then everything the loop may change becomes
//! anything of which the claim holds, and after one round from there the claim holds again. With more, the
//! first k-1 visits are real, then come k-1 visits in which nothing goes wrong by assumption, and one that is looked at.
//!
//! Why this leaves nothing out: take the first thing that goes wrong in an execution. If its loop was visited less than k
//! times, it lies in a real visit. Otherwise the last k visits are an instance of the others: the first of these k began in
//! a state of which the claim holds, and nothing went wrong since. A path that leaves the loop is covered in the
//! same way, which is why paths that leave during assumed visits need not be followed.
//!
//! What a loop may change is found by looking: a round from a state in which what is known to change is anything; if
//! something else is different afterwards, it changes, too, and again. Soundness: the round that counts is one after
//! which nothing else is different.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hardbop_base::Span;
use hardbop_cir::{BlockId, ExprId, FuncId, ObjId, VarId};

use crate::Rejected;
use crate::certificate::ClaimsOf;
use crate::exec::{Executor, Go};
use crate::loops::Loops;
use crate::memory::{Cell, Cells};
use crate::state::State;
use crate::value::{Pointer, Value};

/// What a loop, or a function with a contract, may change.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub registers: BTreeSet<VarId>,
    /// Pointers that stay in their object.
    pub offsets: BTreeSet<VarId>,
    pub objects: BTreeSet<ObjId>,
    /// Instances that may die.
    pub deaths: BTreeSet<usize>,
    /// Bytes; none: all of them.
    pub bytes: BTreeMap<usize, Option<BTreeSet<u64>>>,
}

type Out = Vec<(BlockId, State)>;

impl Executor<'_> {
    /// The states that leave a loop that is cut.
    pub(crate) fn cut(
        &mut self,
        func: FuncId,
        loops: &Loops,
        head: BlockId,
        state: State,
        claim: &[ExprId],
    ) -> Go<Out> {
        let (mut out, mut current, entry) = (Vec::new(), state.clone(), state);
        for _ in 1..self.plan.k.max(1) {
            self.claim(func, head, &mut current, claim);
            let ways = self.blocks(func, loops, Some(head), current)?;
            out.extend(ways.out);
            match self.join_all(ways.back) {
                Some(next) => current = next,
                None => return Ok(out),
            }
        }
        self.claim(func, head, &mut current, claim);
        let mut changes = Changes::default();
        loop {
            self.budget.check()?;
            let (n_before, n_reads) = (self.obligations.len(), self.journal.len());
            // Soundness: any of the visits may be the first of these k, the one on entry included, so what does not
            // change is what it was then. All of them come after k-1 real ones.
            let start = State { guard: current.guard.clone(), ..self.forget(&entry, &changes) };
            let (left, visits) = self.arbitrary_rounds(func, loops, head, start.clone(), claim)?;
            let mut more = changes.clone();
            for after in &visits {
                let span = self.program.funcs[func].blocks[head].span;
                let what = "a loop that is cut, may outlive its round";
                self.compare((span, what), &start, after, &mut more)?;
            }
            if more == changes {
                out.extend(left);
                return Ok(out);
            }
            changes = more;
            self.obligations.truncate(n_before);
            self.forget_reads(n_reads);
        }
    }

    /// Rounds from a state that stands for any visit: the states that leave in the last one, and those at the head
    /// after each.
    fn arbitrary_rounds(
        &mut self,
        func: FuncId,
        loops: &Loops,
        head: BlockId,
        mut state: State,
        claim: &[ExprId],
    ) -> Go<(Out, Vec<State>)> {
        let mut visits = Vec::new();
        for round in (0..self.plan.k.max(1)).rev() {
            let outside = std::mem::replace(&mut self.is_assuming, true);
            self.claim(func, head, &mut state, claim);
            self.is_assuming = outside || round > 0;
            let ways = self.blocks(func, loops, Some(head), state);
            self.is_assuming = outside;
            let ways = ways?;
            let back = self.join_all(ways.back);
            visits.extend(back.clone());
            match back {
                Some(next) if round > 0 => state = next,
                Some(mut next) => {
                    self.claim(func, head, &mut next, claim);
                    return Ok((ways.out, visits));
                }
                None if round > 0 => return Ok((Vec::new(), visits)),
                None => return Ok((ways.out, visits)),
            }
        }
        Ok((Vec::new(), visits))
    }

    /// The claim holds here, or is assumed.
    fn claim(&mut self, func: FuncId, head: BlockId, state: &mut State, claim: &[ExprId]) {
        let span = self.program.funcs[func].blocks[head].span;
        let what = "what the certificate claims of the loop may not hold";
        self.claim_all(state, (claim, ClaimsOf::Loop(func, head)), span, what);
    }

    /// The state with anything in the place of what changes.
    pub(crate) fn forget(&mut self, state: &State, changes: &Changes) -> State {
        let mut state = state.clone();
        for &var in &changes.registers {
            let value = self.any(self.program.vars[var].ty);
            self.set(&mut state, var, value);
        }
        for &var in changes.offsets.difference(&changes.registers) {
            let Value::Ptr(before) = self.register(&state, var) else { continue };
            let offset = self.prover.terms.var("offset", u32::from(self.program.ptr_bits));
            self.set(&mut state, var, Value::Ptr(Pointer { offset, ..before }));
        }
        for &object in &changes.objects {
            let base = self.prover.terms.var("base", crate::value::BASE_BITS);
            Rc::make_mut(&mut state.objects).insert(object, base);
        }
        for &id in &changes.deaths {
            if let Some(slot) = state.slot_mut(id) {
                let perhaps = self.prover.terms.var("alive", 1);
                slot.alive = self.prover.terms.and(slot.alive, perhaps);
            }
        }
        for (&id, places) in &changes.bytes {
            let Some(slot) = state.slot(id).cloned() else { continue };
            let cells = match places {
                None => Cells { rest: self.anything(), known: BTreeMap::new() },
                Some(places) => {
                    let mut cells = (*slot.cells).clone();
                    for &at in places {
                        let cell = self.any_cell();
                        cells.known.insert(at, cell);
                    }
                    cells
                }
            };
            if let Some(slot) = state.slot_mut(id) {
                slot.cells = Rc::new(cells);
            }
        }
        state
    }

    /// A byte of which nothing is known, not even whether a pointer begins there.
    fn any_cell(&mut self) -> Cell {
        let byte = self.prover.terms.var("unknown", 8);
        Cell::number(&mut self.prover.terms, byte)
    }

    /// Notes what is different after a round, or a call, of what is there and may not be outlived, as is told in these words.
    pub(crate) fn compare(
        &mut self,
        (span, what): (Span, &str),
        start: &State,
        after: &State,
        changes: &mut Changes,
    ) -> Go {
        for (before, now) in [(&start.globals, &after.globals), (&start.locals, &after.locals)] {
            // What is there before stays there, and what comes up may hold anything before.
            for (&var, value) in now.iter() {
                match (before.get(&var), value) {
                    (Some(old), new) if old == new => {}
                    // Soundness: any round leaves it where it is, as this one does.
                    (Some(Value::Ptr(old)), Value::Ptr(new)) if old.base == new.base => {
                        changes.offsets.insert(var);
                    }
                    _ => drop(changes.registers.insert(var)),
                }
            }
        }
        let objects = start.objects.keys().chain(after.objects.keys());
        let is_new = |it: &ObjId| start.objects.get(it) != after.objects.get(it);
        changes.objects.extend(objects.filter(|it| is_new(it)));
        for id in 0..after.slots.len().max(start.slots.len()) {
            let before = start.slot(id);
            match (before, after.slot(id)) {
                (None, None) => {}
                (Some(_), None) => drop(changes.deaths.insert(id)),
                // Soundness: in another round there may be any number of these.
                (None, Some(made)) => {
                    let guard = after.guard.term(&mut self.prover.terms);
                    let outlives = self.prover.terms.and(guard, made.alive);
                    if self.prover.possible(&[outlives], self.budget)?.is_some() {
                        let name = &self.program.objects[self.instances[id].object].name;
                        let why = format!("`{name}`, made in {what}");
                        return Err(Rejected::At(span, why));
                    }
                }
                (Some(a), Some(b)) => {
                    if a.alive != b.alive {
                        changes.deaths.insert(id);
                    }
                    if !Rc::ptr_eq(&a.cells, &b.cells) {
                        let (a, b) = (Rc::clone(&a.cells), Rc::clone(&b.cells));
                        self.compare_cells(id, &a, &b, changes);
                    }
                }
            }
        }
        Ok(())
    }

    fn compare_cells(&mut self, id: usize, a: &Cells, b: &Cells, changes: &mut Changes) {
        if a.rest != b.rest {
            changes.bytes.insert(id, None);
            return;
        }
        let places: Vec<u64> = a.known.keys().chain(b.known.keys()).copied().collect();
        for at in places {
            if self.cell(a, at) != self.cell(b, at)
                && let Some(list) = changes.bytes.entry(id).or_insert(Some(BTreeSet::new()))
            {
                list.insert(at);
            }
        }
    }
}
