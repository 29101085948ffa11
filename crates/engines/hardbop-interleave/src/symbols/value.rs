//! The term of an expression, where it depends on inputs. What is no bit-vector is a number: whatever it depends on
//! is pinned to what it is now, and the other numbers are another state.

use hardbop_cir::interp::{Sight, Value};
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, Ty, UnOp};
use hardbop_smt::TermId;

use super::Following;
use super::path::Fork;

/// `None` if it is a number; the fork that must be taken before.
pub(super) type Known = Result<Option<TermId>, Option<Fork>>;

impl Following<'_> {
    /// Expressions nest as deep as the front end lets them, which is what this recursion needs.
    pub(super) fn term(&mut self, at: &Sight, expr: ExprId) -> Known {
        let pool = &at.program().exprs;
        Ok(match pool.get(expr) {
            Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Null
            | Expr::Addr(_)
            | Expr::FuncAddr(_) => None,
            Expr::Var(var) => self.own.registers.get(&(at.thread(), at.slot(var, 0))).copied(),
            Expr::Unary(op, a) => match (self.term(at, a)?, op) {
                (None, _) => None,
                (Some(a), UnOp::Not) => Some(self.shared.terms.not(a)),
                (Some(a), UnOp::Neg) => Some(self.shared.terms.neg(a)),
                (Some(_), UnOp::FNeg | UnOp::Start) => unreachable!("only bit-vectors are terms"),
            },
            Expr::Binary(op, a, b) if matches!(pool.ty(a), Ty::Int(_)) => {
                match (self.term(at, a)?, self.term(at, b)?) {
                    (None, None) => None,
                    (x, y) => {
                        let x = x.unwrap_or_else(|| self.number(at, a));
                        let y = y.unwrap_or_else(|| self.number(at, b));
                        Some(self.binary(op, x, y))
                    }
                }
            }
            Expr::Binary(_, a, b) => {
                self.pin(at, a)?;
                self.pin(at, b)?;
                None
            }
            Expr::Cast(op, to, a) => match (op, to) {
                (CastOp::Zext | CastOp::Sext | CastOp::Trunc, Ty::Int(width)) => {
                    let (a, width) = (self.term(at, a)?, u32::from(width));
                    a.map(|a| match op {
                        CastOp::Zext => self.shared.terms.zero_extend(a, width),
                        CastOp::Sext => self.shared.terms.sign_extend(a, width),
                        _ => self.shared.terms.truncate(a, width),
                    })
                }
                _ => {
                    self.pin(at, a)?;
                    None
                }
            },
            Expr::Ite(c, a, b) => match self.term(at, c)? {
                Some(cond) if matches!(pool.ty(expr), Ty::Int(_)) => {
                    let (x, y) = (self.term(at, a)?, self.term(at, b)?);
                    let x = x.unwrap_or_else(|| self.number(at, a));
                    let y = y.unwrap_or_else(|| self.number(at, b));
                    Some(self.shared.terms.ite(cond, x, y))
                }
                cond => {
                    if let Some(cond) = cond {
                        self.decide(cond)?;
                    }
                    self.term(at, if at.value(c).int() != 0 { a } else { b })?
                }
            },
        })
    }

    /// What the expression is now, as a term.
    fn number(&mut self, at: &Sight, expr: ExprId) -> TermId {
        match (at.program().exprs.ty(expr), at.value(expr)) {
            (Ty::Int(width), Value::Int(value)) => {
                self.shared.terms.constant(u32::from(width), value)
            }
            _ => unreachable!("the verifier saw a bit-vector"),
        }
    }

    fn binary(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        hardbop_symbolic::binary(&mut self.shared.terms, op, a, b)
    }

    /// Whether a condition holds, in all of the state.
    pub(super) fn decide(&mut self, cond: TermId) -> Result<bool, Option<Fork>> {
        self.own.path.decide(self.shared, cond, self.budget)
    }

    /// The expression has the value it has now, in all of the state.
    pub(super) fn pin(&mut self, at: &Sight, expr: ExprId) -> Result<(), Option<Fork>> {
        if let Some(term) = self.term(at, expr)? {
            let number = self.number(at, expr);
            self.pin_term(term, number)?;
        }
        Ok(())
    }

    pub(super) fn pin_term(&mut self, term: TermId, number: TermId) -> Result<(), Option<Fork>> {
        // Soundness: which places others are about to access is asked of their numbers.
        self.own.has_pinned = true;
        let same = self.shared.terms.eq(term, number);
        self.decide(same).map(drop)
    }
}
