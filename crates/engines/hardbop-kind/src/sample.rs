//! Guesses from runs: the linear equations that all values seen at a loop head satisfy are
//! candidates (as Daikon does, Ernst et al. 2001).

use hardbop_cir::eval::signed;
use hardbop_cir::{BinOp, ExprId, Program, Ty, VarId, VarKind};

use crate::candidates::Guesses;
use crate::linear::equations;
use crate::loops::Loops;
use crate::points::{Points, Seen};

/// Registers of one loop.
const MAX_VARS: usize = 12;

/// Equations over the registers of one width that each loop's function names, those the loop does not
/// change first.
pub fn sampled(program: &mut Program, loops: &Loops, seen: &Seen) -> Guesses {
    let mut guesses = Guesses::new();
    for (head, points) in seen.heads() {
        let changed = &loops.changes[&head].vars;
        for width in [32, 64] {
            let columns = named(program, points, width, changed);
            let vars: Vec<VarId> = columns.iter().map(|&at| points.vars[at]).collect();
            let numbers = |row: &Vec<u128>| {
                let values = columns.iter().map(|&at| signed(row[at], width));
                std::iter::once(1).chain(values).collect()
            };
            let rows: Vec<Vec<i128>> = points.rows.iter().map(numbers).collect();
            for law in equations(&rows) {
                let is_of_loop =
                    vars.iter().zip(&law[1..]).any(|(it, &c)| c != 0 && changed.contains(it));
                if is_of_loop {
                    let guess = law_expr(program, &vars, &law);
                    guesses.entry(head).or_default().push(guess);
                }
            }
        }
    }
    guesses
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
