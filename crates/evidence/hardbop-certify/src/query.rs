//! One question to a SAT solver: formulas and expressions become literals, facts are assumed, and
//! the question is whether all of them together are impossible.
//!
//! Each question has a solver of its own. They are small, and nothing can leak from one proof into
//! the next.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use hardbop_base::Budget;
use hardbop_cfg::{Expr, ExprId, ExprPool, VarId};
use hardbop_evidence::{Formula, FormulaId, FormulaPool};
use rustc_hash::FxHashMap;

/// The values of the variables in scope, one literal each.
pub type Values = Vec<Lit>;

pub struct Query {
    solver: BasicSolver,
    truth: Lit,
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
        let truth = Lit::new(solver.new_var_default(), true);
        let mut query = Query { solver, truth };
        query.assume(truth);
        query
    }

    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
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
                    let then = self.and(&[c, a]);
                    let otherwise = self.and(&[!c, b]);
                    self.or(&[then, otherwise])
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
        let all = self.fresh();
        for &operand in operands {
            self.clause(&[!all, operand]);
        }
        let mut back: Vec<_> = operands.iter().map(|&operand| !operand).collect();
        back.push(all);
        self.clause(&back);
        all
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
        // The result only tells whether the facts so far are contradictory already.
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }
}
