//! Why a conflict came about: the clause to learn, the core, and the steps of the proof.

use super::{Cdcl, ClauseRef, NONE};
use crate::lrat::{ClauseId, Step};
use crate::solver::Lit;

/// Why what was learnt follows, as far as nobody has taken it yet.
#[derive(Default)]
pub(super) struct Log {
    pub(super) steps: Vec<Step>,
    n_derived: u32,
    /// By variable: the clause that says alone what it is, for those of level 0.
    pub(super) units: Vec<ClauseId>,
}

impl Log {
    pub(super) fn derive(&mut self, literals: &[Lit], hints: Vec<ClauseId>) -> ClauseId {
        self.n_derived += 1;
        self.steps.push(Step::Derive { literals: literals.to_vec(), hints });
        ClauseId::derived(self.n_derived - 1)
    }
}

impl Cdcl {
    /// The clause to learn from a conflict, the literal to assert first, its name in the proof, and the level to
    /// go back to.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> (Vec<Lit>, ClauseId, u32) {
        let current = self.limits.len() as u32;
        let mut learnt = vec![Lit::new(0, true)];
        let (mut clause, mut open, mut at) = (conflict, 0, self.trail.len());
        let mut marked = Vec::new();
        // The variables whose reasons the argument uses.
        let mut implied = Vec::new();
        loop {
            let from = usize::from(clause != conflict);
            for i in from..self.clauses[clause as usize].literals.len() {
                let lit = self.clauses[clause as usize].literals[i];
                let var = lit.var() as usize;
                if self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                self.order.bump(lit.var());
                match self.level[var] == current {
                    true => open += 1,
                    false => learnt.push(lit),
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            self.seen[lit.var() as usize] = false;
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            clause = self.reason[lit.var() as usize];
            implied.push(lit.var());
        }
        // A literal whose reason has only literals that are there is implied by them.
        let is_implied = |it: &Self, lit: Lit| {
            let reason = it.reason[lit.var() as usize];
            reason != NONE
                && it.clauses[reason as usize].literals[1..].iter().all(|other| {
                    it.seen[other.var() as usize] || it.level[other.var() as usize] == 0
                })
        };
        let (removed, rest): (Vec<Lit>, Vec<Lit>) =
            learnt[1..].iter().copied().partition(|&lit| is_implied(self, lit));
        learnt.truncate(1);
        learnt.extend(rest);
        implied.extend(removed.into_iter().map(Lit::var));
        let hints = self.hints(&implied, [conflict].into_iter());
        let log = self.proof.as_mut();
        let id = log.map_or(ClauseId::default(), |log| log.derive(&learnt, hints));
        marked.into_iter().for_each(|var| self.seen[var] = false);
        let mut back = 0;
        for i in 1..learnt.len() {
            let level = self.level[learnt[i].var() as usize];
            if level > back {
                back = level;
                learnt.swap(1, i);
            }
        }
        (learnt, id, back)
    }

    /// The assumptions that make this one impossible, itself included.
    pub(super) fn core_of(&mut self, assumption: Lit) -> Vec<Lit> {
        let mut core = vec![assumption];
        let mut todo = vec![assumption.var()];
        let mut seen = vec![false; self.level.len()];
        let mut implied = Vec::new();
        while let Some(var) = todo.pop() {
            if std::mem::replace(&mut seen[var as usize], true) || self.level[var as usize] == 0 {
                continue;
            }
            if self.reason[var as usize] != NONE {
                implied.push(var);
            }
            match self.reason[var as usize] {
                NONE => {
                    let lit = Lit::new(var, true);
                    core.push(lit.signed(self.value_of(lit) > 0));
                }
                clause => {
                    let literals = &self.clauses[clause as usize].literals;
                    todo.extend(literals[1..].iter().map(|it| it.var()));
                }
            }
        }
        // The assumption is false by the others; its own variable is no decision.
        core.sort_unstable();
        core.dedup();
        let mut hints = self.hints(&implied, std::iter::empty());
        if let Some(log) = &mut self.proof {
            if self.level[assumption.var() as usize] == 0 {
                hints.push(log.units[assumption.var() as usize]);
            }
            let negated: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            log.derive(&negated, hints);
        }
        core
    }

    /// The clauses of an argument as hints: what holds at level 0, the reasons of these variables in the order
    /// they were assigned, and the last clauses as given.
    pub(super) fn hints(
        &self,
        implied: &[u32],
        last: impl Iterator<Item = ClauseRef>,
    ) -> Vec<ClauseId> {
        let Some(log) = &self.proof else { return Vec::new() };
        let mut implied = implied.to_vec();
        implied.sort_unstable_by_key(|&var| self.position[var as usize]);
        implied.dedup();
        let reasons = implied.iter().map(|&var| self.reason[var as usize]);
        let clauses: Vec<ClauseRef> = reasons.chain(last).collect();
        let mut units: Vec<u32> = Vec::new();
        for &clause in &clauses {
            let literals = self.clauses[clause as usize].literals.iter().map(|it| it.var());
            // Of a variable that is being assigned at level 0 the clause says alone what it is: no unit yet.
            let is_unit = |&var: &u32| {
                let var = var as usize;
                self.level[var] == 0 && (self.reason[var] != clause || !self.limits.is_empty())
            };
            units.extend(literals.filter(is_unit));
        }
        units.sort_unstable();
        units.dedup();
        let units = units.into_iter().map(|var| log.units[var as usize]);
        units.chain(clauses.iter().map(|&it| self.clauses[it as usize].id)).collect()
    }
}
