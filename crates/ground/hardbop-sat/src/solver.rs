//! What we ask of a SAT solver.

use hardbop_base::Exhausted;

/// A literal: variable `code / 2`, negated if the code is odd.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    pub fn new(var: u32, positive: bool) -> Self {
        Lit(var * 2 + u32::from(!positive))
    }

    pub fn var(self) -> u32 {
        self.0 / 2
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// For tables by literal.
    pub(crate) fn code(self) -> usize {
        self.0 as usize
    }

    /// The same literal if `positive`, otherwise its negation.
    pub fn signed(self, positive: bool) -> Self {
        if positive { self } else { !self }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// An incremental solver with assumptions. Clauses are never taken back.
pub trait Solver {
    /// A new variable, as its positive literal. Variables are numbered from 0.
    fn new_var(&mut self) -> Lit;

    fn add_clause(&mut self, clause: &[Lit]);

    /// Whether the clauses have a model in which the assumptions hold; `Err` if the budget the
    /// solver was made with is spent.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted>;

    /// The value in the last model; false for a variable the solver left open.
    fn value(&self, lit: Lit) -> bool;

    /// The assumptions that the last negative answer rests on.
    fn core(&self) -> Vec<Lit>;
}

/// The same questions to every back end.
#[cfg(test)]
pub(crate) mod tests {
    use super::{Lit, Solver};

    /// All assignments of `n` variables that satisfy the clauses.
    fn brute(n: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        (0..1u32 << n).any(|bits| {
            let holds = |lit: Lit| (bits >> lit.var() & 1 == 1) == lit.is_positive();
            clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
                && assumptions.iter().all(|&lit| holds(lit))
        })
    }

    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as usize
    }

    /// Random clauses are added one by one, with a query under random assumptions after each.
    pub fn check_back_end<S: Solver>(make: impl Fn() -> S) {
        let mut seed = 7;
        let rng = &mut seed;
        let n = 6;
        let (mut n_sat, mut n_unsat) = (0, 0);
        for _ in 0..60 {
            let mut solver = make();
            let vars: Vec<Lit> = (0..n).map(|_| solver.new_var()).collect();
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for _ in 0..25 {
                let width = 1 + next(rng) % 3;
                let clause: Vec<Lit> = (0..width)
                    .map(|_| vars[next(rng) % n].signed(next(rng).is_multiple_of(2)))
                    .collect();
                solver.add_clause(&clause);
                clauses.push(clause);
                let first = next(rng) % 3;
                let assumptions: Vec<Lit> = (first..n)
                    .step_by(2)
                    .map(|i| vars[i].signed(next(rng).is_multiple_of(2)))
                    .collect();
                let answer = solver.solve(&assumptions).expect("no limit was set");
                assert_eq!(answer, brute(n, &clauses, &assumptions));
                if answer {
                    n_sat += 1;
                    assert!(assumptions.iter().all(|&lit| solver.value(lit)));
                    for clause in &clauses {
                        assert!(clause.iter().any(|&lit| solver.value(lit)));
                    }
                } else {
                    n_unsat += 1;
                    let core = solver.core();
                    assert!(core.iter().all(|lit| assumptions.contains(lit)));
                    assert!(!brute(n, &clauses, &core));
                }
            }
        }
        assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    }
}
