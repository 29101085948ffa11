//! The default back end: pure Rust, fast on many small queries.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, lbool};
use hardbop_base::{Budget, Exhausted};

use crate::solver::{Lit, Solver};

/// The solver asks for permission to go on at every decision; the clock is read less often.
const DECISIONS_PER_CHECK: u32 = 512;

pub struct Batsat {
    inner: batsat::Solver<Limits>,
}

/// What the solver asks and tells as it goes.
struct Limits {
    budget: Budget,
    /// Which limit of the budget made the solver stop.
    stopped_by: Cell<Option<Exhausted>>,
    /// Decisions since the budget was asked.
    ticks: Cell<u32>,
    /// Conflicts the query may still meet.
    conflicts_left: u64,
}

impl Callbacks for Limits {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts_left = self.conflicts_left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.ticks.set(self.ticks.get() + 1);
        if self.ticks.get() >= DECISIONS_PER_CHECK && self.stopped_by.get().is_none() {
            self.ticks.set(0);
            self.stopped_by.set(self.budget.check().err());
        }
        self.stopped_by.get().is_some() || self.conflicts_left == 0
    }
}

impl Batsat {
    pub fn new(budget: &Budget) -> Self {
        let limits = Limits {
            budget: budget.clone(),
            stopped_by: Cell::new(None),
            ticks: Cell::new(0),
            conflicts_left: u64::MAX,
        };
        Batsat { inner: batsat::Solver::new(SolverOpts::default(), limits) }
    }

    /// The limits of the queries from now on.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.inner.cb_mut().budget = budget.clone();
    }

    /// As `solve`, but gives up with `None` after so many conflicts.
    pub fn solve_within(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Result<Option<bool>, Exhausted> {
        let limits = self.inner.cb_mut();
        limits.stopped_by.set(None);
        limits.conflicts_left = conflicts;
        let assumptions: Vec<_> = assumptions.iter().map(|&lit| theirs(lit)).collect();
        let answer = self.inner.solve_limited(&assumptions);
        if answer == lbool::TRUE || answer == lbool::FALSE {
            return Ok(Some(answer == lbool::TRUE));
        }
        let limits = self.inner.cb();
        limits.budget.check()?;
        // A limit that was met for a moment, such as that on memory, still ended the search.
        limits.stopped_by.get().map_or(Ok(None), Err)
    }
}

fn theirs(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var()), lit.is_positive())
}

fn ours(lit: batsat::Lit) -> Lit {
    Lit::new(lit.var().idx(), lit.sign())
}

impl Solver for Batsat {
    fn new_var(&mut self) -> Lit {
        Lit::new(self.inner.new_var_default().idx(), true)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<_> = clause.iter().map(|&lit| theirs(lit)).collect();
        // Its result only says whether the clauses are contradictory by now, which the next query
        // will tell as well.
        self.inner.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        let answer = self.solve_within(assumptions, u64::MAX)?;
        Ok(answer.expect("nobody meets 2^64 conflicts"))
    }

    fn value(&self, lit: Lit) -> bool {
        self.inner.value_lit(theirs(lit)) == lbool::TRUE
    }

    fn core(&self) -> Vec<Lit> {
        // Theirs is a clause: the negations of the assumptions.
        self.inner.unsat_core().iter().map(|&lit| !ours(lit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Batsat;
    use crate::solver::tests::check_back_end;
    use crate::solver::{Lit, Solver};
    use hardbop_base::{Budget, Exhausted};
    use std::time::Duration;

    #[test]
    fn answers_models_and_cores_are_right() {
        check_back_end(|| Batsat::new(&Budget::unlimited()));
    }

    /// Pigeons: hard for resolution, so the limit is met inside the solver.
    #[test]
    fn a_time_limit_ends_a_hard_query() {
        let limit = Duration::from_millis(50);
        let mut solver = Batsat::new(&Budget::unlimited().with_time(limit));
        let (pigeons, holes) = (12, 11);
        let at: Vec<Vec<Lit>> =
            (0..pigeons).map(|_| (0..holes).map(|_| solver.new_var()).collect()).collect();
        for pigeon in &at {
            solver.add_clause(pigeon);
        }
        for (i, a) in at.iter().enumerate() {
            for b in &at[..i] {
                a.iter().zip(b).for_each(|(&a, &b)| solver.add_clause(&[!a, !b]));
            }
        }
        assert_eq!(solver.solve(&[]), Err(Exhausted::Time(limit)));
    }
}
