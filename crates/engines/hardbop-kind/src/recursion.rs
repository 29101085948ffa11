//! Proofs for recursion without a bound: guesses about calls, from runs and from the text, and Houdini on
//! them together with those about loops (see [`contracts`]).

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Budget;
use hardbop_cir::analysis::Ranges;
use hardbop_cir::eval::signed;
use hardbop_cir::pass::Passes;
use hardbop_cir::{BinOp, Class, ExprId, Program, Ty, UnOp, VarId};
use hardbop_engine::Reason;
use hardbop_engine_c::prepare;

use crate::candidates::{Guesses, Stage, guess};
use crate::cells::Meaning;
use crate::contracts::{self, Contract, Kept};
use crate::engine::{Attempt, Proof, attempt};
use crate::loops::Loops;
use crate::points::{Points, Seen};
use crate::recheck::recheck;
use crate::sample::sampled;

const TRIES: [(u32, Stage); 2] = [(1, Stage::Pairs), (2, Stage::Pairs)];
/// Bits in which sums of two numbers are exact.
const WIDE: u8 = 128;
/// Differences beyond this are taken for chance.
const NEAR: i128 = 100;
/// Constants that cases are told apart by.
const MAX_CONSTANTS: usize = 8;

/// `None` if there is no recursion, or no proof.
pub fn prove(
    original: &Program,
    classes: &[Class],
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    let mut program = prepare(original, classes, Passes { inline: false, ..Passes::ALL });
    let first = program.vars.next_id();
    let known = contracts::prepare(&mut program);
    if known.is_empty() {
        return Ok(None);
    }
    hardbop_cir::expect_verified(&program, "contracts");
    let loops = Loops::with_contracts(&program, &known);
    if loops.irreducible.is_some() {
        return Ok(None);
    }
    let ranges = Ranges::of(&program);
    let seen = Seen::of(&program, &loops, budget);
    let laws = sampled(&mut program, &loops, &seen);
    let has_loops = loops.changes.len() > 2 * known.len();
    for (k, stage) in TRIES.into_iter().take(if has_loops { 2 } else { 1 }) {
        let mut guesses = guess(&mut program, &loops, &ranges, &seen, stage);
        let more = of_calls(&mut program, &loops, &seen);
        for (place, list) in laws.iter().chain(&more) {
            guesses.entry(*place).or_default().extend(list);
        }
        contracts::restrict(&program, &known, &mut guesses);
        match attempt(&program, classes, &loops, &guesses, None, k, budget)? {
            Attempt::Proved(mut invariants, _) => {
                let mut facts = BTreeMap::new();
                for it in known.values() {
                    for place in [it.begins, it.returns] {
                        facts.insert(place, invariants.remove(&place).unwrap_or_default());
                    }
                }
                let cells = Some(Meaning::without_cells(first, false));
                let contracts = Kept { contracts: known, facts };
                let (memory, is_brief) = (None, false);
                let proof = Proof { program, invariants, k, cells, memory, contracts, is_brief };
                return Ok(recheck(&proof, classes, budget)?.then_some(proof));
            }
            Attempt::Failed(..) => {}
            Attempt::Hopeless(_) => return Ok(None),
        }
    }
    Ok(None)
}

/// What pairs of numbers do in all calls that were seen, and in those where a parameter has a certain value.
fn of_calls(program: &mut Program, loops: &Loops, seen: &Seen) -> Guesses {
    let mut guesses = Guesses::new();
    for (&func, contract) in &loops.contracts {
        let params: Vec<VarId> = contract.old.iter().map(|it| it.0).collect();
        let mut before = Maker { program, points: seen.at(contract.begins), list: Vec::new() };
        before.fitting(&params);
        let list = before.list;
        guesses.insert(contract.begins, list);
        let constants = contracts::compared(program, func);
        let mut after = Maker { program, points: seen.at(contract.returns), list: Vec::new() };
        after.results(contract, &constants);
        let list = after.list;
        guesses.insert(contract.returns, list);
    }
    guesses
}

struct Maker<'a> {
    program: &'a mut Program,
    points: Option<&'a Points>,
    list: Vec<ExprId>,
}

impl Maker<'_> {
    /// A register that is a number, with more bits than any sum of two needs.
    fn wide(&mut self, var: VarId) -> Option<ExprId> {
        let info = &self.program.vars[var];
        let is_signed = info.is_signed;
        match info.ty {
            ty @ Ty::Int(2..=64) => {
                let it = self.program.exprs.var(var, ty);
                Some(self.program.exprs.resize(it, WIDE, is_signed))
            }
            _ => None,
        }
    }

    fn int(&mut self, value: i128) -> ExprId {
        self.program.exprs.int(WIDE, value as u128)
    }

    /// Unless it was seen to be false.
    fn add(&mut self, expr: ExprId) {
        if self.program.exprs.as_int(expr).is_none()
            && !self.points.is_some_and(|it| it.refute(self.program, expr))
        {
            self.list.push(expr);
        }
    }

    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        let expr = self.program.exprs.binary(op, a, b);
        self.add(expr);
    }

    /// Sums and differences of two parameters have room in the type.
    fn fitting(&mut self, params: &[VarId]) {
        for (at, &a) in params.iter().enumerate() {
            for &b in &params[at + 1..] {
                let (info, other) = (&self.program.vars[a], &self.program.vars[b]);
                let same = info.ty == other.ty && info.is_signed == other.is_signed;
                let (Ty::Int(width), is_signed, true) = (info.ty, info.is_signed, same) else {
                    continue;
                };
                let (Some(x), Some(y)) = (self.wide(a), self.wide(b)) else { continue };
                let half = 1 << (width - 1);
                let (least, most) = if is_signed { (-half, half - 1) } else { (0, 2 * half - 1) };
                let (least, most) = (self.int(least), self.int(most));
                for op in [BinOp::Add, BinOp::Sub] {
                    let both = self.program.exprs.binary(op, x, y);
                    self.compare(BinOp::Sle, both, most);
                    self.compare(BinOp::Sle, least, both);
                }
            }
        }
    }

    /// The result against numbers and parameters: always, and where a parameter is below, at or above a constant.
    fn results(&mut self, contract: &Contract, constants: &[i128]) {
        let Some(result) = contract.result else { return };
        let kept: Vec<VarId> = contract.old.iter().map(|it| it.1).collect();
        self.bounds(result, &kept, None);
        for &param in &kept {
            let Some(it) = self.wide(param) else { continue };
            for &constant in constants.iter().take(MAX_CONSTANTS) {
                let value = self.int(constant);
                let below = self.program.exprs.binary(BinOp::Slt, it, value);
                let at = self.program.exprs.binary(BinOp::Eq, it, value);
                let above = self.program.exprs.binary(BinOp::Slt, value, it);
                for case in [below, at, above] {
                    self.bounds(result, &kept, Some(case));
                }
            }
        }
    }

    /// How far the result was seen to be from 0 and from each parameter, in one case.
    fn bounds(&mut self, result: VarId, kept: &[VarId], case: Option<ExprId>) {
        let Some(points) = self.points else { return };
        let Some(wide) = self.wide(result) else { return };
        let rows: Vec<&Vec<u128>> = points
            .rows
            .iter()
            .filter(|row| case.is_none_or(|it| points.value(self.program, it, row) == Some(1)))
            .collect();
        let zero = self.int(0);
        for other in std::iter::once(None).chain(kept.iter().copied().map(Some)) {
            let base = match other {
                None => zero,
                Some(var) => match self.wide(var) {
                    Some(it) => it,
                    None => continue,
                },
            };
            let far = self.program.exprs.binary(BinOp::Sub, wide, base);
            let seen = rows.iter().filter_map(|row| points.value(self.program, far, row));
            let seen: BTreeSet<i128> = seen.map(|it| signed(it, WIDE)).collect();
            let (Some(&least), Some(&most)) = (seen.first(), seen.last()) else { continue };
            let mut facts = Vec::new();
            for (bound, is_least) in [(least, true), (most, false)] {
                let constant = self.int(bound);
                let (op, a, b) = match is_least {
                    _ if least == most => (BinOp::Eq, far, constant),
                    true => (BinOp::Sle, constant, far),
                    false => (BinOp::Sle, far, constant),
                };
                if bound.abs() <= NEAR && (is_least || least != most) {
                    facts.push(self.program.exprs.binary(op, a, b));
                }
            }
            for fact in facts {
                let guess = match case {
                    None => fact,
                    Some(case) => {
                        let not = self.program.exprs.unary(UnOp::Not, case);
                        self.program.exprs.binary(BinOp::Or, not, fact)
                    }
                };
                self.add(guess);
            }
        }
    }
}
