//! Edits of expressions.

use hardbop_bp::ast::{Expr, ExprKind, Program};

use super::Countdown;
use crate::walk::{each_subexpr, each_top_expr, operands_of};

/// Replaces an expression by a constant or by one of its operands, or drops an operand of a chain.
pub fn simplify_expr(program: &mut Program, number: usize) -> bool {
    let mut countdown = Countdown::new(number);
    each_top_expr(program, &mut |top| {
        each_subexpr(top, &mut |expr| {
            if let Some(edit) = countdown.at(n_edits(expr)) {
                apply(expr, edit);
            }
        });
    });
    countdown.was_found()
}

/// Two constants, each operand, and for a chain of three or more each operand to drop. A constant
/// is as simple as can be.
fn n_edits(expr: &mut Expr) -> usize {
    if matches!(expr.kind, ExprKind::Const(_)) {
        return 0;
    }
    let n_operands = operands_of(expr).len();
    2 + n_operands + if is_long_chain(expr) { n_operands } else { 0 }
}

fn is_long_chain(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Chain(_, operands) if operands.len() > 2)
}

fn apply(expr: &mut Expr, edit: usize) {
    let n_operands = operands_of(expr).len();
    if edit < 2 {
        expr.kind = ExprKind::Const(edit == 1);
    } else if edit < 2 + n_operands {
        let operand = operands_of(expr).swap_remove(edit - 2).clone();
        *expr = operand;
    } else if let ExprKind::Chain(_, operands) = &mut expr.kind {
        operands.remove(edit - 2 - n_operands);
    }
}
