//! What an expression with choices may be: one algebra for everybody who computes it.
//!
//! Every occurrence of a choice is independent of all others, so that the pair of choice-free formulas "may be
//! true" and "may be false" says all there is to say of an expression, and composes: `a & b` may be true if both
//! may, and may be false if one may. What a formula is differs: a Boolean where all values are known, a term of a
//! circuit, a decision diagram. The rules are the same and stand here, once; the certifier has its own on purpose.

use std::convert::Infallible;

use hardbop_base::Bits;
use rustc_hash::FxHashMap;

use crate::expr::{Expr, ExprId, ExprPool};
use crate::program::VarId;

/// Whether, or where, something may be true, and may be false.
///
/// ```
/// use hardbop_base::Bits;
/// use hardbop_cfg::{Expr, ExprPool, May};
///
/// let mut pool = ExprPool::default();
/// let choice = pool.add(Expr::Choice);
/// let no = pool.constant(false);
/// let (either, never) = (pool.or(choice, no), pool.and(choice, no));
/// let values = Bits::new();
/// assert_eq!(pool.eval(either, &values, &values), May::EITHER);
/// assert_eq!(pool.eval(never, &values, &values), May::exactly(false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct May<T> {
    pub be_true: T,
    pub be_false: T,
}

/// The values an expression may take under one valuation.
pub type Possible = May<bool>;

impl<T> May<T> {
    fn not(self) -> Self {
        May { be_true: self.be_false, be_false: self.be_true }
    }
}

impl May<bool> {
    pub const EITHER: Possible = May { be_true: true, be_false: true };

    pub fn exactly(value: bool) -> Self {
        May { be_true: value, be_false: !value }
    }

    pub fn contains(self, value: bool) -> bool {
        if value { self.be_true } else { self.be_false }
    }

    /// False before true.
    pub fn values(self) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |&value| self.contains(value))
    }
}

/// Formulas without choices, and how they are built. Negation costs nothing; equal means the same formula, and
/// formulas that differ may still mean the same.
pub trait Formulas {
    type Formula: Clone + PartialEq;
    /// What can end the building.
    type Error;

    fn constant(&mut self, value: bool) -> Self::Formula;
    /// The current value of a variable.
    fn now(&mut self, var: VarId) -> Result<Self::Formula, Self::Error>;
    /// Its value after the assignment.
    fn next(&mut self, var: VarId) -> Result<Self::Formula, Self::Error>;
    fn not(&mut self, a: &Self::Formula) -> Self::Formula;
    fn and(&mut self, a: &Self::Formula, b: &Self::Formula) -> Result<Self::Formula, Self::Error>;
    fn or(&mut self, a: &Self::Formula, b: &Self::Formula) -> Result<Self::Formula, Self::Error>;
    fn ite(
        &mut self,
        c: &Self::Formula,
        a: &Self::Formula,
        b: &Self::Formula,
    ) -> Result<Self::Formula, Self::Error>;
}

/// What formulas of one kind give.
type Built<F> = Result<May<<F as Formulas>::Formula>, <F as Formulas>::Error>;

impl ExprPool {
    /// What an expression may be; `known` keeps what its operands may be, each computed once. Expressions may be
    /// deep: this walks with a stack of its own.
    pub fn may<F: Formulas>(
        &self,
        root: ExprId,
        formulas: &mut F,
        known: &mut FxHashMap<ExprId, May<F::Formula>>,
    ) -> Built<F> {
        let mut todo = vec![root];
        while let Some(&id) = todo.last() {
            if known.contains_key(&id) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            todo.extend(self.get(id).operands().filter(|operand| !known.contains_key(operand)));
            if todo.len() == before {
                let may = node(formulas, self.get(id), |_, operand| Ok(known[&operand].clone()))?;
                known.insert(id, may);
            }
        }
        Ok(known[&root].clone())
    }
}

/// The rules: what a node may be, given what its operands may be.
pub(crate) fn node<F: Formulas>(
    f: &mut F,
    expr: Expr,
    of: impl Fn(&mut F, ExprId) -> Built<F>,
) -> Built<F> {
    Ok(match expr {
        Expr::Const(value) => {
            let value = f.constant(value);
            exactly(f, value)
        }
        Expr::Var(var) => {
            let value = f.now(var)?;
            exactly(f, value)
        }
        Expr::Next(var) => {
            let value = f.next(var)?;
            exactly(f, value)
        }
        Expr::Choice => May { be_true: f.constant(true), be_false: f.constant(true) },
        Expr::Not(a) => of(f, a)?.not(),
        Expr::And(a, b) => {
            let (a, b) = (of(f, a)?, of(f, b)?);
            and(f, &a, &b)?
        }
        Expr::Or(a, b) => {
            let (a, b) = (of(f, a)?.not(), of(f, b)?.not());
            and(f, &a, &b)?.not()
        }
        Expr::Xor(a, b) => {
            let (a, b) = (of(f, a)?, of(f, b)?);
            ite(f, &a, &b.clone().not(), &b)?
        }
        Expr::Schoose(p, n) => {
            let (p, n) = (of(f, p)?, of(f, n)?);
            let neither = f.and(&p.be_false, &n.be_false)?;
            May { be_true: f.or(&p.be_true, &neither)?, be_false: p.be_false }
        }
        Expr::Ite(c, a, b) => {
            let (c, a, b) = (of(f, c)?, of(f, a)?, of(f, b)?);
            ite(f, &c, &a, &b)?
        }
    })
}

fn exactly<F: Formulas>(f: &mut F, value: F::Formula) -> May<F::Formula> {
    May { be_false: f.not(&value), be_true: value }
}

/// Whether no choice is involved, as far as the formulas show.
fn is_determined<F: Formulas>(f: &mut F, may: &May<F::Formula>) -> bool {
    f.not(&may.be_true) == may.be_false
}

fn and<F: Formulas>(f: &mut F, a: &May<F::Formula>, b: &May<F::Formula>) -> Built<F> {
    let be_true = f.and(&a.be_true, &b.be_true)?;
    if is_determined(f, a) && is_determined(f, b) {
        return Ok(exactly(f, be_true));
    }
    Ok(May { be_true, be_false: f.or(&a.be_false, &b.be_false)? })
}

fn ite<F: Formulas>(
    f: &mut F,
    c: &May<F::Formula>,
    a: &May<F::Formula>,
    b: &May<F::Formula>,
) -> Built<F> {
    if is_determined(f, c) && is_determined(f, a) && is_determined(f, b) {
        let value = f.ite(&c.be_true, &a.be_true, &b.be_true)?;
        return Ok(exactly(f, value));
    }
    let mut either = |a: &F::Formula, b: &F::Formula| {
        let (then, otherwise) = (f.and(&c.be_true, a)?, f.and(&c.be_false, b)?);
        f.or(&then, &otherwise)
    };
    Ok(May {
        be_true: either(&a.be_true, &b.be_true)?,
        be_false: either(&a.be_false, &b.be_false)?,
    })
}

/// Known values: formulas are true or false.
pub(crate) struct Values<'a> {
    pub now: &'a Bits,
    pub next: &'a Bits,
}

impl Formulas for Values<'_> {
    type Formula = bool;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn now(&mut self, var: VarId) -> Result<bool, Infallible> {
        Ok(self.now.contains(var.as_u32() as usize))
    }

    fn next(&mut self, var: VarId) -> Result<bool, Infallible> {
        Ok(self.next.contains(var.as_u32() as usize))
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(*a && *b)
    }

    fn or(&mut self, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(*a || *b)
    }

    fn ite(&mut self, c: &bool, a: &bool, b: &bool) -> Result<bool, Infallible> {
        Ok(if *c { *a } else { *b })
    }
}

#[cfg(test)]
mod tests {
    use super::{Infallible, May, Possible, Values, node};
    use crate::expr::{Expr, ExprId};
    use hardbop_base::Bits;

    /// The definition: what any of the values that the operands may have can give. Each operator, whatever its
    /// operands may be.
    #[test]
    fn the_rules_are_the_definition() {
        let all = [Possible::exactly(false), Possible::exactly(true), Possible::EITHER];
        let id = ExprId::from_u32;
        let (a, b, c) = (id(0), id(1), id(2));
        type Meaning = fn(bool, bool, bool) -> Vec<bool>;
        let operators: [(Expr, Meaning); 6] = [
            (Expr::Not(a), |a, _, _| vec![!a]),
            (Expr::And(a, b), |a, b, _| vec![a && b]),
            (Expr::Or(a, b), |a, b, _| vec![a || b]),
            (Expr::Xor(a, b), |a, b, _| vec![a != b]),
            (Expr::Schoose(a, b), |p, n, _| match (p, n) {
                (true, _) => vec![true],
                (false, true) => vec![false],
                (false, false) => vec![false, true],
            }),
            (Expr::Ite(a, b, c), |a, b, c| vec![if a { b } else { c }]),
        ];
        let none = Bits::new();
        let mut n_tried = 0;
        for (expr, meaning) in operators {
            for operands in (0..27).map(|n| [all[n % 3], all[n / 3 % 3], all[n / 9]]) {
                let mut expected = May { be_true: false, be_false: false };
                for x in operands[0].values() {
                    for y in operands[1].values() {
                        for z in operands[2].values() {
                            let given = meaning(x, y, z);
                            expected.be_true |= given.contains(&true);
                            expected.be_false |= given.contains(&false);
                        }
                    }
                }
                let of = |_: &mut Values<'_>, it: ExprId| {
                    Ok::<_, Infallible>(operands[it.as_u32() as usize])
                };
                let Ok(may) = node(&mut Values { now: &none, next: &none }, expr, of);
                assert_eq!(may, expected, "{expr:?} of {operands:?}");
                n_tried += 1;
            }
        }
        assert_eq!(n_tried, 6 * 27);
    }
}
