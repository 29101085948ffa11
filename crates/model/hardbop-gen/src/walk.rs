//! Going through a syntax tree: every statement, every expression, every place.

use hardbop_base::Span;
use hardbop_bp::ast::{
    Block, Decl, Expr, ExprKind, Ident, Program, Stmt, StmtKind, Target, ThreadStart,
};

/// The blocks directly inside a statement.
pub fn blocks_of(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::If { branches, otherwise } => {
            branches.iter_mut().map(|branch| &mut branch.body).chain(otherwise).collect()
        }
        StmtKind::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

/// Calls `visit` for every sequence of statements, outer ones first.
pub fn each_sequence(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    for stmt in stmts {
        for block in blocks_of(stmt) {
            each_sequence(&mut block.stmts, visit);
        }
    }
}

/// Calls `visit` for every statement, outer ones first.
pub fn each_stmt(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in stmts {
        visit(stmt);
        for block in blocks_of(stmt) {
            each_stmt(&mut block.stmts, visit);
        }
    }
}

/// The expressions directly inside a statement; those of inner blocks are not among them.
pub fn exprs_of(stmt: &mut Stmt) -> Vec<&mut Expr> {
    match &mut stmt.kind {
        StmtKind::Print(exprs) | StmtKind::Return(exprs) => exprs.iter_mut().collect(),
        StmtKind::Assign { values, constrain, .. } => values.iter_mut().chain(constrain).collect(),
        StmtKind::Call { args, .. } | StmtKind::StartThread(ThreadStart::Call { args, .. }) => {
            args.iter_mut().collect()
        }
        StmtKind::If { branches, .. } => {
            branches.iter_mut().map(|branch| &mut branch.guard).collect()
        }
        StmtKind::While { guard, .. } => vec![guard],
        StmtKind::Assert(expr) | StmtKind::Assume(expr) => vec![expr],
        _ => Vec::new(),
    }
}

/// The operands of an expression.
pub fn operands_of(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Not(a) => vec![a],
        ExprKind::Chain(_, operands) => operands.iter_mut().collect(),
        ExprKind::Binary(_, a, b) | ExprKind::Schoose(a, b) => vec![a, b],
        ExprKind::Ite(a, b, c) => vec![a, b, c],
        ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Next(_)
        | ExprKind::Choice
        | ExprKind::Error => Vec::new(),
    }
}

/// Calls `visit` for every top expression of the program: initial values, enforced conditions,
/// expressions of statements.
pub fn each_top_expr(program: &mut Program, visit: &mut dyn FnMut(&mut Expr)) {
    let initial = |decl: &mut Decl, visit: &mut dyn FnMut(&mut Expr)| {
        decl.vars.iter_mut().filter_map(|(_, init)| init.as_mut()).for_each(visit);
    };
    program.globals.iter_mut().for_each(|decl| initial(decl, visit));
    for proc in &mut program.procs {
        proc.locals.iter_mut().for_each(|decl| initial(decl, visit));
        proc.enforce.iter_mut().for_each(|enforce| visit(&mut enforce.expr));
        each_stmt(&mut proc.body, &mut |stmt| exprs_of(stmt).into_iter().for_each(&mut *visit));
    }
}

/// Calls `visit` for the expression and everything inside it, outer ones first.
pub fn each_subexpr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    operands_of(expr).into_iter().for_each(|operand| each_subexpr(operand, visit));
}

/// Forgets all places, so that trees from different texts can be compared.
pub fn erase_spans(program: &mut Program) {
    each_top_expr(program, &mut |top| {
        each_subexpr(top, &mut |expr| {
            expr.span = Span::default();
            if let ExprKind::Var(name) | ExprKind::Next(name) = &mut expr.kind {
                name.span = Span::default();
            }
        });
    });
    program.globals.iter_mut().for_each(erase_decl);
    for proc in &mut program.procs {
        (proc.span, proc.end) = (Span::default(), Span::default());
        erase_idents(std::iter::once(&mut proc.name).chain(&mut proc.formals));
        proc.locals.iter_mut().for_each(erase_decl);
        proc.enforce.iter_mut().for_each(|enforce| enforce.span = Span::default());
        each_stmt(&mut proc.body, &mut erase_stmt);
    }
}

fn erase_decl(decl: &mut Decl) {
    decl.span = Span::default();
    erase_idents(decl.vars.iter_mut().map(|(name, _)| name));
}

fn erase_idents<'a>(idents: impl IntoIterator<Item = &'a mut Ident>) {
    idents.into_iter().for_each(|ident| ident.span = Span::default());
}

/// The statement's own places; those of its expressions and inner blocks are erased elsewhere.
fn erase_stmt(stmt: &mut Stmt) {
    stmt.span = Span::default();
    erase_idents(&mut stmt.labels);
    match &mut stmt.kind {
        StmtKind::Goto(names) | StmtKind::Dead(names) => erase_idents(names),
        StmtKind::Assign { targets, .. } => erase_targets(targets),
        StmtKind::Call { targets, callee, .. } => {
            erase_targets(targets);
            callee.span = Span::default();
        }
        StmtKind::StartThread(ThreadStart::Goto(name) | ThreadStart::Call { callee: name, .. }) => {
            name.span = Span::default()
        }
        StmtKind::If { branches, .. } => {
            branches.iter_mut().for_each(|branch| branch.span = Span::default());
        }
        _ => {}
    }
}

fn erase_targets(targets: &mut [Target]) {
    for target in targets {
        match target {
            Target::Var(name) => name.span = Span::default(),
            Target::Drop(span) => *span = Span::default(),
        }
    }
}
