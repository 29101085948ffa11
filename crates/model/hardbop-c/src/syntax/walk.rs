//! Walks over trees: one place that knows what is inside of what.
//!
//! A visitor overrides what it looks for and calls the `walk_…` function to go on inside.

use super::ast::{
    ArrayLen, BaseSpec, Block, Decl, Declarator, Deriv, Designator, Expr, ExprKind, Initializer,
    Stmt, StmtKind, TypeName,
};

pub trait Visit {
    fn expr(&mut self, it: &Expr) {
        walk_expr(self, it);
    }

    fn stmt(&mut self, it: &Stmt) {
        walk_stmt(self, it);
    }

    fn block(&mut self, it: &Block) {
        it.items.iter().for_each(|it| self.stmt(it));
    }

    fn decl(&mut self, it: &Decl) {
        walk_decl(self, it);
    }
}

pub fn walk_stmt<V: Visit + ?Sized>(visit: &mut V, it: &Stmt) {
    match &it.kind {
        StmtKind::Expr(it) | StmtKind::GotoComputed(it) => visit.expr(it),
        // Decided before the program runs.
        StmtKind::StaticAssert(_) => {}
        StmtKind::Decl(decl) => visit.decl(decl),
        StmtKind::Block(it) => visit.block(it),
        StmtKind::If(cond, yes, no) => {
            visit.expr(cond);
            visit.stmt(yes);
            no.iter().for_each(|it| visit.stmt(it));
        }
        StmtKind::While(cond, body) | StmtKind::Switch(cond, body) => {
            visit.expr(cond);
            visit.stmt(body);
        }
        StmtKind::DoWhile(body, cond) => {
            visit.stmt(body);
            visit.expr(cond);
        }
        StmtKind::For { init, cond, step, body } => {
            init.iter().for_each(|it| visit.stmt(it));
            cond.iter().chain(step).for_each(|it| visit.expr(it));
            visit.stmt(body);
        }
        StmtKind::Case { low, high, body } => {
            visit.expr(low);
            high.iter().for_each(|it| visit.expr(it));
            visit.stmt(body);
        }
        StmtKind::Default(body) | StmtKind::Label(_, body) => visit.stmt(body),
        StmtKind::Return(value) => value.iter().for_each(|it| visit.expr(it)),
        StmtKind::Asm { operands, .. } => operands.iter().for_each(|it| visit.expr(&it.value)),
        StmtKind::Goto(_)
        | StmtKind::LocalLabels(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Empty => {}
    }
}

pub fn walk_decl<V: Visit + ?Sized>(visit: &mut V, it: &Decl) {
    base(visit, &it.specs.base);
    for item in &it.items {
        declarator(visit, &item.declarator);
        item.init.iter().for_each(|it| walk_initializer(visit, it));
    }
}

pub fn walk_initializer<V: Visit + ?Sized>(visit: &mut V, it: &Initializer) {
    match it {
        Initializer::Expr(it) => visit.expr(it),
        Initializer::List(items, _) => {
            for (designators, init) in items {
                designators.iter().for_each(|it| designator(visit, it));
                walk_initializer(visit, init);
            }
        }
    }
}

fn designator<V: Visit + ?Sized>(visit: &mut V, it: &Designator) {
    match it {
        Designator::Field(..) => {}
        Designator::Index(at) => visit.expr(at),
        Designator::Range(low, high) => {
            visit.expr(low);
            visit.expr(high);
        }
    }
}

/// Lengths of arrays and what `typeof` asks about.
fn type_name<V: Visit + ?Sized>(visit: &mut V, it: &TypeName) {
    base(visit, &it.specs.base);
    declarator(visit, &it.declarator);
}

fn base<V: Visit + ?Sized>(visit: &mut V, it: &BaseSpec) {
    match it {
        BaseSpec::TypeofExpr(of) => visit.expr(of),
        BaseSpec::TypeofType(of) => type_name(visit, of),
        _ => {}
    }
}

fn declarator<V: Visit + ?Sized>(visit: &mut V, it: &Declarator) {
    for deriv in &it.derivs {
        if let Deriv::Array(ArrayLen::Expr(len)) = deriv {
            visit.expr(len);
        }
    }
}

pub fn walk_expr<V: Visit + ?Sized>(visit: &mut V, it: &Expr) {
    match &it.kind {
        ExprKind::Unary(_, of)
        | ExprKind::IncDec { of, .. }
        | ExprKind::Member { of, .. }
        | ExprKind::SizeofExpr(of)
        | ExprKind::AlignofExpr(of) => visit.expr(of),
        ExprKind::Cast(name, of) => {
            type_name(visit, name);
            visit.expr(of);
        }
        ExprKind::VaArg(of, name) => {
            visit.expr(of);
            type_name(visit, name);
        }
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b) => {
            visit.expr(a);
            visit.expr(b);
        }
        ExprKind::Cond(a, b, c) => {
            visit.expr(a);
            b.iter().for_each(|it| visit.expr(it));
            visit.expr(c);
        }
        ExprKind::ChooseExpr(a, b, c) => [a, b, c].into_iter().for_each(|it| visit.expr(it)),
        ExprKind::Call(callee, args) => {
            visit.expr(callee);
            args.iter().for_each(|it| visit.expr(it));
        }
        ExprKind::CompoundLit(name, init) => {
            type_name(visit, name);
            walk_initializer(visit, init);
        }
        ExprKind::StmtExpr(it) => visit.block(it),
        ExprKind::Generic(control, cases) => {
            visit.expr(control);
            cases.iter().for_each(|it| visit.expr(&it.1));
        }
        ExprKind::SizeofType(name)
        | ExprKind::AlignofType(name)
        | ExprKind::MinAlignofType(name) => type_name(visit, name),
        ExprKind::Offsetof(_, path) => path.iter().for_each(|it| designator(visit, it)),
        ExprKind::TypesCompatible(..)
        | ExprKind::Ident(_)
        | ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str { .. }
        | ExprKind::LabelAddr(_) => {}
    }
}
