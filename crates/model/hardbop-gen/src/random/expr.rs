//! Random expressions.

use hardbop_bp::ast::{BinaryOp, ChainOp, Expr, ExprKind, Ident};

use super::make;
use super::profile::Profile;
use crate::rng::Rng;

/// The variables an expression may mention.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// All of them.
    pub vars: Vec<Ident>,
    /// Formals and declared locals.
    pub locals: Vec<Ident>,
    /// Whether next values may be mentioned: inside `constrain`.
    pub next: bool,
}

pub struct ExprGen<'a> {
    pub rng: &'a mut Rng,
    pub profile: &'a Profile,
    pub scope: &'a Scope,
}

impl ExprGen<'_> {
    /// An expression with at most `depth` operators above each leaf.
    pub fn draw(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(35) {
            return self.leaf();
        }
        let operand = |it: &mut Self| Box::new(it.draw(depth - 1));
        let kind = match self.rng.below(9) {
            0 | 1 => ExprKind::Not(operand(self)),
            2 | 3 => return self.chain(ChainOp::And, depth),
            4 => return self.chain(ChainOp::Or, depth),
            5 => return self.chain(ChainOp::Xor, depth),
            6 => {
                let op = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Implies][self.rng.below(3)];
                ExprKind::Binary(op, operand(self), operand(self))
            }
            7 => ExprKind::Ite(operand(self), operand(self), operand(self)),
            _ => ExprKind::Schoose(operand(self), operand(self)),
        };
        make::expr(kind)
    }

    /// Chains are flat: an operand that is a chain of the same operator gives its operands.
    fn chain(&mut self, op: ChainOp, depth: usize) -> Expr {
        let n = 2 + usize::from(self.rng.chance(30));
        let mut operands = Vec::new();
        for _ in 0..n {
            match self.draw(depth - 1) {
                Expr { kind: ExprKind::Chain(inner, more), .. } if inner == op => {
                    operands.extend(more);
                }
                operand => operands.push(operand),
            }
        }
        make::expr(ExprKind::Chain(op, operands))
    }

    fn leaf(&mut self) -> Expr {
        if self.rng.chance(self.profile.choice) {
            return make::expr(ExprKind::Choice);
        }
        if self.rng.chance(8) {
            return make::expr(ExprKind::Const(self.rng.chance(50)));
        }
        let next = self.scope.next && self.rng.chance(50);
        make::expr(match self.rng.pick(&self.scope.vars) {
            Some(var) if next => ExprKind::Next(var.clone()),
            Some(var) => ExprKind::Var(var.clone()),
            None => ExprKind::Const(self.rng.chance(50)),
        })
    }
}
