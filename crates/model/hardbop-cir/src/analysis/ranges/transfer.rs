//! What expressions evaluate to, what conditions leave, what assignments do.

use super::fixpoint::Analysis;
use super::{Differences, Interval, State};
use crate::eval::{mask, signed};
use crate::expr::{BinOp, CastOp, Expr, ExprId, UnOp};
use crate::program::VarId;
use crate::ty::Ty;

/// Conversions and sums that are looked through: each evaluates what is below it.
const LINEAR_DEPTH: u32 = 6;

/// What is known at one place.
#[derive(Clone, Default)]
pub(super) struct Facts {
    pub ranges: State,
    pub differences: Differences,
}

/// `x - y` is at most this, by the ranges alone.
pub(super) fn apart(ranges: &State, x: VarId, y: VarId) -> Option<i128> {
    ranges.get(&x)?.high.checked_sub(ranges.get(&y)?.low)
}

impl Facts {
    /// `x - y` is at most this.
    pub fn at_most(&self, x: VarId, y: VarId) -> Option<i128> {
        let known = [self.differences.get(x, y), apart(&self.ranges, x, y)];
        known.into_iter().flatten().min()
    }
}

impl Analysis<'_> {
    /// Global registers may be written by callees, wide ones would overflow the bounds.
    pub(super) fn has_differences(&self, var: VarId) -> bool {
        let info = &self.program.vars[var];
        info.owner.is_some() && matches!(info.ty, Ty::Int(2..=64))
    }

    /// The register and the constant whose sum an expression is, as numbers: nothing overflows.
    pub(super) fn linear(&self, id: ExprId, state: &Facts) -> Option<(VarId, i128)> {
        self.linear_to(id, state, LINEAR_DEPTH)
    }

    fn linear_to(&self, id: ExprId, state: &Facts, depth: u32) -> Option<(VarId, i128)> {
        let depth = depth.checked_sub(1)?;
        let pool = &self.program.exprs;
        match pool.get(id) {
            Expr::Var(var) => self.has_differences(var).then_some((var, 0)),
            Expr::Cast(CastOp::Sext, _, a) if pool.ty(a) != Ty::BOOL => {
                self.linear_to(a, state, depth)
            }
            Expr::Cast(CastOp::Zext, _, a) if pool.ty(a) != Ty::BOOL => {
                (self.eval(a, state).low >= 0).then(|| self.linear_to(a, state, depth)).flatten()
            }
            Expr::Cast(CastOp::Trunc, ty, a) => {
                let fits = ty != Ty::BOOL && self.eval(a, state).within(Interval::top(ty));
                fits.then(|| self.linear_to(a, state, depth)).flatten()
            }
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let Ty::Int(width @ 2..=64) = pool.ty(id) else { return None };
                let (a, b) =
                    if pool.as_int(a).is_some() && op == BinOp::Add { (b, a) } else { (a, b) };
                let by = signed(pool.as_int(b)?, width);
                let by = if op == BinOp::Sub { -by } else { by };
                let range = self.eval(a, state);
                let moved = Interval { low: range.low + by, high: range.high + by };
                let (var, before) = self.linear_to(a, state, depth)?;
                moved.within(Interval::top(pool.ty(id))).then_some((var, before + by))
            }
            _ => None,
        }
    }

    /// Learns `a - b <= bound` of two expressions, and what follows for their ranges; `false` if
    /// that cannot be.
    fn learn(&self, a: ExprId, b: ExprId, bound: i128, state: &mut Facts) -> bool {
        let (Some((x, c)), Some((y, d))) = (self.linear(a, state), self.linear(b, state)) else {
            return true;
        };
        // x + c - (y + d) <= bound
        state.differences.add(x, y, bound - c + d)
    }

    /// The difference of two expressions as far as that of their registers is known.
    fn difference(&self, a: ExprId, b: ExprId, state: &Facts) -> Interval {
        let all = Interval { low: i128::MIN, high: i128::MAX };
        if state.differences.is_empty() {
            return all;
        }
        let (Some((x, c)), Some((y, d))) = (self.linear(a, state), self.linear(b, state)) else {
            return all;
        };
        let high = state.differences.get(x, y).map_or(i128::MAX, |it| it + c - d);
        let low = state.differences.get(y, x).map_or(i128::MIN, |it| c - d - it);
        Interval::new(low, high).unwrap_or(all)
    }

    /// The state where a switch takes a case; `false` if it cannot.
    pub(super) fn refine_case(&self, value: ExprId, case: u128, state: &mut Facts) -> bool {
        match self.program.exprs.ty(value) {
            Ty::Int(width @ 2..=64) => {
                let case = signed(case, width);
                self.cut(value, Interval { low: case, high: case }, state)
            }
            _ => true,
        }
    }

    fn var(&self, var: VarId, state: &Facts) -> Interval {
        let top = Interval::top(self.program.vars[var].ty);
        match self.program.vars[var].owner {
            None => self.result.vars[var].unwrap_or(top),
            Some(_) => state.ranges.get(&var).copied().unwrap_or(top),
        }
    }

    /// The front end bounds how deep expressions are.
    pub(super) fn eval(&self, id: ExprId, state: &Facts) -> Interval {
        let pool = &self.program.exprs;
        let ty = pool.ty(id);
        let top = Interval::top(ty);
        let Ty::Int(width) = ty else { return top };
        let fits = |low: Option<i128>, high: Option<i128>| match (low, high) {
            (Some(low), Some(high)) => {
                Interval::new(low, high).filter(|it| it.within(top)).unwrap_or(top)
            }
            _ => top,
        };
        match pool.get(id) {
            Expr::Int { value, .. } if width == 1 => {
                Interval { low: value as i128, high: value as i128 }
            }
            Expr::Int { value, .. } => {
                let value = signed(value, width);
                Interval { low: value, high: value }
            }
            Expr::Var(var) => self.var(var, state),
            Expr::Unary(UnOp::Neg, a) if width > 1 => {
                let a = self.eval(a, state);
                fits(a.high.checked_neg(), a.low.checked_neg())
            }
            Expr::Unary(UnOp::Not, a) if width > 1 => {
                let a = self.eval(a, state);
                fits(Some(!a.high), Some(!a.low))
            }
            Expr::Binary(op, left, right) if width > 1 => {
                let (a, b) = (self.eval(left, state), self.eval(right, state));
                match op {
                    BinOp::Add => fits(a.low.checked_add(b.low), a.high.checked_add(b.high)),
                    BinOp::Sub => {
                        let known = self.difference(left, right, state);
                        let low = a.low.checked_sub(b.high).map(|it| it.max(known.low));
                        let high = a.high.checked_sub(b.low).map(|it| it.min(known.high));
                        fits(low, high)
                    }
                    BinOp::Mul => {
                        let products =
                            [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
                        let products: Option<Vec<i128>> =
                            products.iter().map(|(x, y)| x.checked_mul(*y)).collect();
                        products.map_or(top, |it| {
                            fits(it.iter().min().copied(), it.iter().max().copied())
                        })
                    }
                    // Of two numbers the smaller one without a sign bounds the result.
                    BinOp::And if a.low >= 0 && b.low >= 0 => {
                        Interval { low: 0, high: a.high.min(b.high) }
                    }
                    BinOp::And if b.low >= 0 => Interval { low: 0, high: b.high },
                    BinOp::And if a.low >= 0 => Interval { low: 0, high: a.high },
                    BinOp::URem if b.low > 0 => Interval { low: 0, high: b.high - 1 },
                    BinOp::SRem if b.low > 0 && a.low >= 0 => {
                        Interval { low: 0, high: (b.high - 1).min(a.high) }
                    }
                    BinOp::SRem if b.low > 0 => Interval { low: 1 - b.high, high: b.high - 1 },
                    BinOp::UDiv | BinOp::SDiv if b.low > 0 && a.low >= 0 => {
                        Interval { low: a.low / b.high, high: a.high / b.low }
                    }
                    BinOp::LShr | BinOp::AShr if a.low >= 0 => Interval { low: 0, high: a.high },
                    _ => top,
                }
            }
            Expr::Cast(op, _, a) => self.eval_cast(op, a, state, top),
            Expr::Ite(_, a, b) => self.eval(a, state).join(self.eval(b, state)),
            _ => top,
        }
    }

    fn eval_cast(&self, op: CastOp, a: ExprId, state: &Facts, top: Interval) -> Interval {
        let Ty::Int(from) = self.program.exprs.ty(a) else { return top };
        let range = self.eval(a, state);
        match op {
            CastOp::Zext if range.low >= 0 => range,
            CastOp::Zext if from <= 126 => Interval { low: 0, high: mask(from) as i128 },
            // A truth value of 1 is -1 when its sign is extended.
            CastOp::Sext if from == 1 => Interval { low: -range.high, high: -range.low },
            CastOp::Sext => range,
            CastOp::Trunc if top.high > 1 && range.within(top) => range,
            _ => top,
        }
    }

    /// Cuts the state by a condition; `false` if it cannot hold.
    pub(super) fn refine(&self, cond: ExprId, holds: bool, state: &mut Facts) -> bool {
        let pool = &self.program.exprs;
        match pool.get(cond) {
            Expr::Int { value, .. } => (value != 0) == holds,
            Expr::Unary(UnOp::Not, a) => self.refine(a, !holds, state),
            Expr::Binary(BinOp::And, a, b) if holds && pool.ty(cond) == Ty::BOOL => {
                self.refine(a, true, state) && self.refine(b, true, state)
            }
            Expr::Binary(BinOp::Or, a, b) if !holds && pool.ty(cond) == Ty::BOOL => {
                self.refine(a, false, state) && self.refine(b, false, state)
            }
            Expr::Binary(op, a, b) if matches!(pool.ty(a), Ty::Int(width) if width > 1) => {
                let (x, y) = (self.eval(a, state), self.eval(b, state));
                let unsigned_as_signed = x.low >= 0 && y.low >= 0;
                let below = |it: i128| Interval { low: i128::MIN, high: it };
                let above = |it: i128| Interval { low: it, high: i128::MAX };
                let (left, right) = match (op, holds) {
                    (BinOp::Slt, true) => {
                        (below(y.high.saturating_sub(1)), above(x.low.saturating_add(1)))
                    }
                    (BinOp::Slt, false) => (above(y.low), below(x.high)),
                    (BinOp::Sle, true) => (below(y.high), above(x.low)),
                    (BinOp::Sle, false) => {
                        (above(y.low.saturating_add(1)), below(x.high.saturating_sub(1)))
                    }
                    // `x <u n` with n not negative leaves 0..n-1, whatever x was.
                    (BinOp::Ult, true) if y.low >= 0 => {
                        (Interval { low: 0, high: y.high.saturating_sub(1) }, above(i128::MIN))
                    }
                    (BinOp::Ule, true) if y.low >= 0 => {
                        (Interval { low: 0, high: y.high }, above(i128::MIN))
                    }
                    (BinOp::Ult, false) if unsigned_as_signed => (above(y.low), below(x.high)),
                    (BinOp::Ule, false) if unsigned_as_signed => {
                        (above(y.low.saturating_add(1)), below(x.high.saturating_sub(1)))
                    }
                    (BinOp::Eq, true) | (BinOp::Ne, false) => (y, x),
                    _ => return true,
                };
                if !self.cut(a, left, state) || !self.cut(b, right, state) {
                    return false;
                }
                match (op, holds) {
                    (BinOp::Slt, true) => self.learn(a, b, -1, state),
                    (BinOp::Slt, false) => self.learn(b, a, 0, state),
                    (BinOp::Sle, true) => self.learn(a, b, 0, state),
                    (BinOp::Sle, false) => self.learn(b, a, -1, state),
                    (BinOp::Ult, true) if y.low >= 0 => self.learn(a, b, -1, state),
                    (BinOp::Ule, true) if y.low >= 0 => self.learn(a, b, 0, state),
                    (BinOp::Ult, false) if unsigned_as_signed => self.learn(b, a, 0, state),
                    (BinOp::Ule, false) if unsigned_as_signed => self.learn(b, a, -1, state),
                    (BinOp::Eq, true) | (BinOp::Ne, false) => {
                        self.learn(a, b, 0, state) && self.learn(b, a, 0, state)
                    }
                    _ => true,
                }
            }
            _ => true,
        }
    }

    /// Meets the range of a register, through extensions that keep its value.
    fn cut(&self, expr: ExprId, range: Interval, state: &mut Facts) -> bool {
        match self.program.exprs.get(expr) {
            Expr::Var(var) if self.program.vars[var].owner.is_some() => {
                let Some(met) = self.var(var, state).meet(range) else { return false };
                state.ranges.insert(var, met);
                self.spread(var, met, state)
            }
            Expr::Cast(CastOp::Sext, _, a) if self.program.exprs.ty(a) != Ty::BOOL => {
                self.cut(a, range, state)
            }
            _ => self.eval(expr, state).meet(range).is_some(),
        }
    }

    /// What the differences of a register say of the ranges of others, one step far.
    fn spread(&self, var: VarId, range: Interval, state: &mut Facts) -> bool {
        let others: Vec<(VarId, Interval)> = state
            .differences
            .iter()
            .filter_map(|(x, y, bound)| match (x == var, y == var) {
                // x - var <= bound, and var - y <= bound
                (false, true) => {
                    Some((x, Interval { low: i128::MIN, high: range.high.saturating_add(bound) }))
                }
                (true, false) => {
                    Some((y, Interval { low: range.low.saturating_sub(bound), high: i128::MAX }))
                }
                _ => None,
            })
            .collect();
        for (other, by) in others {
            let Some(met) = self.var(other, state).meet(by) else { return false };
            state.ranges.insert(other, met);
        }
        true
    }
}
