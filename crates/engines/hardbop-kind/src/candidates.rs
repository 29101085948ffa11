//! What might hold at the head of a loop: bounds, equalities and orders of two registers, remainders,
//! the comparisons of the program itself, sets of constants. All are guesses; Houdini
//! (Flanagan and Leino 2001) keeps those that are inductive.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::analysis::{Interval, Ranges};
use hardbop_cir::{BinOp, Cond, Expr, ExprId, FuncId, Op, Program, Ty, UnOp, VarId, VarKind};
use hardbop_symbolic::LoopId;

use crate::loops::Loops;
use crate::points::{Points, Seen};

/// Guesses for one loop.
const MAX_CANDIDATES: usize = 1500;
/// Registers of a loop that are paired with each other.
const MAX_PAIRED: usize = 24;
/// Constants that are tried for one register.
const MAX_CONSTANTS: usize = 24;

/// How much is guessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Facts about one register, and the program's own comparisons.
    Single,
    /// Also about two.
    Pairs,
    /// Also which constants of two registers exclude each other.
    Exclusions,
}

impl Stage {
    pub const ALL: [Stage; 3] = [Stage::Single, Stage::Pairs, Stage::Exclusions];
}

pub type Guesses = BTreeMap<LoopId, Vec<ExprId>>;

/// Adds the expressions to the program's pool.
pub fn guess(
    program: &mut Program,
    loops: &Loops,
    ranges: &Ranges,
    seen: &Seen,
    stage: Stage,
) -> Guesses {
    let facts = Facts::of(program);
    let mut guesses = Guesses::new();
    for (&head, changes) in &loops.changes {
        let points = seen.at(head);
        let mut maker =
            Maker { program, facts: &facts, points, list: Vec::new(), known: BTreeSet::new() };
        let vars: Vec<VarId> =
            changes.vars.iter().copied().filter(|it| maker.is_guessed(*it)).collect();
        for &var in &vars {
            maker.range(var, range_at(ranges, head, var, maker.program));
            maker.constants(var);
            maker.remainders(var);
        }
        maker.comparisons(head.0, &vars);
        for (x, y, bound) in ranges.differences[head.0][head.1].iter() {
            maker.difference(x, y, bound);
        }
        if stage >= Stage::Pairs {
            maker.pairs(head.0, &vars);
        }
        if stage >= Stage::Exclusions {
            maker.exclusions(&vars);
        }
        guesses.insert(head, maker.list);
    }
    guesses
}

fn range_at(ranges: &Ranges, head: LoopId, var: VarId, program: &Program) -> Option<Interval> {
    match program.vars[var].owner {
        None => ranges.vars[var],
        Some(_) => ranges.entry[head.0][head.1].as_ref()?.get(&var).copied(),
    }
}

/// What the text of the program says of its registers.
struct Facts {
    /// Constants a register is compared with or set to.
    constants: BTreeMap<VarId, BTreeSet<u128>>,
    /// Registers that are only ever set to constants, and to which.
    values: BTreeMap<VarId, BTreeSet<u128>>,
    /// What is added to a register.
    steps: BTreeMap<VarId, BTreeSet<u128>>,
    /// Powers of two that divide a constant of the program's arithmetic.
    powers: BTreeSet<u32>,
    /// Comparisons of each function, over registers that have a name.
    comparisons: BTreeMap<FuncId, BTreeSet<(ExprId, ExprId)>>,
    /// Registers each function mentions.
    mentioned: BTreeMap<FuncId, BTreeSet<VarId>>,
}

impl Facts {
    fn of(program: &Program) -> Facts {
        let mut facts = Facts {
            constants: BTreeMap::new(),
            values: BTreeMap::new(),
            steps: BTreeMap::new(),
            powers: BTreeSet::new(),
            comparisons: BTreeMap::new(),
            mentioned: BTreeMap::new(),
        };
        let mut other_writes: BTreeSet<VarId> = BTreeSet::new();
        for (func, it) in program.funcs.iter_enumerated() {
            for block in it.blocks.iter() {
                for inst in &block.insts {
                    facts.op(program, func, &inst.op, &mut other_writes);
                }
                if let Some(operand) = block.term.operands() {
                    facts.expr(program, func, operand);
                }
            }
        }
        facts.values.retain(|var, _| !other_writes.contains(var));
        for (var, values) in &mut facts.values {
            let info = &program.vars[*var];
            if info.owner.is_none() {
                values.insert(info.init.and_then(|it| program.exprs.as_int(it)).unwrap_or(0));
            }
        }
        facts
    }

    fn op(&mut self, program: &Program, func: FuncId, op: &Op, other_writes: &mut BTreeSet<VarId>) {
        if let Op::Set { dst, value } = op {
            match program.exprs.get(*value) {
                Expr::Int { value, .. } => {
                    self.constants.entry(*dst).or_default().insert(value);
                    self.values.entry(*dst).or_default().insert(value);
                }
                Expr::Binary(BinOp::Add | BinOp::Sub, a, b) => {
                    other_writes.insert(*dst);
                    if let (Expr::Var(var), Some(step)) =
                        (program.exprs.get(a), program.exprs.as_int(b))
                        && var == *dst
                    {
                        self.steps.entry(*dst).or_default().insert(step);
                    }
                }
                _ => drop(other_writes.insert(*dst)),
            }
        } else {
            other_writes.extend(op.dst());
        }
        op.operands().into_iter().for_each(|operand| self.expr(program, func, operand));
        if let Op::Check { cond: Cond::Holds(cond), .. } = op {
            self.expr(program, func, *cond);
        }
    }

    fn expr(&mut self, program: &Program, func: FuncId, root: ExprId) {
        let pool = &program.exprs;
        let mentioned = self.mentioned.entry(func).or_default();
        pool.visit(root, &mut |_, node| {
            if let Expr::Var(var) = node {
                mentioned.insert(var);
            }
            let Expr::Binary(op, a, b) = node else { return };
            if matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) {
                let constants = [a, b].into_iter().filter_map(|it| pool.as_int(it));
                self.powers.extend(constants.filter(|it| *it != 0).map(u128::trailing_zeros));
            }
            let is_comparison = matches!(
                op,
                BinOp::Eq | BinOp::Ne | BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle
            );
            if !is_comparison || !matches!(pool.ty(a), Ty::Int(width) if width > 1) {
                return;
            }
            for (x, y) in [(a, b), (b, a)] {
                if let (Expr::Var(var), Some(value)) = (pool.get(x), pool.as_int(y)) {
                    self.constants.entry(var).or_default().insert(value);
                }
            }
            let mut has_name = true;
            for side in [a, b] {
                pool.for_each_var(side, &mut |var| {
                    has_name &= program.vars[var].kind != VarKind::Temp;
                });
            }
            if has_name {
                self.comparisons.entry(func).or_default().insert((a, b));
            }
        });
    }
}

struct Maker<'a> {
    program: &'a mut Program,
    facts: &'a Facts,
    /// What runs have seen here: guesses it refutes are not made.
    points: Option<&'a Points>,
    list: Vec<ExprId>,
    known: BTreeSet<ExprId>,
}

impl Maker<'_> {
    /// Numbers with a name in the source.
    fn is_guessed(&self, var: VarId) -> bool {
        let info = &self.program.vars[var];
        info.kind != VarKind::Temp && matches!(info.ty, Ty::Int(width) if width > 1 && width <= 64)
    }

    fn width(&self, var: VarId) -> u8 {
        match self.program.vars[var].ty {
            Ty::Int(width) => width,
            _ => 64,
        }
    }

    fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].ty;
        self.program.exprs.var(var, ty)
    }

    fn add(&mut self, expr: ExprId) {
        let is_constant = self.program.exprs.as_int(expr).is_some();
        if !is_constant
            && self.list.len() < MAX_CANDIDATES
            && self.known.insert(expr)
            && !self.points.is_some_and(|it| it.refute(self.program, expr))
        {
            self.list.push(expr);
        }
    }

    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        let expr = self.program.exprs.binary(op, a, b);
        self.add(expr);
    }

    fn range(&mut self, var: VarId, range: Option<Interval>) {
        let Some(range) = range else { return };
        let (width, top) = (self.width(var), Interval::top(self.program.vars[var].ty));
        let it = self.var(var);
        if range.low > top.low {
            let low = self.program.exprs.int(width, range.low as u128);
            self.compare(BinOp::Sle, low, it);
        }
        if range.high < top.high {
            let high = self.program.exprs.int(width, range.high as u128);
            self.compare(BinOp::Sle, it, high);
        }
    }

    fn constants(&mut self, var: VarId) {
        let (width, it) = (self.width(var), self.var(var));
        let known = self.facts.constants.get(&var).cloned().unwrap_or_default();
        let is_signed = self.program.vars[var].is_signed;
        let mut near: BTreeSet<u128> = [0, 1].into();
        near.extend(known.iter().take(MAX_CONSTANTS));
        for value in near {
            let constant = self.program.exprs.int(width, value);
            self.compare(BinOp::Sle, it, constant);
            self.compare(BinOp::Sle, constant, it);
            self.compare(BinOp::Eq, it, constant);
            self.compare(BinOp::Ne, it, constant);
            if !is_signed {
                self.compare(BinOp::Ule, it, constant);
                self.compare(BinOp::Ule, constant, it);
            }
        }
        if let Some(values) = self.facts.values.get(&var).cloned() {
            let mut any = self.program.exprs.bool(false);
            for value in values {
                let constant = self.program.exprs.int(width, value);
                let here = self.program.exprs.binary(BinOp::Eq, it, constant);
                any = self.program.exprs.binary(BinOp::Or, any, here);
            }
            self.add(any);
        }
    }

    /// Remainders by what is added to it, and the low bits: arithmetic that wraps around keeps those.
    fn remainders(&mut self, var: VarId) {
        let (width, it) = (self.width(var), self.var(var));
        let mut moduli: BTreeSet<u128> = [2].into();
        let steps = self.facts.steps.get(&var).cloned().unwrap_or_default();
        moduli.extend(steps.into_iter().filter(|step| (2..=64).contains(step)));
        for modulus in moduli {
            for rest in 0..modulus.min(4) {
                let (by, rest) =
                    (self.program.exprs.int(width, modulus), self.program.exprs.int(width, rest));
                let remainder = self.program.exprs.binary(BinOp::URem, it, by);
                self.compare(BinOp::Eq, remainder, rest);
            }
        }
        let begins = self.facts.constants.get(&var).cloned().unwrap_or_default();
        let powers =
            self.facts.powers.iter().copied().filter(|power| (2..width.into()).contains(power));
        for power in powers.collect::<Vec<u32>>() {
            let mask = (1 << power) - 1;
            let rests: BTreeSet<u128> =
                begins.iter().take(MAX_CONSTANTS).map(|it| it & mask).chain([0]).collect();
            let mask = self.program.exprs.int(width, mask);
            let low = self.program.exprs.binary(BinOp::And, it, mask);
            for rest in rests {
                let rest = self.program.exprs.int(width, rest);
                self.compare(BinOp::Eq, low, rest);
            }
        }
    }

    /// The program's own comparisons, in all their variants.
    fn comparisons(&mut self, func: FuncId, changed: &[VarId]) {
        let Some(comparisons) = self.facts.comparisons.get(&func) else { return };
        for &(a, b) in comparisons {
            let mut is_changed = false;
            for side in [a, b] {
                self.program
                    .exprs
                    .for_each_var(side, &mut |it| is_changed |= changed.contains(&it));
            }
            if !is_changed {
                continue;
            }
            for op in [BinOp::Sle, BinOp::Slt, BinOp::Ule, BinOp::Ult] {
                self.compare(op, a, b);
                self.compare(op, b, a);
            }
            self.compare(BinOp::Eq, a, b);
            self.compare(BinOp::Ne, a, b);
        }
    }

    /// `x - y <= bound` as the range analysis knows it; where the difference may not fit, only orders.
    fn difference(&mut self, x: VarId, y: VarId, bound: i128) {
        if !self.is_guessed(x) || !self.is_guessed(y) {
            return;
        }
        let same = self.program.vars[x].ty == self.program.vars[y].ty;
        let (a, b) = (self.var(x), self.var(y));
        match bound {
            0 if same => self.compare(BinOp::Sle, a, b),
            -1 if same => self.compare(BinOp::Slt, a, b),
            _ if self.width(x).max(self.width(y)) <= 32 => {
                let [a, b] = [a, b].map(|it| self.program.exprs.resize(it, 64, true));
                let bound = self.program.exprs.int(64, bound as u128);
                let difference = self.program.exprs.binary(BinOp::Sub, a, b);
                self.compare(BinOp::Sle, difference, bound);
            }
            _ => {}
        }
    }

    fn pairs(&mut self, func: FuncId, changed: &[VarId]) {
        let mentioned = self.facts.mentioned.get(&func).cloned().unwrap_or_default();
        let others =
            mentioned.into_iter().filter(|it| self.is_guessed(*it) && !changed.contains(it));
        let all: Vec<VarId> = changed.iter().copied().take(MAX_PAIRED).chain(others).collect();
        let all = &all[..all.len().min(2 * MAX_PAIRED)];
        for (at, &a) in all.iter().enumerate().filter(|it| changed.contains(it.1)) {
            for &b in &all[at + 1..] {
                if self.program.vars[a].ty != self.program.vars[b].ty {
                    continue;
                }
                let (x, y) = (self.var(a), self.var(b));
                self.compare(BinOp::Eq, x, y);
                self.compare(BinOp::Sle, x, y);
                self.compare(BinOp::Sle, y, x);
                let is_signed = self.program.vars[a].is_signed && self.program.vars[b].is_signed;
                if !is_signed {
                    self.compare(BinOp::Ule, x, y);
                    self.compare(BinOp::Ule, y, x);
                }
                for factor in [2, 3] {
                    let factor = self.program.exprs.int(self.width(a), factor);
                    for (x, y) in [(x, y), (y, x)] {
                        let times = self.program.exprs.binary(BinOp::Mul, factor, y);
                        self.compare(BinOp::Eq, x, times);
                    }
                }
            }
        }
    }

    /// Of two registers that only take constants: not this one with that one.
    fn exclusions(&mut self, changed: &[VarId]) {
        let listed: Vec<(VarId, Vec<u128>)> = changed
            .iter()
            .filter_map(|var| {
                let values = self.facts.values.get(var)?;
                (values.len() > 1).then(|| (*var, values.iter().copied().collect()))
            })
            .collect();
        for (at, (a, a_values)) in listed.iter().enumerate() {
            for (b, b_values) in &listed[at + 1..] {
                if a_values.len() * b_values.len() > 200 {
                    continue;
                }
                for &x in a_values {
                    for &y in b_values {
                        let (left, right) = (self.is(*a, x), self.is(*b, y));
                        let both = self.program.exprs.binary(BinOp::And, left, right);
                        let not = self.program.exprs.unary(UnOp::Not, both);
                        self.add(not);
                    }
                }
            }
        }
    }

    fn is(&mut self, var: VarId, value: u128) -> ExprId {
        let (width, it) = (self.width(var), self.var(var));
        let constant = self.program.exprs.int(width, value);
        self.program.exprs.binary(BinOp::Eq, it, constant)
    }
}
