//! Loops cut by invariants: the unrolling of a program in which each loop is represented by `k`
//! visits of its head instead of all of them (k-induction, Sheeran et al. 2000, per loop as in
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
use std::rc::Rc;

use hardbop_base::Idx;
use hardbop_cir::{BlockId, Class, ExprId, FuncId, ObjId, VarId};
use hardbop_smt::TermId;

use crate::state::State;
use crate::unroll::Unroller;
use crate::value::{Base, Pointer, pointer};

/// A loop by its head.
pub type LoopId = (FuncId, BlockId);

/// What executing a loop may change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Registers of the loop's function and global ones.
    pub vars: Vec<VarId>,
    /// Contents.
    pub objects: Vec<ObjId>,
    /// A pointer that may point anywhere is written through.
    pub any_object: bool,
    /// Objects whose instances begin or end here.
    pub lives: Vec<ObjId>,
    pub allocates: bool,
}

/// A candidate and the Boolean that switches it on.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// An `i1` over registers of the loop's function and global ones.
    pub expr: ExprId,
    pub selector: TermId,
}

/// How loops are cut.
pub struct Induction<'a> {
    /// At least 1.
    pub k: u32,
    pub candidates: BTreeMap<LoopId, Vec<Candidate>>,
    pub changes: &'a BTreeMap<LoopId, Changes>,
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
pub(crate) enum Phase {
    Real,
    Assumed,
    Last,
}

impl Induction<'_> {
    pub(crate) fn phase(&self, visit: u32) -> Phase {
        match visit {
            _ if visit + 1 < self.k => Phase::Real,
            _ if visit + 2 < 2 * self.k => Phase::Assumed,
            _ => Phase::Last,
        }
    }
}

impl<'a> Unroller<'a> {
    /// The same unrolling with loops cut by candidates.
    pub fn with_induction(mut self, induction: Induction<'a>) -> Self {
        self.induction = Some(induction);
        self.forgets = true;
        self
    }

    /// A Boolean to switch a candidate on.
    pub fn selector(&mut self) -> TermId {
        self.terms.var("candidate", 1)
    }

    /// A head is visited: the state to go on with. `entry` is the state of the first visit.
    pub(crate) fn visit_head(
        &mut self,
        head: LoopId,
        visit: u32,
        mut state: State,
        entry: Option<&State>,
    ) -> State {
        let Some(induction) = self.induction.take() else { return state };
        let candidates = induction.candidates.get(&head).map_or(&[][..], Vec::as_slice);
        // Each real visit, and the arrival where the arbitrary one takes over.
        if visit < induction.k {
            self.obliged(head, candidates, &mut state);
        }
        if visit + 1 == induction.k {
            state = entry.cloned().unwrap_or(state);
            if let Some(changes) = induction.changes.get(&head) {
                self.forget(&mut state, changes);
            }
        }
        if induction.phase(visit) != Phase::Real {
            self.assume_candidates(candidates, &mut state);
        }
        self.induction = Some(induction);
        state
    }

    /// The last visit is over: the candidates must hold at the next.
    pub(crate) fn end_loop(&mut self, head: LoopId, mut state: State) {
        let Some(induction) = self.induction.take() else { return };
        let candidates = induction.candidates.get(&head).map_or(&[][..], Vec::as_slice);
        self.obliged(head, candidates, &mut state);
        self.induction = Some(induction);
    }

    fn obliged(&mut self, head: LoopId, candidates: &[Candidate], state: &mut State) {
        if self.assuming {
            return self.assume_candidates(candidates, state);
        }
        let guard = state.guard.term(&mut self.terms);
        for (at, candidate) in candidates.iter().enumerate() {
            let holds = self.eval_bits(state, candidate.expr);
            let not = self.terms.not(holds);
            let fails = self.terms.and_all(&[guard, candidate.selector, not]);
            if self.terms.as_const(fails) != Some(0) {
                self.obligations.push(Obligation { head, candidate: at, fails });
            }
        }
    }

    fn assume_candidates(&mut self, candidates: &[Candidate], state: &mut State) {
        for candidate in candidates {
            let holds = self.eval_bits(state, candidate.expr);
            let assumed = self.terms.implies(candidate.selector, holds);
            state.guard.add(&mut self.terms, assumed);
        }
    }

    fn forget(&mut self, state: &mut State, changes: &Changes) {
        for &var in &changes.vars {
            let value = self.unknown(self.program.vars[var].ty);
            self.set(state, var, value);
        }
        for id in 0..state.memory.len() {
            if state.memory[id].is_none() {
                continue;
            }
            let object = self.instances[id].object;
            let is_const = self.instances[id].is_const;
            if (changes.any_object && !is_const) || changes.objects.contains(&object) {
                self.forget_instance(state, id as u32);
            }
            if (changes.any_object && self.instances[id].is_heap) || changes.lives.contains(&object)
            {
                let still = self.terms.var("alive", 1);
                if let Some(Some(slot)) = state.memory.get_mut(id) {
                    slot.alive = self.terms.and(slot.alive, still);
                }
            }
        }
        for &object in &changes.lives {
            if state.objects.contains_key(&object) {
                let anywhere: Pointer = self.nowhere_known();
                Rc::make_mut(&mut state.objects).insert(object, anywhere);
            }
        }
        // Soundness: earlier rounds may have made instances that this state does not know of.
        if changes.allocates && self.classes.contains(&Class::Leak) {
            self.give_up(&state.guard.clone(), "memory is allocated in a loop without a bound");
        }
    }

    fn nowhere_known(&mut self) -> Pointer {
        let offset = self.terms.var("wild", u32::from(self.program.ptr_bits));
        pointer(&mut self.terms, Base::Wild, offset)
    }

    /// Whether nothing is looked at in this instance of a block: some loop around is in its assumed
    /// visits. `visits` are those of the loops around, outermost first.
    pub(crate) fn is_assumed(&self, mut visits: impl Iterator<Item = u32>) -> bool {
        match &self.induction {
            None => false,
            Some(it) => visits.any(|visit| it.phase(visit) == Phase::Assumed),
        }
    }
}

/// Keeps the first state of each loop for the arbitrary visit.
#[derive(Default)]
pub(crate) struct Entries(BTreeMap<usize, State>);

impl Entries {
    pub fn note(&mut self, head: BlockId, visit: u32, state: &State) {
        if visit == 0 {
            self.0.insert(head.index(), state.clone());
        }
    }

    pub fn get(&self, head: BlockId) -> Option<&State> {
        self.0.get(&head.index())
    }
}
