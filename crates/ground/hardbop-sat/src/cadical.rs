//! The back end for hard queries.

use cadical::Callbacks;
use hardbop_base::{Budget, Exhausted};

use crate::solver::{Lit, Solver};

pub struct Cadical {
    inner: cadical::Solver<Stop>,
    n_vars: u32,
    /// Of the last query.
    assumptions: Vec<Lit>,
    budget: Budget,
}

/// Asked by the solver now and then.
struct Stop(Budget);

impl Callbacks for Stop {
    fn terminate(&mut self) -> bool {
        self.0.check().is_err()
    }
}

impl Cadical {
    pub fn new(budget: &Budget) -> Self {
        let mut solver = Cadical {
            inner: cadical::Solver::new(),
            n_vars: 0,
            assumptions: Vec::new(),
            budget: Budget::unlimited(),
        };
        solver.set_budget(budget);
        solver
    }

    /// The limits of the queries from now on.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.inner.set_callbacks(Some(Stop(budget.clone())));
    }
}

fn theirs(lit: Lit) -> i32 {
    let var = lit.var() as i32 + 1;
    if lit.is_positive() { var } else { -var }
}

impl Solver for Cadical {
    fn new_var(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::new(self.n_vars - 1, true)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.inner.add_clause(clause.iter().map(|&lit| theirs(lit)));
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        self.assumptions = assumptions.to_vec();
        let answer = self.inner.solve_with(assumptions.iter().map(|&lit| theirs(lit)));
        match answer {
            Some(answer) => Ok(answer),
            None => Err(self.budget.check().err().unwrap_or(Exhausted::Cancelled)),
        }
    }

    fn value(&self, lit: Lit) -> bool {
        // A variable that no clause mentions is unknown to the solver.
        lit.var() < self.inner.max_variable() as u32 && self.inner.value(theirs(lit)) == Some(true)
            || lit.var() >= self.inner.max_variable() as u32 && !lit.is_positive()
    }

    fn core(&self) -> Vec<Lit> {
        self.assumptions.iter().copied().filter(|&lit| self.inner.failed(theirs(lit))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Cadical;
    use crate::solver::tests::check_back_end;
    use hardbop_base::Budget;

    #[test]
    fn answers_models_and_cores_are_right() {
        check_back_end(|| Cadical::new(&Budget::unlimited()));
    }
}
