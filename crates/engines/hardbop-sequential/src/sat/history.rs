//! The states explored at a location, as one formula to compare new ones with.
//!
//! SUM (8), against the union of all earlier states rather than each of them, so that every state
//! that is not included adds at least one pair of entry and current values.

use hardbop_base::Exhausted;
use hardbop_sat::{Copy, ForallExists, Qbf, Term, Unmapped};

use crate::sat::sim::Sim;
use crate::sat::state::StateId;

/// In terms of the entry of the procedure and of variables used nowhere else.
#[derive(Default, Debug)]
pub struct History {
    guard: Option<Term>,
    /// Of the variables that are compared.
    values: Vec<Term>,
    /// The variables used nowhere else.
    own: Vec<Term>,
}

impl History {
    /// Adds a state, of whose values `compared` matter.
    pub fn add(&mut self, sim: &mut Sim<'_>, state: StateId, compared: &[usize]) {
        let proc = sim.arena.states[state].proc;
        let entry = sim.entry(proc);
        let mut copy = Copy::new(Unmapped::Fresh);
        for &input in sim.arena.states[entry].values.iter() {
            copy.map(input, input);
        }
        let old = sim.arena.states[state].clone();
        let guard = copy.apply(&mut sim.aig, old.guard);
        let values: Vec<Term> =
            compared.iter().map(|&var| copy.apply(&mut sim.aig, old.values[var])).collect();
        sim.note_control(&copy);
        let is_own = |&(input, renamed): &(Term, Term)| input != renamed;
        self.own.extend(copy.inputs(&sim.aig).filter(is_own).map(|(_, renamed)| renamed));
        let Some(old_guard) = self.guard else {
            (self.guard, self.values) = (Some(guard), values);
            return;
        };
        let pick = sim.choice();
        self.own.push(pick);
        self.guard = Some(sim.aig.ite(pick, guard, old_guard));
        for (value, new) in self.values.iter_mut().zip(values) {
            *value = sim.aig.ite(pick, new, *value);
        }
    }

    /// Whether the history has every pair of entry and current values of a state that is reached
    /// from an entry with `context`.
    pub fn includes(
        &self,
        sim: &mut Sim<'_>,
        qbf: &mut Qbf,
        state: StateId,
        compared: &[usize],
        context: Term,
    ) -> Result<bool, Exhausted> {
        let Some(guard) = self.guard else { return Ok(false) };
        let state = sim.arena.states[state].clone();
        let values: Vec<Term> = compared.iter().map(|&var| state.values[var]).collect();
        let equal = sim.aig.equal(&values, &self.values);
        let matrix = sim.aig.and(guard, equal);
        let premise = sim.aig.and(context, state.guard);
        let query = sim.query(premise, matrix, self.own.clone());
        qbf.holds(&sim.aig, &query)
    }
}

impl Sim<'_> {
    /// ∀. premise → ∃ own. matrix
    pub fn query(&self, premise: Term, matrix: Term, exists: Vec<Term>) -> ForallExists {
        let is_control = |it: &&Term| self.control.contains(&it.node());
        let control = exists.iter().filter(is_control).copied().collect();
        ForallExists { premise, matrix, exists, control }
    }
}
