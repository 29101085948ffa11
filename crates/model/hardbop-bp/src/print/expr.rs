//! Expressions with the parentheses they need, and those between `|` and `=>`, whose common level
//! of precedence surprises readers.

use super::UNREADABLE;
use crate::ast::{BinaryOp, ChainOp, Expr, ExprKind};

/// Levels of precedence, loosest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Any,
    /// `|` and `=>`
    Condition,
    Xor,
    And,
    Equal,
    Not,
}

/// The text; a newline stands for a blank where the line may be broken.
pub(super) fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr, Level::Any);
    out
}

pub(super) fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(expr).collect::<Vec<_>>().join(",\n")
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Ite(..) => Level::Any,
        ExprKind::Chain(op, _) => chain_level(*op),
        ExprKind::Binary(BinaryOp::Implies, ..) => Level::Condition,
        ExprKind::Binary(..) => Level::Equal,
        _ => Level::Not,
    }
}

fn chain_level(op: ChainOp) -> Level {
    match op {
        ChainOp::Or => Level::Condition,
        ChainOp::Xor => Level::Xor,
        ChainOp::And => Level::And,
    }
}

/// Writes what may stand where operators of a level or tighter are expected.
fn write(out: &mut String, expr: &Expr, at_least: Level) {
    let needs_parentheses = level(expr) < at_least;
    if needs_parentheses {
        out.push('(');
    }
    match &expr.kind {
        ExprKind::Const(value) => out.push(if *value { '1' } else { '0' }),
        ExprKind::Var(name) => out.push_str(&name.name),
        ExprKind::Next(name) => {
            out.push('\'');
            out.push_str(&name.name);
        }
        ExprKind::Choice => out.push('*'),
        ExprKind::Not(a) => {
            out.push('!');
            write(out, a, Level::Not);
        }
        ExprKind::Chain(op, operands) => write_chain(out, *op, operands),
        ExprKind::Binary(op, a, b) => write_binary(out, *op, a, b),
        ExprKind::Schoose(p, n) => {
            out.push_str("schoose[");
            write(out, p, Level::Any);
            out.push_str(",\n");
            write(out, n, Level::Any);
            out.push(']');
        }
        ExprKind::Ite(c, a, b) => {
            write(out, c, Level::Condition);
            out.push_str("\n? ");
            write(out, a, Level::Any);
            out.push_str("\n: ");
            write(out, b, Level::Any);
        }
        ExprKind::Error => out.push_str(UNREADABLE),
    }
    if needs_parentheses {
        out.push(')');
    }
}

fn write_chain(out: &mut String, op: ChainOp, operands: &[Expr]) {
    let (sign, tighter) = match op {
        ChainOp::Or => ("\n| ", Level::Xor),
        ChainOp::Xor => ("\n^ ", Level::And),
        ChainOp::And => ("\n& ", Level::Equal),
    };
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            out.push_str(sign);
        }
        // The parser makes chains flat, so a chain of the same operator needs no parentheses.
        let is_same = matches!(&operand.kind, ExprKind::Chain(inner, _) if *inner == op);
        write(out, operand, if is_same { Level::Any } else { tighter });
    }
}

fn write_binary(out: &mut String, op: BinaryOp, a: &Expr, b: &Expr) {
    let (sign, left, right) = match op {
        BinaryOp::Implies => ("\n=> ", Level::Xor, Level::Xor),
        BinaryOp::Eq => ("\n= ", Level::Equal, Level::Not),
        BinaryOp::Ne => ("\n!= ", Level::Equal, Level::Not),
    };
    write(out, a, left);
    out.push_str(sign);
    write(out, b, right);
}
