//! Short names for building syntax trees without places.

use hardbop_base::Span;
use hardbop_bp::ast::{
    Block, Branch, Decl, Enforce, Expr, ExprKind, Ident, Notes, Proc, Stmt, StmtKind,
};

use super::stmt::Signature;
use crate::rng::Rng;

pub fn ident(name: &str) -> Ident {
    Ident { name: name.into(), span: Span::default() }
}

pub fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

pub fn stmt(kind: StmtKind) -> Stmt {
    Stmt { labels: Vec::new(), kind, notes: Notes::default(), span: Span::default() }
}

pub fn block(stmts: Vec<Stmt>) -> Block {
    Block { stmts, trailing: Vec::new() }
}

pub fn branch(guard: Expr, stmts: Vec<Stmt>) -> Branch {
    Branch { guard, body: block(stmts), span: Span::default() }
}

pub fn enforce(negated: bool, expr: Expr) -> Enforce {
    Enforce { negated, expr, notes: Notes::default(), span: Span::default() }
}

/// One declaration for all, or one for each.
pub fn decls(rng: &mut Rng, vars: Vec<(Ident, Option<Expr>)>) -> Vec<Decl> {
    let decl = |vars| Decl { vars, notes: Notes::default(), span: Span::default() };
    if vars.is_empty() {
        Vec::new()
    } else if rng.chance(50) {
        vec![decl(vars)]
    } else {
        vars.into_iter().map(|var| decl(vec![var])).collect()
    }
}

pub fn proc(
    signature: &Signature,
    formals: Vec<Ident>,
    locals: Vec<Decl>,
    enforce: Vec<Enforce>,
    body: Vec<Stmt>,
) -> Proc {
    Proc {
        name: signature.name.clone(),
        n_returns: signature.n_returns,
        formals,
        locals,
        enforce,
        body,
        notes: Notes::default(),
        trailing: Vec::new(),
        span: Span::default(),
        end: Span::default(),
    }
}
