//! The Boolean program as text, with what its variables stand for.

use std::fmt::Write as _;

use hardbop_base::Span;
use hardbop_cfg::{Action, Expr, ExprId, ExprPool, Loc, ProcId, Program, Spawn, VarId};
use hardbop_smt::{BinaryOp, Term, TermId, UnaryOp};

use crate::model::Model;
use crate::predicates::{Predicate, Predicates};

/// Of a predicate's variable.
pub fn name(at: usize, predicate: &Predicate) -> String {
    match predicate.role {
        None => format!("p{at}"),
        Some(_) => format!("own{at}"),
    }
}

pub fn text(
    model: &Model,
    predicates: &Predicates,
    program: &Program,
    place: &dyn Fn(Span) -> String,
) -> String {
    let mut out = String::new();
    let main = ProcId::from_u32(0);
    let proc = &program.procs[main];
    let told = |out: &mut String, indent: &str, is_own: bool| {
        for (at, it) in predicates.all.iter().enumerate().filter(|it| it.1.role.is_some() == is_own)
        {
            let _ = writeln!(out, "{indent}decl {};  // {}", name(at, it), shown(model, it.term));
        }
    };
    told(&mut out, "", false);
    out += "void main() begin\n";
    told(&mut out, "  ", true);
    let _ = writeln!(out, "  goto l{};", proc.entry.as_u32());
    let var = |var: VarId| program.var_info(main, var).name.to_string();
    for (loc, info) in proc.locs.iter_enumerated() {
        if loc == proc.exit {
            continue;
        }
        let edges: Vec<_> = proc.out_edges(loc).map(|it| it.1).collect();
        let at = info.span.filter(|it| *it != Span::default()).map(place);
        let at = at.map(|it| format!("  // {it}")).unwrap_or_default();
        let _ = writeln!(out, "l{}:{at}", loc.as_u32());
        let ways: Vec<String> =
            (0..edges.len()).map(|at| format!("l{}_{at}", loc.as_u32())).collect();
        match ways.len() {
            0 => out += "  assume (0);\n",
            1 => {}
            _ => drop(writeln!(out, "  goto {};", ways.join(", "))),
        }
        for (edge, way) in edges.iter().zip(&ways) {
            if edges.len() > 1 {
                let _ = writeln!(out, "{way}:");
            }
            let e = |id: ExprId| expr(&program.exprs, id, &var);
            match &edge.action {
                Action::Skip => out += "  skip;\n",
                Action::Assume(id) => drop(writeln!(out, "  assume ({});", e(*id))),
                Action::Assert(id) => drop(writeln!(out, "  assert ({});", e(*id))),
                Action::Assign(assign) => {
                    let (left, right): (Vec<_>, Vec<_>) =
                        assign.targets.iter().map(|&(it, value)| (var(it), e(value))).unzip();
                    let _ = write!(out, "  {} := {}", left.join(", "), right.join(", "));
                    if let Some(constrain) = assign.constrain {
                        let _ = write!(out, " constrain ({})", e(constrain));
                    }
                    out += ";\n";
                }
                Action::StartThread(start) => {
                    if let Spawn::Goto(to) = **start {
                        let _ = writeln!(out, "  start_thread goto l{};", to.as_u32());
                    }
                }
                Action::EndThread => out += "  end_thread;\n",
                Action::AtomicBegin => out += "  atomic_begin;\n",
                Action::AtomicEnd => out += "  atomic_end;\n",
                Action::Call(_) => unreachable!("the program has one procedure"),
            }
            if edge.action != Action::EndThread {
                let _ = writeln!(out, "  goto {};", label(edge.to, proc.exit));
            }
        }
    }
    out += "done:\n  skip;\nend\n";
    out
}

fn label(to: Loc, exit: Loc) -> String {
    if to == exit { "done".into() } else { format!("l{}", to.as_u32()) }
}

/// Expressions are as deep as cubes and clauses are many: a recursion that the stack of the engine carries.
fn expr(pool: &ExprPool, id: ExprId, var: &dyn Fn(VarId) -> String) -> String {
    let e = |it| expr(pool, it, var);
    match pool.get(id) {
        Expr::Const(value) => u8::from(value).to_string(),
        Expr::Var(it) => var(it),
        Expr::Next(it) => format!("'{}", var(it)),
        Expr::Choice => "*".into(),
        Expr::Not(a) => format!("!{}", e(a)),
        Expr::And(a, b) => format!("({} & {})", e(a), e(b)),
        Expr::Or(a, b) => format!("({} | {})", e(a), e(b)),
        Expr::Xor(a, b) => format!("({} != {})", e(a), e(b)),
        Expr::Schoose(a, b) => format!("schoose[{}, {}]", e(a), e(b)),
        Expr::Ite(c, a, b) => format!("({} ? {} : {})", e(c), e(a), e(b)),
    }
}

/// A term in the manner of C.
pub fn shown(model: &Model, id: TermId) -> String {
    let s = |it| shown(model, it);
    match model.terms.node(id) {
        Term::Const { width, value } => {
            let is_negative = width > 1 && width <= 64 && value >> (width - 1) & 1 == 1;
            match is_negative {
                true => (value as i128 - (1i128 << width)).to_string(),
                false => value.to_string(),
            }
        }
        Term::Var(_) => match model.by_term.get(&id) {
            Some(&var) => {
                let it = &model.vars[var];
                match it.role {
                    Some(role) => format!("{}.{}", model.roles[role].name, it.name),
                    None => it.name.clone(),
                }
            }
            None => "*".into(),
        },
        Term::Unary(UnaryOp::Not, a) => format!("!{}", s(a)),
        Term::Unary(UnaryOp::Neg, a) => format!("-{}", s(a)),
        Term::Binary(op, a, b) => {
            let op = match op {
                BinaryOp::And => "&",
                BinaryOp::Xor => "^",
                BinaryOp::Add => "+",
                BinaryOp::Mul => "*",
                BinaryOp::Udiv => "/u",
                BinaryOp::Urem => "%u",
                BinaryOp::Shl => "<<",
                BinaryOp::Lshr => ">>u",
                BinaryOp::Ashr => ">>",
                BinaryOp::Eq => "==",
                BinaryOp::Ult => "<u",
                BinaryOp::Slt => "<",
                BinaryOp::Concat => "++",
            };
            format!("({} {op} {})", s(a), s(b))
        }
        Term::Ite(c, a, b) => format!("({} ? {} : {})", s(c), s(a), s(b)),
        Term::Extract { term, high, low } => format!("{}[{high}:{low}]", s(term)),
        Term::SignExtend { term, .. } => s(term),
        Term::ConstArray { .. } | Term::Store { .. } | Term::Select { .. } => "array".into(),
    }
}
