//! Expressions over symbolic values, as terms of a circuit (see `hardbop_cfg::may`).

use std::convert::Infallible;

use hardbop_base::Idx;
use hardbop_cfg::{ExprId, ExprPool, Formulas, May, VarId};
use hardbop_sat::{Aig, Term};
use rustc_hash::FxHashMap;

/// What an expression may be.
pub type Rails = May<Term>;

/// A possible value: `choice` decides where both are possible.
pub fn choose(aig: &mut Aig, rails: Rails, choice: Term) -> Term {
    aig.ite(choice, rails.be_true, !rails.be_false)
}

/// The value, if no choice is involved as far as the formulas show.
pub fn determined(rails: Rails) -> Option<Term> {
    (rails.be_false == !rails.be_true).then_some(rails.be_true)
}

/// What an expression may be where `now` are the current values and `next` the next ones.
pub fn rails(aig: &mut Aig, pool: &ExprPool, root: ExprId, now: &[Term], next: &[Term]) -> Rails {
    let Ok(rails) = pool.may(root, &mut Circuit { aig, now, next }, &mut FxHashMap::default());
    rails
}

/// Formulas as terms over the values of the variables.
struct Circuit<'a> {
    aig: &'a mut Aig,
    now: &'a [Term],
    next: &'a [Term],
}

impl Formulas for Circuit<'_> {
    type Formula = Term;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> Term {
        Term::constant(value)
    }

    fn now(&mut self, var: VarId) -> Result<Term, Infallible> {
        Ok(self.now[var.index()])
    }

    fn next(&mut self, var: VarId) -> Result<Term, Infallible> {
        Ok(self.next[var.index()])
    }

    fn not(&mut self, a: &Term) -> Term {
        !*a
    }

    fn and(&mut self, a: &Term, b: &Term) -> Result<Term, Infallible> {
        Ok(self.aig.and(*a, *b))
    }

    fn or(&mut self, a: &Term, b: &Term) -> Result<Term, Infallible> {
        Ok(self.aig.or(*a, *b))
    }

    fn ite(&mut self, c: &Term, a: &Term, b: &Term) -> Result<Term, Infallible> {
        Ok(self.aig.ite(*c, *a, *b))
    }
}
