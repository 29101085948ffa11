//! Expressions.

use hardbop_cfg::{Expr, ExprId, VarId};
use hardbop_diag::codes::bp as codes;
use hardbop_diag::{Diagnostic, did_you_mean, nearest};

use super::Lower;
use crate::ast::{self, BinaryOp, ChainOp, ExprKind};
use crate::scope::Vars;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Current values only.
    Plain,
    /// Next values too.
    Constrain,
    /// Only global variables before this one.
    InitialValueOf(VarId),
}

impl Lower<'_> {
    pub(super) fn initial_value(&mut self, value: &ast::Expr, var: VarId) -> ExprId {
        self.expr(value, &mut Vars::default(), Place::InitialValueOf(var))
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr, locals: &mut Vars, place: Place) -> ExprId {
        match &expr.kind {
            ExprKind::Const(value) => self.exprs.constant(*value),
            ExprKind::Choice => self.exprs.add(Expr::Choice),
            ExprKind::Var(name) => match self.read(name, locals, place) {
                Some(var) => self.exprs.var(var),
                None => self.unreadable(),
            },
            ExprKind::Next(name) => self.next(name, locals, place),
            ExprKind::Not(a) => {
                let a = self.expr(a, locals, place);
                self.exprs.not(a)
            }
            ExprKind::Chain(op, operands) => {
                let mut ids = Vec::with_capacity(operands.len());
                for operand in operands {
                    ids.push(self.expr(operand, locals, place));
                }
                self.balanced(*op, &ids)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, locals, place), self.expr(b, locals, place));
                self.binary(*op, a, b)
            }
            ExprKind::Schoose(p, n) => {
                let (p, n) = (self.expr(p, locals, place), self.expr(n, locals, place));
                self.exprs.add(Expr::Schoose(p, n))
            }
            ExprKind::Ite(c, a, b) => {
                let c = self.expr(c, locals, place);
                let (a, b) = (self.expr(a, locals, place), self.expr(b, locals, place));
                self.exprs.add(Expr::Ite(c, a, b))
            }
            ExprKind::Error => self.unreadable(),
        }
    }

    /// Stands for what was reported; the program is not handed out.
    pub(super) fn unreadable(&mut self) -> ExprId {
        self.exprs.constant(false)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            BinaryOp::Ne => self.exprs.add(Expr::Xor(a, b)),
            BinaryOp::Eq => {
                let differ = self.exprs.add(Expr::Xor(a, b));
                self.exprs.not(differ)
            }
            BinaryOp::Implies => {
                let not_a = self.exprs.not(a);
                self.exprs.or(not_a, b)
            }
        }
    }

    /// A chain as a tree of logarithmic height.
    pub(super) fn balanced(&mut self, op: ChainOp, ids: &[ExprId]) -> ExprId {
        match *ids {
            [] => return self.exprs.constant(op == ChainOp::And),
            [id] => return id,
            _ => {}
        }
        let (left, right) = ids.split_at(ids.len() / 2);
        let (left, right) = (self.balanced(op, left), self.balanced(op, right));
        self.exprs.add(match op {
            ChainOp::And => Expr::And(left, right),
            ChainOp::Or => Expr::Or(left, right),
            ChainOp::Xor => Expr::Xor(left, right),
        })
    }

    fn next(&mut self, name: &ast::Ident, locals: &mut Vars, place: Place) -> ExprId {
        if !matches!(place, Place::Constrain) {
            let message = format!("the next value of `{}` outside `constrain`", name.name);
            self.error(codes::MISPLACED_NEXT, name.span, message);
            return self.unreadable();
        }
        match self.read(name, locals, place) {
            Some(var) => self.exprs.add(Expr::Next(var)),
            None => self.unreadable(),
        }
    }

    /// The variable a name stands for where its value is used.
    fn read(&mut self, name: &ast::Ident, locals: &mut Vars, place: Place) -> Option<VarId> {
        let Some(var) = self.lookup(&name.name, locals) else {
            if let Some(base) = name.name.strip_suffix('$')
                && self.lookup(base, locals).is_some()
            {
                let message = format!("`{}` has no value that could be read", name.name);
                let help = match locals.get(base) {
                    Some(_) => format!("`{base}$ := …` assigns `{base}` in all other threads"),
                    None => format!("`{base}` is the same in all threads"),
                };
                let it = Diagnostic::error(codes::MISUSED_BROADCAST, name.span, message);
                self.sink.push(it.help(help));
            } else {
                self.unknown_variable(name, locals);
            }
            return None;
        };
        if let Place::InitialValueOf(limit) = place
            && var >= limit
        {
            let message = format!("`{}` is used before its declaration", name.name);
            let it = Diagnostic::error(codes::EARLY_USE, name.span, message);
            let declared = self.globals.place(&name.name).unwrap_or(name.span);
            self.sink.push(it.also(declared, "declared here"));
            return None;
        }
        Some(var)
    }

    pub(super) fn lookup(&self, name: &str, locals: &Vars) -> Option<VarId> {
        locals.get(name).or_else(|| self.globals.get(name))
    }

    pub(super) fn unknown_variable(&mut self, name: &ast::Ident, locals: &mut Vars) {
        if !self.is_news(&name.name) || !locals.report(&name.name) {
            return;
        }
        let message = format!("there is no variable `{}`", name.name);
        let it = Diagnostic::error(codes::UNKNOWN_VARIABLE, name.span, message);
        let known = locals.names().chain(self.globals.names());
        self.sink.push_with(it, |it| did_you_mean(it, nearest(&name.name, known)));
    }
}
