//! The atoms of a condition as predicates: comparisons over the registers of the state it begins
//! with. Where a merged value is compared, its cases are.

use std::collections::BTreeSet;

use hardbop_cir::{BinOp, CastOp, Expr, ExprId, ExprPool, Ty, UnOp};
use hardbop_smt::{BinaryOp, Sort, Term, TermId, Terms, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::regions::Registers;

/// Conditions looked at for one call.
const MAX_VISITED: usize = 4000;
/// Terms of one atom.
const MAX_SIZE: usize = 24;

pub fn atoms(
    terms: &mut Terms,
    roots: &[TermId],
    registers: &Registers,
    pool: &mut ExprPool,
) -> BTreeSet<ExprId> {
    let mut found = BTreeSet::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut todo = roots.to_vec();
    while let Some(term) = todo.pop() {
        if seen.len() > MAX_VISITED || !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Term::Const { .. } => {}
            Term::Unary(_, a) => todo.push(a),
            Term::Ite(c, a, b) => todo.extend([c, a, b]),
            Term::Binary(BinaryOp::And | BinaryOp::Xor, a, b) => todo.extend([a, b]),
            Term::Binary(op @ (BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt), a, b) => {
                if terms.width(a) == 1 && op == BinaryOp::Eq {
                    todo.extend([a, b]);
                } else if !cases(terms, op, a, b, &mut todo) {
                    found.extend(predicate(terms, term, registers, pool));
                }
            }
            _ => found.extend(predicate(terms, term, registers, pool)),
        }
    }
    found.retain(|&it| !matches!(pool.get(it), Expr::Int { .. }));
    found
}

/// Compares the cases of a merged operand one by one; `false` if neither is merged.
fn cases(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, todo: &mut Vec<TermId>) -> bool {
    match (terms.node(a), terms.node(b)) {
        (Term::Ite(c, x, y), _) => {
            todo.push(c);
            todo.push(terms.binary(op, x, b));
            todo.push(terms.binary(op, y, b));
        }
        (_, Term::Ite(c, x, y)) => {
            todo.push(c);
            todo.push(terms.binary(op, a, x));
            todo.push(terms.binary(op, a, y));
        }
        _ => return false,
    }
    true
}

/// A condition over registers as an expression; `None` if it speaks of something else or is long.
fn predicate(
    terms: &Terms,
    root: TermId,
    registers: &Registers,
    pool: &mut ExprPool,
) -> Option<ExprId> {
    let cone = terms.cone(&[root]);
    if cone.len() > MAX_SIZE {
        return None;
    }
    let mut done: FxHashMap<TermId, ExprId> = FxHashMap::default();
    for term in cone {
        let Sort::Bits(width) = terms.sort(term) else { return None };
        let width = u8::try_from(width).ok()?;
        let expr = match terms.node(term) {
            Term::Const { value, .. } => pool.int(width, value),
            Term::Var(_) => *registers.get(&term)?,
            Term::Unary(UnaryOp::Not, a) => pool.unary(UnOp::Not, done[&a]),
            Term::Unary(UnaryOp::Neg, a) => pool.unary(UnOp::Neg, done[&a]),
            Term::Binary(op, a, b) => {
                let (a, b) = (done[&a], done[&b]);
                match op {
                    BinaryOp::Concat => concat(pool, a, b, width),
                    _ => pool.binary(operator(op), a, b),
                }
            }
            Term::Ite(c, a, b) => pool.ite(done[&c], done[&a], done[&b]),
            Term::Extract { term, low, .. } => {
                let whole = done[&term];
                let Ty::Int(from) = pool.ty(whole) else { return None };
                let by = pool.int(from, u128::from(low));
                let shifted = pool.binary(BinOp::LShr, whole, by);
                pool.resize(shifted, width, false)
            }
            Term::SignExtend { term, .. } => pool.resize(done[&term], width, true),
            Term::ConstArray { .. } | Term::Store { .. } | Term::Select { .. } => return None,
        };
        done.insert(term, expr);
    }
    done.get(&root).copied()
}

fn operator(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::And => BinOp::And,
        BinaryOp::Xor => BinOp::Xor,
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Udiv => BinOp::UDiv,
        BinaryOp::Urem => BinOp::URem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Lshr => BinOp::LShr,
        BinaryOp::Ashr => BinOp::AShr,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ult => BinOp::Ult,
        BinaryOp::Slt => BinOp::Slt,
        BinaryOp::Concat => unreachable!("has no operator of its own"),
    }
}

/// The first operand is the more significant one.
fn concat(pool: &mut ExprPool, high: ExprId, low: ExprId, width: u8) -> ExprId {
    let wide = |pool: &mut ExprPool, it| pool.cast(CastOp::Zext, Ty::Int(width), it);
    let Ty::Int(low_width) = pool.ty(low) else { unreachable!("a bit-vector") };
    let (high, low) = (wide(pool, high), wide(pool, low));
    let by = pool.int(width, u128::from(low_width));
    let high = pool.binary(BinOp::Shl, high, by);
    pool.binary(BinOp::Or, high, low)
}
