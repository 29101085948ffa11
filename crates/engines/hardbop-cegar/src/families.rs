//! Predicates that say which constant a register, or the difference of two, is belong together: where
//! one of them is needed to tell the states of a machine apart, the others soon are.

use std::collections::BTreeSet;

use hardbop_cir::{BinOp, Expr, ExprId, ExprPool, Ty, VarId};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Which constant a register holds.
    Values(VarId),
    /// By which constant the first register is more than the second.
    Differences(VarId, VarId),
    /// Any other predicate is alone.
    Single(ExprId),
}

/// An equation of two registers: the first is the second and a constant.
struct Difference {
    first: VarId,
    second: VarId,
    constant: u128,
}

/// The largest constant below which all others are tried.
const MAX_CONSTANT: u128 = 16;

impl Family {
    pub fn of(pool: &ExprPool, predicate: ExprId) -> Family {
        if let Some(it) = difference(pool, predicate) {
            return Family::Differences(it.first, it.second);
        }
        if let Expr::Binary(BinOp::Eq, a, b) = pool.get(predicate) {
            match (pool.get(a), pool.get(b)) {
                (Expr::Var(var), Expr::Int { .. }) | (Expr::Int { .. }, Expr::Var(var)) => {
                    return Family::Values(var);
                }
                _ => {}
            }
        }
        Family::Single(predicate)
    }

    /// Those of its predicates that are among these.
    pub fn members(self, pool: &ExprPool, among: &BTreeSet<ExprId>) -> Vec<ExprId> {
        match self {
            Family::Single(predicate) => among.get(&predicate).copied().into_iter().collect(),
            _ => among.iter().copied().filter(|&it| Family::of(pool, it) == self).collect(),
        }
    }
}

fn difference(pool: &ExprPool, predicate: ExprId) -> Option<Difference> {
    let Expr::Binary(BinOp::Eq, a, b) = pool.get(predicate) else { return None };
    let sum = |it| match pool.get(it) {
        Expr::Var(var) => Some((var, 0)),
        Expr::Binary(BinOp::Add, x, y) => match (pool.get(x), pool.get(y)) {
            (Expr::Var(var), Expr::Int { value, .. })
            | (Expr::Int { value, .. }, Expr::Var(var)) => Some((var, value)),
            _ => None,
        },
        _ => None,
    };
    match (sum(a)?, sum(b)?) {
        ((first, 0), (second, constant)) => Some(Difference { first, second, constant }),
        ((second, constant), (first, 0)) => Some(Difference { first, second, constant }),
        _ => None,
    }
}

/// Where registers are said to differ by a small constant, that they differ by less: what is counted up
/// to it has been each of them on the way (SURV section 5.1, the same schema with growing constants).
pub fn smaller_differences(pool: &mut ExprPool, said: &BTreeSet<ExprId>) -> BTreeSet<ExprId> {
    let mut result = BTreeSet::new();
    for &predicate in said {
        let Some(Difference { first, second, constant }) = difference(pool, predicate) else {
            continue;
        };
        let Expr::Binary(_, side, _) = pool.get(predicate) else { continue };
        let Ty::Int(width) = pool.ty(side) else { continue };
        if constant > MAX_CONSTANT {
            continue;
        }
        let (x, y) = (pool.var(first, Ty::Int(width)), pool.var(second, Ty::Int(width)));
        result.insert(pool.binary(BinOp::Eq, x, y));
        for less in 1..constant {
            let less = pool.int(width, less);
            let sum = pool.binary(BinOp::Add, y, less);
            result.insert(pool.binary(BinOp::Eq, x, sum));
        }
    }
    result
}
