//! Expressions over symbolic values: the two formulas "may be true" and "may be false".
//!
//! See `hardbop_cfg::expr`: choices are independent of each other, so these two, which mention no
//! choice, say all there is to say of an expression.

use hardbop_base::Idx;
use hardbop_cfg::{Expr, ExprId, ExprPool};
use hardbop_sat::{Aig, Term};
use rustc_hash::FxHashMap;

/// What an expression may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rails {
    pub may_be_true: Term,
    pub may_be_false: Term,
}

impl Rails {
    fn exactly(value: Term) -> Self {
        Rails { may_be_true: value, may_be_false: !value }
    }

    /// The value, if no choice is involved as far as the formulas show.
    pub fn determined(self) -> Option<Term> {
        (self.may_be_false == !self.may_be_true).then_some(self.may_be_true)
    }

    /// A possible value: `choice` decides where both are possible.
    pub fn choose(self, aig: &mut Aig, choice: Term) -> Term {
        aig.ite(choice, self.may_be_true, !self.may_be_false)
    }
}

/// The rails of an expression where `now` are the current values and `next` the next ones.
pub fn rails(aig: &mut Aig, pool: &ExprPool, root: ExprId, now: &[Term], next: &[Term]) -> Rails {
    let mut known: FxHashMap<ExprId, Rails> = FxHashMap::default();
    let mut todo = vec![root];
    while let Some(&id) = todo.last() {
        let before = todo.len();
        todo.extend(pool.get(id).operands().filter(|operand| !known.contains_key(operand)));
        if todo.len() == before {
            todo.pop();
            let value = node(aig, pool.get(id), now, next, |operand| known[&operand]);
            known.insert(id, value);
        }
    }
    known[&root]
}

fn node(
    aig: &mut Aig,
    expr: Expr,
    now: &[Term],
    next: &[Term],
    of: impl Fn(ExprId) -> Rails,
) -> Rails {
    match expr {
        Expr::Const(value) => Rails::exactly(Term::constant(value)),
        Expr::Var(var) => Rails::exactly(now[var.index()]),
        Expr::Next(var) => Rails::exactly(next[var.index()]),
        Expr::Choice => Rails { may_be_true: Term::TRUE, may_be_false: Term::TRUE },
        Expr::Not(a) => not(of(a)),
        Expr::And(a, b) => and(aig, of(a), of(b)),
        Expr::Or(a, b) => not(and(aig, not(of(a)), not(of(b)))),
        Expr::Xor(a, b) => {
            let (a, b) = (of(a), of(b));
            ite(aig, a, not(b), b)
        }
        Expr::Schoose(p, n) => {
            let (p, n) = (of(p), of(n));
            let neither = aig.and(p.may_be_false, n.may_be_false);
            Rails { may_be_true: aig.or(p.may_be_true, neither), may_be_false: p.may_be_false }
        }
        Expr::Ite(c, a, b) => ite(aig, of(c), of(a), of(b)),
    }
}

fn not(a: Rails) -> Rails {
    Rails { may_be_true: a.may_be_false, may_be_false: a.may_be_true }
}

fn and(aig: &mut Aig, a: Rails, b: Rails) -> Rails {
    if let (Some(a), Some(b)) = (a.determined(), b.determined()) {
        return Rails::exactly(aig.and(a, b));
    }
    Rails {
        may_be_true: aig.and(a.may_be_true, b.may_be_true),
        may_be_false: aig.or(a.may_be_false, b.may_be_false),
    }
}

fn ite(aig: &mut Aig, c: Rails, a: Rails, b: Rails) -> Rails {
    if let (Some(c), Some(a), Some(b)) = (c.determined(), a.determined(), b.determined()) {
        return Rails::exactly(aig.ite(c, a, b));
    }
    let mut either = |a, b| {
        let (then, otherwise) = (aig.and(c.may_be_true, a), aig.and(c.may_be_false, b));
        aig.or(then, otherwise)
    };
    Rails {
        may_be_true: either(a.may_be_true, b.may_be_true),
        may_be_false: either(a.may_be_false, b.may_be_false),
    }
}
