//! One question to a SAT solver: formulas and expressions become literals, facts are assumed, and
//! the question is whether all of them together are impossible.
//!
//! Each question has a solver of its own. They are small, and nothing can leak from one proof into
//! the next. Equal gates are one literal, and those that a constant decides are none: where a statement leaves
//! most of an invariant as it is, what comes before and what comes after share most of it.

use std::ops::Not;

use batsat::{BasicSolver, SolverInterface, lbool};
use hardbop_base::Budget;
use hardbop_cfg::{Expr, ExprId, ExprPool, VarId};
use hardbop_evidence::{Formula, FormulaId, FormulaPool};
use rustc_hash::FxHashMap;

/// A variable of the question, or its negation. The solver hears of those that occur in a clause: a scope may
/// be wide, and an obligation is about few of its variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The values of the variables in scope, one literal each.
pub type Values = Vec<Lit>;

pub struct Query {
    solver: BasicSolver,
    /// The solver's literals of the variables it has heard of.
    heard: FxHashMap<Lit, batsat::Lit>,
    n_vars: u32,
    truth: Lit,
    gates: FxHashMap<Gate, Lit>,
}

/// What a literal stands for.
#[derive(PartialEq, Eq, Hash)]
enum Gate {
    /// Sorted, each once, no constants.
    And(Vec<Lit>),
    /// If the first then the second else the third.
    Ite(Lit, Lit, Lit),
}

/// Whether an expression may be true, and whether it may be false: its choices are independent of
/// everything else, so these two say all there is to say.
#[derive(Clone, Copy)]
pub struct May {
    pub be_true: Lit,
    pub be_false: Lit,
}

impl Query {
    pub fn new(budget: &Budget) -> Self {
        let mut solver = BasicSolver::default();
        let budget = budget.clone();
        solver.cb_mut().set_stop(move || budget.check().is_err());
        let (heard, gates) = (FxHashMap::default(), FxHashMap::default());
        let mut query = Query { solver, heard, n_vars: 1, truth: Lit(0), gates };
        query.assume(query.truth);
        query
    }

    pub fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        Lit(2 * (self.n_vars - 1))
    }

    pub fn fresh_values(&mut self, n: usize) -> Values {
        (0..n).map(|_| self.fresh()).collect()
    }

    pub fn assume(&mut self, fact: Lit) {
        self.clause(&[fact]);
    }

    /// `value` is one of the values an expression may have.
    pub fn assume_possible(&mut self, value: Lit, may: May) {
        self.clause(&[!value, may.be_true]);
        self.clause(&[value, may.be_false]);
    }

    /// Whether what was assumed is contradictory; `None` if a limit was reached.
    pub fn refute(mut self) -> Option<bool> {
        let possible = self.solver.solve_limited(&[]);
        (possible != lbool::UNDEF).then_some(possible == lbool::FALSE)
    }

    /// The literal of a formula over the values at entry and now.
    pub fn formula(
        &mut self,
        pool: &FormulaPool,
        root: FormulaId,
        entry: &Values,
        now: &Values,
    ) -> Lit {
        let mut literals: FxHashMap<FormulaId, Lit> = FxHashMap::default();
        for id in pool.below(&[root]) {
            let of = |id: &FormulaId| literals[id];
            let literal = match pool.get(id) {
                Formula::Const(value) => self.constant(*value),
                Formula::Entry(var) => entry[var.as_u32() as usize],
                Formula::Current(var) => now[var.as_u32() as usize],
                Formula::Not(a) => !of(a),
                Formula::And(list) => {
                    let operands: Vec<_> = list.iter().map(of).collect();
                    self.and(&operands)
                }
                Formula::Or(list) => {
                    let operands: Vec<_> = list.iter().map(of).collect();
                    self.or(&operands)
                }
                Formula::Ite(c, a, b) => {
                    let (c, a, b) = (of(c), of(a), of(b));
                    self.ite(c, a, b)
                }
            };
            literals.insert(id, literal);
        }
        literals[&root]
    }

    /// What an expression of the program may be. `next` gives the values after an assignment.
    pub fn may(&mut self, pool: &ExprPool, id: ExprId, now: &Values, next: &Values) -> May {
        let known = |var: VarId, values: &Values| {
            let value = values[var.as_u32() as usize];
            May { be_true: value, be_false: !value }
        };
        match pool.get(id) {
            Expr::Const(value) => {
                May { be_true: self.constant(value), be_false: self.constant(!value) }
            }
            Expr::Var(var) => known(var, now),
            Expr::Next(var) => known(var, next),
            Expr::Choice => May { be_true: self.truth, be_false: self.truth },
            Expr::Not(a) => {
                let a = self.may(pool, a, now, next);
                May { be_true: a.be_false, be_false: a.be_true }
            }
            Expr::And(a, b) => {
                let (a, b) = (self.may(pool, a, now, next), self.may(pool, b, now, next));
                let be_true = self.and(&[a.be_true, b.be_true]);
                May { be_true, be_false: self.or(&[a.be_false, b.be_false]) }
            }
            Expr::Or(a, b) => {
                let (a, b) = (self.may(pool, a, now, next), self.may(pool, b, now, next));
                let be_true = self.or(&[a.be_true, b.be_true]);
                May { be_true, be_false: self.and(&[a.be_false, b.be_false]) }
            }
            Expr::Xor(a, b) => {
                let (a, b) = (self.may(pool, a, now, next), self.may(pool, b, now, next));
                May {
                    be_true: self.either_pair((a.be_true, b.be_false), (a.be_false, b.be_true)),
                    be_false: self.either_pair((a.be_true, b.be_true), (a.be_false, b.be_false)),
                }
            }
            Expr::Schoose(p, n) => {
                let (p, n) = (self.may(pool, p, now, next), self.may(pool, n, now, next));
                let neither = self.and(&[p.be_false, n.be_false]);
                May { be_true: self.or(&[p.be_true, neither]), be_false: p.be_false }
            }
            Expr::Ite(c, a, b) => {
                let c = self.may(pool, c, now, next);
                let (a, b) = (self.may(pool, a, now, next), self.may(pool, b, now, next));
                May {
                    be_true: self.either_pair((c.be_true, a.be_true), (c.be_false, b.be_true)),
                    be_false: self.either_pair((c.be_true, a.be_false), (c.be_false, b.be_false)),
                }
            }
        }
    }

    pub fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    fn and(&mut self, operands: &[Lit]) -> Lit {
        let mut operands: Vec<_> =
            operands.iter().copied().filter(|&it| it != self.truth).collect();
        operands.sort_unstable();
        operands.dedup();
        // The two literals of a variable are neighbours.
        if operands.contains(&!self.truth) || operands.windows(2).any(|two| two[0] == !two[1]) {
            return !self.truth;
        }
        match operands[..] {
            [] => return self.truth,
            [one] => return one,
            _ => {}
        }
        let gate = Gate::And(operands.clone());
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let all = self.fresh();
        for &operand in &operands {
            self.clause(&[!all, operand]);
        }
        let mut back: Vec<_> = operands.iter().map(|&operand| !operand).collect();
        back.push(all);
        self.clause(&back);
        self.gates.insert(gate, all);
        all
    }

    fn ite(&mut self, test: Lit, then: Lit, otherwise: Lit) -> Lit {
        if test == self.truth || then == otherwise {
            return then;
        }
        if test == !self.truth {
            return otherwise;
        }
        if then == self.truth || then == test {
            return self.or(&[test, otherwise]);
        }
        if then == !self.truth || then == !test {
            return self.and(&[!test, otherwise]);
        }
        if otherwise == self.truth || otherwise == !test {
            return self.or(&[!test, then]);
        }
        if otherwise == !self.truth || otherwise == test {
            return self.and(&[test, then]);
        }
        let gate = Gate::Ite(test, then, otherwise);
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let is = self.fresh();
        for (is, then, otherwise) in [(is, then, otherwise), (!is, !then, !otherwise)] {
            self.clause(&[!is, !test, then]);
            self.clause(&[!is, test, otherwise]);
            // Follows from the two; the solver propagates more with it.
            self.clause(&[!is, then, otherwise]);
        }
        self.gates.insert(gate, is);
        is
    }

    fn or(&mut self, operands: &[Lit]) -> Lit {
        let none: Vec<_> = operands.iter().map(|&operand| !operand).collect();
        !self.and(&none)
    }

    fn either_pair(&mut self, a: (Lit, Lit), b: (Lit, Lit)) -> Lit {
        let (a, b) = (self.and(&[a.0, a.1]), self.and(&[b.0, b.1]));
        self.or(&[a, b])
    }

    fn clause(&mut self, literals: &[Lit]) {
        let Query { solver, heard, .. } = self;
        let mut hear = |lit: Lit| {
            let positive = Lit(lit.0 & !1);
            let known = heard.entry(positive);
            let known = *known.or_insert_with(|| batsat::Lit::new(solver.new_var_default(), true));
            if lit == positive { known } else { !known }
        };
        let mut clause: Vec<_> = literals.iter().map(|&lit| hear(lit)).collect();
        // The result only tells whether the facts so far are contradictory already.
        self.solver.add_clause_reuse(&mut clause);
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::Budget;

    use super::{Lit, Query};

    /// The literals of three variables and the constants, with their values in one of eight cases.
    fn literals(query: &mut Query, case: usize) -> Vec<(Lit, bool)> {
        let mut literals = vec![(query.constant(true), true), (query.constant(false), false)];
        for var in 0..3 {
            let (literal, value) = (query.fresh(), case >> var & 1 == 1);
            literals.extend([(literal, value), (!literal, !value)]);
        }
        literals
    }

    /// Whether a gate has its value in a case, whatever it was simplified to.
    fn has_its_value(case: usize, pick: [usize; 3], ite: bool) -> bool {
        let mut query = Query::new(&Budget::unlimited());
        let literals = literals(&mut query, case);
        let [a, b, c] = pick.map(|at| literals[at]);
        let (gate, value) = if ite {
            (query.ite(a.0, b.0, c.0), if a.1 { b.1 } else { c.1 })
        } else {
            (query.and(&[a.0, b.0, c.0]), a.1 && b.1 && c.1)
        };
        for &(literal, value) in &literals {
            query.assume(if value { literal } else { !literal });
        }
        query.assume(if value { !gate } else { gate });
        query.refute() == Some(true)
    }

    #[test]
    fn gates_are_what_they_are_simplified_to() {
        for at in 0..8 * 8 * 8 * 8 {
            let pick = [at >> 3 & 7, at >> 6 & 7, at >> 9 & 7];
            for ite in [false, true] {
                assert!(has_its_value(at & 7, pick, ite), "{pick:?} in case {}, {ite}", at & 7);
            }
        }
    }
}
