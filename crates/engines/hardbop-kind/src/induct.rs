//! Loops cut by invariants: the policy by which each loop is represented by `k` visits of its head instead
//! of all of them (k-induction, Sheeran et al. 2000, per loop as in
//! Donaldson et al. 2011).
//!
//! Visits 0..k-2 are real. At visit k-1 everything the loop may change becomes arbitrary and the
//! candidates are assumed; visits k-1..2k-3 are *assumed*: what could go wrong there is taken not to,
//! and paths that leave the loop there are dropped; visit 2k-2 is looked at, and at its end the path
//! stops. With k = 1 the first visit is already the arbitrary one.
//!
//! Why this leaves nothing out: take the first thing that goes wrong in an execution (a check that
//! fails, a place without a meaning, a candidate that does not hold at a head). A path that *we*
//! cannot follow is another matter: it counts in every visit. Each loop around it has been
//! visited less than k times, then it lies in the real visits; or more often, then the last k visits
//! are an instance of the others, whose assumptions hold because nothing went wrong before. A loop
//! that was left before is covered in the same way.

use std::collections::BTreeMap;

use hardbop_base::Exhausted;
use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{BlockId, Class, FuncId, Op};
use hardbop_smt::TermId;
use hardbop_symbolic::forget::Changes;
use hardbop_symbolic::state::State;
use hardbop_symbolic::value::Value;
use hardbop_symbolic::{Called, Executor, LoopId, Policy, Stance, Visit};

use crate::facts::Fact;
use crate::loops::Loops;

/// A candidate and the Boolean that switches it on.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub fact: Fact,
    pub selector: TermId,
}

/// Where a candidate would have to hold, and under which condition it does not.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub head: LoopId,
    /// In the loop's list of candidates.
    pub candidate: usize,
    pub fails: TermId,
}

/// What a visit of a head is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Real,
    Assumed,
    Last,
}

/// How loops are cut, and what that asks for.
pub struct Induction<'a> {
    /// At least 1.
    k: u32,
    candidates: BTreeMap<LoopId, Vec<Candidate>>,
    loops: &'a Loops,
    pub obligations: Vec<Obligation>,
    /// Where a function calls itself more often than is followed.
    pub too_deep: Vec<TermId>,
}

/// Calls of a function inside itself that are followed.
const RECURSION: u32 = 6;

impl<'a> Induction<'a> {
    pub fn new(k: u32, candidates: BTreeMap<LoopId, Vec<Candidate>>, loops: &'a Loops) -> Self {
        Induction { k, candidates, loops, obligations: Vec::new(), too_deep: Vec::new() }
    }

    fn phase(&self, visit: u32) -> Phase {
        match visit {
            _ if visit + 1 < self.k => Phase::Real,
            _ if visit + 2 < 2 * self.k => Phase::Assumed,
            _ => Phase::Last,
        }
    }

    /// The candidates must hold here, or are assumed where everything is.
    fn oblige(
        &mut self,
        executor: &mut Executor,
        head: LoopId,
        state: &mut State,
        entry: Option<&State>,
    ) {
        if executor.stance == Stance::Assume {
            return self.assume(executor, head, state);
        }
        let guard = executor.guard(state);
        for (at, candidate) in self.candidates.get(&head).into_iter().flatten().enumerate() {
            let holds = candidate.fact.surely(executor, self.loops, head, state, entry);
            let not = executor.terms.not(holds);
            let fails = executor.terms.and_all(&[guard, candidate.selector, not]);
            if executor.terms.as_const(fails) != Some(0) {
                self.obligations.push(Obligation { head, candidate: at, fails });
            }
        }
    }

    /// The loop has been executed any number of times.
    fn forget(&self, executor: &mut Executor, head: LoopId, state: &mut State) {
        let Some(changes) = self.loops.changes.get(&head) else { return };
        let mut candidates = self.candidates.get(&head).into_iter().flatten();
        match candidates.find(|it| it.fact == Fact::Freed) {
            Some(freed) if changes.allocates => {
                let changes = Changes { allocates: false, ..changes.clone() };
                executor.forget(state, &changes);
                executor.forget_made(state, freed.selector);
            }
            _ => executor.forget(state, changes),
        }
    }

    fn assume(&self, executor: &mut Executor, head: LoopId, state: &mut State) {
        for candidate in self.candidates.get(&head).into_iter().flatten() {
            let holds = candidate.fact.follows(executor, state);
            let assumed = executor.terms.implies(candidate.selector, holds);
            state.guard.add(&mut executor.terms, assumed);
        }
    }
}

/// Whether the checks of a call of [`hardbop_cir::Func::LENGTH`] ask for no more than that a text ends inside of its object.
/// Soundness: whatever else may be asked for is asked by going through the call.
fn asks_for_a_text(executor: &Executor, func: FuncId) -> bool {
    let blocks = executor.program.funcs[func].blocks.iter();
    blocks.flat_map(|it| &it.insts).all(|inst| match inst.op {
        Op::Check { check, .. } => {
            let class = executor.program.checks[check].class;
            let is_of_text = matches!(class, Class::Null | Class::Dangling | Class::Bounds);
            is_of_text || !executor.classes.contains(&class)
        }
        _ => true,
    })
}

/// A call of [`hardbop_cir::Func::LENGTH`].
fn text_length(executor: &mut Executor, func: FuncId, call: &Op, state: State) -> State {
    let (mut inside, suspended) = executor.call_begin(call, state);
    let text = executor.register_of(&inside, executor.program.funcs[func].params[0]);
    let length = executor.text_length(&mut inside, &text);
    executor.set_result(&mut inside, func, Value::Bits(length));
    executor.call_end(suspended, inside)
}

impl Policy for Induction<'_> {
    /// The first state of each loop, for the arbitrary visit.
    type Memory = BTreeMap<BlockId, State>;

    /// A function with a contract: what holds before must hold, any effect, what holds after is known. That of the length of
    /// a text has always the same.
    fn call(&mut self, executor: &mut Executor, func: FuncId, call: &Op, state: State) -> Called {
        if executor.program.funcs[func].is_length() && asks_for_a_text(executor, func) {
            return Called::Over(text_length(executor, func, call, state));
        }
        let Some(contract) = self.loops.contracts.get(&func) else {
            return Called::Through(state);
        };
        let (mut inside, suspended) = executor.call_begin(call, state);
        self.oblige(executor, contract.begins, &mut inside, None);
        executor.forget(&mut inside, &self.loops.calls[func]);
        for &(param, kept) in &contract.old {
            let value = executor.register_of(&inside, param);
            executor.set_register(&mut inside, kept, value);
        }
        if let Some(result) = contract.result {
            let any = Changes { vars: vec![result], ..Changes::default() };
            executor.forget(&mut inside, &any);
            let value = executor.register_of(&inside, result);
            executor.set_result(&mut inside, func, value);
        }
        self.assume(executor, contract.returns, &mut inside);
        Called::Over(executor.call_end(suspended, inside))
    }

    fn begins(&mut self, executor: &mut Executor, func: FuncId, state: &mut State) {
        if let Some(contract) = self.loops.contracts.get(&func) {
            self.assume(executor, contract.begins, state);
        }
    }

    fn returns(&mut self, executor: &mut Executor, func: FuncId, state: &mut State) {
        if let Some(contract) = self.loops.contracts.get(&func)
            && !is_on(Fault::ContractsUnchecked)
        {
            self.oblige(executor, contract.returns, state, None);
        }
    }

    fn recurs(
        &mut self,
        executor: &mut Executor,
        _: FuncId,
        depth: u32,
        state: &State,
    ) -> Result<bool, Exhausted> {
        if !executor.may_exist(state)? {
            return Ok(false);
        }
        if depth >= RECURSION {
            self.too_deep.push(executor.guard(state));
        }
        Ok(depth < RECURSION)
    }

    /// Nothing is looked at where some loop around is in its assumed visits.
    fn stance(&self, mut visits: impl Iterator<Item = u32>) -> Stance {
        match visits.any(|visit| self.phase(visit) == Phase::Assumed) {
            true => Stance::Assume,
            false => Stance::Ask,
        }
    }

    fn visit(
        &mut self,
        entries: &mut Self::Memory,
        executor: &mut Executor,
        Visit { head, number, .. }: Visit,
        mut state: State,
    ) -> State {
        if number == 0 {
            entries.insert(head.1, state.clone());
        }
        // Each real visit, and the arrival where the arbitrary one takes over.
        if number < self.k && !is_on(Fault::NoBase) {
            self.oblige(executor, head, &mut state, entries.get(&head.1));
        }
        if number + 1 == self.k {
            state = entries.get(&head.1).cloned().unwrap_or(state);
            self.forget(executor, head, &mut state);
        }
        if self.phase(number) != Phase::Real {
            self.assume(executor, head, &mut state);
        }
        state
    }

    /// After the last visit the candidates must hold at the next.
    fn back(
        &mut self,
        entries: &mut Self::Memory,
        executor: &mut Executor,
        next: Visit,
        _: bool,
        mut state: State,
    ) -> Result<Option<State>, Exhausted> {
        if self.phase(next.number - 1) != Phase::Last {
            return Ok(Some(state));
        }
        self.oblige(executor, next.head, &mut state, entries.get(&next.head.1));
        Ok(None)
    }

    fn left(&mut self, _: &mut Self::Memory, _: BlockId) {}
}
