//! Which variables have their address taken. By name: a name under `&` anywhere in a function
//! makes every variable of that name there an object, which costs precision and nothing else.

use hardbop_base::Name;
use rustc_hash::FxHashSet;

use crate::syntax::ast::{Block, Expr, ExprKind, Initializer, Stmt, StmtKind, Unary};

pub(super) fn block(it: &Block, names: &mut FxHashSet<Name>) {
    it.items.iter().for_each(|it| stmt(it, names));
}

pub(super) fn initializer(it: &Initializer, names: &mut FxHashSet<Name>) {
    match it {
        Initializer::Expr(it) => expr(it, names),
        Initializer::List(items, _) => items.iter().for_each(|it| initializer(&it.1, names)),
    }
}

fn stmt(it: &Stmt, names: &mut FxHashSet<Name>) {
    match &it.kind {
        StmtKind::Expr(it) | StmtKind::GotoComputed(it) => expr(it, names),
        StmtKind::Decl(decl) => {
            decl.items
                .iter()
                .filter_map(|it| it.init.as_ref())
                .for_each(|it| initializer(it, names));
        }
        StmtKind::Block(it) => block(it, names),
        StmtKind::If(cond, yes, no) => {
            expr(cond, names);
            stmt(yes, names);
            no.iter().for_each(|it| stmt(it, names));
        }
        StmtKind::While(cond, body) | StmtKind::Switch(cond, body) => {
            expr(cond, names);
            stmt(body, names);
        }
        StmtKind::DoWhile(body, cond) => {
            expr(cond, names);
            stmt(body, names);
        }
        StmtKind::For { init, cond, step, body } => {
            init.iter().for_each(|it| stmt(it, names));
            cond.iter().chain(step).for_each(|it| expr(it, names));
            stmt(body, names);
        }
        StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            stmt(body, names);
        }
        StmtKind::Return(value) => value.iter().for_each(|it| expr(it, names)),
        StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Asm { .. }
        | StmtKind::Empty => {}
    }
}

fn expr(it: &Expr, names: &mut FxHashSet<Name>) {
    match &it.kind {
        ExprKind::Unary(op, of) => {
            if *op == Unary::Addr {
                base(of, names);
            }
            expr(of, names);
        }
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b) => {
            expr(a, names);
            expr(b, names);
        }
        ExprKind::IncDec { of, .. }
        | ExprKind::Member { of, .. }
        | ExprKind::Cast(_, of)
        | ExprKind::SizeofExpr(of)
        | ExprKind::AlignofExpr(of)
        | ExprKind::VaArg(of, _) => expr(of, names),
        ExprKind::Cond(a, b, c) => {
            expr(a, names);
            b.iter().for_each(|it| expr(it, names));
            expr(c, names);
        }
        ExprKind::ChooseExpr(a, b, c) => [a, b, c].into_iter().for_each(|it| expr(it, names)),
        ExprKind::Call(callee, args) => {
            expr(callee, names);
            args.iter().for_each(|it| expr(it, names));
        }
        ExprKind::CompoundLit(_, init) => initializer(init, names),
        ExprKind::StmtExpr(it) => block(it, names),
        ExprKind::Generic(control, cases) => {
            expr(control, names);
            cases.iter().for_each(|it| expr(&it.1, names));
        }
        _ => {}
    }
}

/// The variable at the bottom of `&x`, `&x.f`, `&x[i]`, `&(c ? x : y)`.
fn base(it: &Expr, names: &mut FxHashSet<Name>) {
    match &it.kind {
        ExprKind::Ident(name) => {
            names.insert(name.clone());
        }
        ExprKind::Member { of, is_arrow: false, .. } | ExprKind::Index(of, _) => base(of, names),
        ExprKind::Generic(_, cases) => cases.iter().for_each(|it| base(&it.1, names)),
        ExprKind::ChooseExpr(_, a, b) | ExprKind::Comma(a, b) => {
            base(a, names);
            base(b, names);
        }
        _ => {}
    }
}
