//! Guesses from runs: the linear equations that all values seen at a loop head satisfy are
//! candidates (as Daikon does, Ernst et al. 2001), and so are those that hold under a condition: `flag != 0 ==> a == b`.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::eval::signed;
use hardbop_cir::{BinOp, Expr, ExprId, FuncId, Op, Program, Ty, VarId, VarKind};

use crate::candidates::Guesses;
use crate::linear::equations;
use crate::loops::Loops;
use crate::points::{Points, Seen};

/// Registers of one loop.
const MAX_VARS: usize = 12;
/// Comparisons, and flags, that cases of one loop are told apart by, and values of a flag.
const MAX_GUARDS: usize = 4;
const MAX_VALUES: usize = 3;
/// Fewer follow any law.
const LEAST_ROWS: usize = 4;

/// Equations over the registers of one width that each loop's function names, those the loop does not
/// change first: of all values that were seen, and of those in which a [condition](guards) is true.
pub fn sampled(program: &mut Program, loops: &Loops, seen: &Seen) -> Guesses {
    let mut guesses = Guesses::new();
    for (head, points) in seen.heads() {
        let changed = &loops.changes[&head].vars;
        let rows: Vec<&Vec<u128>> = points.rows.iter().collect();
        let mut list = laws(program, points, &rows, changed);
        for guard in guards(program, head.0, changed) {
            let is_in = |row: &&&Vec<u128>| points.value(program, guard, row) == Some(1);
            let part: Vec<&Vec<u128>> = rows.iter().filter(is_in).copied().collect();
            if part.len() == rows.len() || part.len() < LEAST_ROWS {
                continue;
            }
            let not = program.exprs.not(guard);
            for law in laws(program, points, &part, changed) {
                if !list.contains(&law) {
                    list.push(program.exprs.binary(BinOp::Or, not, law));
                }
            }
        }
        if !list.is_empty() {
            guesses.insert(head, list);
        }
    }
    guesses
}

/// The equations that some of the values seen at a head follow.
fn laws(
    program: &mut Program,
    points: &Points,
    rows: &[&Vec<u128>],
    changed: &[VarId],
) -> Vec<ExprId> {
    let mut list = Vec::new();
    for width in [32, 64] {
        let columns = named(program, points, width, changed);
        let vars: Vec<VarId> = columns.iter().map(|&at| points.vars[at]).collect();
        let numbers = |row: &&Vec<u128>| {
            let values = columns.iter().map(|&at| signed(row[at], width));
            std::iter::once(1).chain(values).collect()
        };
        let rows: Vec<Vec<i128>> = rows.iter().map(numbers).collect();
        for law in equations(&rows).into_iter().chain(differences(&rows)) {
            let is_of_loop =
                vars.iter().zip(&law[1..]).any(|(it, &c)| c != 0 && changed.contains(it));
            if is_of_loop {
                let law = law_expr(program, &vars, &law);
                if !list.contains(&law) {
                    list.push(law);
                }
            }
        }
    }
    list
}

/// Pairs that always differ by the same number. Equations say so in other words, such as `2 * a == i` and `2 * b == i`, from which
/// `a == b` does not follow where numbers wrap around.
fn differences(rows: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let Some(first) = rows.first() else { return Vec::new() };
    let mut found = Vec::new();
    for x in 1..first.len() {
        for y in x + 1..first.len() {
            let by = first[x] - first[y];
            if rows.iter().all(|row| row[x] - row[y] == by) {
                let mut law = vec![0; first.len()];
                (law[0], law[x], law[y]) = (-by, 1, -1);
                found.push(law);
            }
        }
    }
    found
}

/// Conditions under which a loop may follow laws of its own: comparisons of the function over what the loop does not change,
/// and which value a register has that is only ever set to a few constants. Each comes with its opposite.
fn guards(program: &mut Program, func: FuncId, changed: &[VarId]) -> Vec<ExprId> {
    let mut found: BTreeSet<ExprId> = BTreeSet::new();
    let mut values: BTreeMap<VarId, Option<BTreeSet<u128>>> = BTreeMap::new();
    let pool = &program.exprs;
    for block in program.funcs[func].blocks.iter() {
        for inst in &block.insts {
            let Some(dst) = inst.op.dst() else { continue };
            let known = values.entry(dst).or_insert_with(|| Some(BTreeSet::new()));
            let value = match inst.op {
                Op::Set { value, .. } => pool.as_int(value),
                _ => None,
            };
            match (value, known.as_mut()) {
                (Some(value), Some(known)) => drop(known.insert(value)),
                _ => *known = None,
            }
        }
        let operands = block.insts.iter().flat_map(|inst| inst.op.operands());
        for operand in operands.chain(block.term.operands()) {
            pool.visit(operand, &mut |id, node| {
                let Expr::Binary(op, a, _) = node else { return };
                let is_comparison = matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Slt | BinOp::Sle);
                let mut is_fixed = is_comparison && matches!(pool.ty(a), Ty::Int(2..));
                let mut n_vars = 0;
                pool.for_each_var(id, &mut |var| {
                    let is_named = program.vars[var].kind != VarKind::Temp;
                    is_fixed &= is_named && !changed.contains(&var);
                    n_vars += 1;
                });
                if is_fixed && n_vars > 0 && found.len() < MAX_GUARDS {
                    found.insert(id);
                }
            });
        }
    }
    let mut guards: Vec<ExprId> = Vec::new();
    for guard in found {
        guards.extend([guard, program.exprs.not(guard)]);
    }
    let flags = changed.iter().filter_map(|var| Some((*var, values.get(var)?.clone()?)));
    for (var, values) in flags.take(MAX_GUARDS) {
        let info = &program.vars[var];
        let (Ty::Int(width @ 2..), VarKind::Local) = (info.ty, info.kind) else { continue };
        for value in values.into_iter().take(MAX_VALUES) {
            let pool = &mut program.exprs;
            let (it, value) = (pool.var(var, Ty::Int(width)), pool.int(width, value));
            guards.push(pool.binary(BinOp::Eq, it, value));
        }
    }
    guards
}

/// Which of the registers looked at have a name and this width.
fn named(program: &Program, points: &Points, width: u8, changed: &[VarId]) -> Vec<usize> {
    let is_named = |&at: &usize| {
        let info = &program.vars[points.vars[at]];
        info.ty == Ty::Int(width) && info.kind != VarKind::Temp
    };
    let (last, first): (Vec<usize>, Vec<usize>) =
        (0..points.vars.len()).filter(is_named).partition(|&at| changed.contains(&points.vars[at]));
    // What the loop changes matters most.
    let room = MAX_VARS.saturating_sub(last.len());
    first.into_iter().take(room).chain(last).take(MAX_VARS).collect()
}

fn law_expr(program: &mut Program, vars: &[VarId], law: &[i128]) -> ExprId {
    let Some(&Ty::Int(width)) = vars.first().map(|&it| &program.vars[it].ty) else {
        return program.exprs.bool(true);
    };
    // Positive parts on the left, negative ones on the right.
    let mut sides = [program.exprs.int(width, 0); 2];
    for (at, &factor) in law.iter().enumerate().filter(|it| *it.1 != 0) {
        let constant = program.exprs.int(width, factor.unsigned_abs());
        let part = match at.checked_sub(1) {
            None => constant,
            Some(at) => {
                let var = program.exprs.var(vars[at], Ty::Int(width));
                program.exprs.binary(BinOp::Mul, constant, var)
            }
        };
        let side = &mut sides[usize::from(factor < 0)];
        *side = program.exprs.binary(BinOp::Add, *side, part);
    }
    program.exprs.binary(BinOp::Eq, sides[0], sides[1])
}
