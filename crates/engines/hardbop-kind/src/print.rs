//! Invariants as C expressions, and those about all elements of an array as sentences.

use std::collections::BTreeSet;

use hardbop_base::Name;
use hardbop_cir::eval::signed;
use hardbop_cir::{BinOp, CastOp, Expr, ExprId, Program, Ty, UnOp, VarId};

use crate::engine::Proof;

/// Whether an invariant speaks of the loops and variables of the source alone, in words that C has and without a
/// quantifier.
pub fn is_of_source(proof: &Proof, id: ExprId) -> bool {
    let mut is_c = true;
    proof.program.exprs.visit(id, &mut |_, node| {
        is_c &= !matches!(node, Expr::Unary(UnOp::Start, _));
    });
    if !is_c {
        return false;
    }
    let Some(meaning) = &proof.cells else { return true };
    let mut is_of_source = !meaning.is_inlined;
    proof.program.exprs.for_each_var(id, &mut |var| is_of_source &= var < meaning.first);
    is_of_source
}

/// What the proof says of all elements of arrays, the shortest first.
pub fn for_every_index(proof: &Proof) -> Vec<String> {
    let Some(meaning) = &proof.cells else { return Vec::new() };
    let mut program = proof.program.clone();
    let mut said: Vec<String> = Vec::new();
    for &id in proof.invariants.values().flatten() {
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        program.exprs.for_each_var(id, &mut |var| {
            vars.insert(var);
        });
        if !meaning.elements.iter().any(|it| vars.contains(&it.value)) {
            continue;
        }
        let indices: Vec<Name> =
            meaning.indices.iter().map(|it| program.vars[it.var].name.clone()).collect();
        let fact = match program.exprs.get(id) {
            Expr::Binary(BinOp::Or, a, b) => {
                let cond = program.exprs.not(a);
                format!("{} implies {}", bare(&program, cond), bare(&program, b))
            }
            _ => bare(&program, id),
        };
        let sentence = format!("for every index {}: {fact}", indices.join(", "));
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said.sort_by_key(String::len);
    said
}

/// What the proof says of the calls of recursive functions.
pub fn for_every_call(proof: &Proof) -> Vec<String> {
    let mut said = Vec::new();
    for (func, contract) in &proof.contracts.contracts {
        let name = &proof.program.funcs[*func].name;
        for (when, place) in [("before", contract.begins), ("after", contract.returns)] {
            for &id in proof.contracts.facts.get(&place).into_iter().flatten() {
                said.push(format!("{when} each call of {name}: {}", bare(&proof.program, id)));
            }
        }
    }
    said
}

/// Without the parentheses around the whole.
fn bare(program: &Program, id: ExprId) -> String {
    let text = c_expr(program, id);
    let is_binary = matches!(program.exprs.get(id), Expr::Binary(..));
    match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        Some(inner) if is_binary => inner.to_string(),
        _ => text,
    }
}

/// An expression over registers with a name, as C with the types written out where signs matter.
pub fn c_expr(program: &Program, id: ExprId) -> String {
    let pool = &program.exprs;
    let text = |id: ExprId| c_expr(program, id);
    match pool.get(id) {
        Expr::Int { width: 1, value } => value.to_string(),
        Expr::Int { width, value } => match signed(value, width) {
            it if it == i128::from(i64::MIN) => format!("(-{}LL - 1)", i64::MAX),
            it if i32::try_from(it).is_err() => format!("{it}LL"),
            it => it.to_string(),
        },
        Expr::Var(var) => program.vars[var].name.to_string(),
        Expr::Unary(UnOp::Not, a) if pool.ty(a) == Ty::BOOL => format!("!({})", text(a)),
        Expr::Unary(UnOp::Not, a) => format!("~({})", text(a)),
        Expr::Unary(UnOp::Start, a) => format!("start({})", text(a)),
        Expr::Unary(_, a) => format!("-({})", text(a)),
        Expr::Null => "0".into(),
        // No C, but readable: see [`is_of_source`].
        Expr::Binary(BinOp::PtrDiff, a, b) if pool.get(b) == Expr::Unary(UnOp::Start, a) => {
            format!("offset({})", text(a))
        }
        Expr::Binary(op, a, b) => {
            let is_truth = pool.ty(a) == Ty::BOOL;
            let (word, sign) = match op {
                BinOp::Add => ("+", None),
                BinOp::Sub => ("-", None),
                BinOp::Mul => ("*", None),
                BinOp::UDiv => ("/", Some(false)),
                BinOp::SDiv => ("/", Some(true)),
                BinOp::URem => ("%", Some(false)),
                BinOp::SRem => ("%", Some(true)),
                BinOp::And if is_truth => ("&&", None),
                BinOp::Or if is_truth => ("||", None),
                BinOp::And => ("&", None),
                BinOp::Or => ("|", None),
                BinOp::Xor => ("^", None),
                BinOp::Shl => ("<<", None),
                BinOp::LShr => (">>", Some(false)),
                BinOp::AShr => (">>", Some(true)),
                BinOp::Eq => ("==", None),
                BinOp::Ne => ("!=", None),
                BinOp::Ult => ("<", Some(false)),
                BinOp::Ule => ("<=", Some(false)),
                BinOp::Slt => ("<", Some(true)),
                BinOp::Sle => ("<=", Some(true)),
                // Not made by the templates; true says nothing wrong.
                _ => return "1".into(),
            };
            let side = |id: ExprId| match (sign, pool.ty(id)) {
                (Some(is_signed), Ty::Int(width)) => operand(program, id, width, is_signed),
                _ => text(id),
            };
            format!("({} {word} {})", side(a), side(b))
        }
        // C has no type of one bit but `_Bool`, which is not the lowest bit.
        Expr::Cast(CastOp::Trunc, Ty::BOOL, a) => format!("({} & 1)", text(a)),
        Expr::Cast(op, Ty::Int(width), a) => {
            let is_signed = matches!(op, CastOp::Sext);
            let inner = match pool.ty(a) {
                Ty::Int(from) if op != CastOp::Trunc => operand(program, a, from, is_signed),
                _ => text(a),
            };
            format!("({}){inner}", c_type(width, is_signed))
        }
        Expr::Ite(c, a, b) => format!("({} ? {} : {})", text(c), text(a), text(b)),
        _ => "1".into(),
    }
}

/// With a cast unless the source reads it in this way already.
fn operand(program: &Program, id: ExprId, width: u8, is_signed: bool) -> String {
    let text = c_expr(program, id);
    let fits = match program.exprs.get(id) {
        Expr::Var(var) => program.vars[var].is_signed == is_signed,
        Expr::Int { value, width } => is_signed || signed(value, width) >= 0,
        _ => false,
    };
    if fits { text } else { format!("({}){text}", c_type(width, is_signed)) }
}

fn c_type(width: u8, is_signed: bool) -> String {
    let name = match width {
        0..=8 => "char",
        9..=16 => "short",
        17..=32 => "int",
        _ => "long long",
    };
    format!("{}{name}", if is_signed { "signed " } else { "unsigned " })
}
