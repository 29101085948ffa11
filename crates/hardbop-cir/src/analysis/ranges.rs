//! The range of every register by intervals (Cousot 1977; FS section VI-A does it by linear
//! programming: intervals need no solver and take part in loops through widening).
//!
//! Values are read as two's complement, truth values as 0 and 1. Inside a function the analysis
//! follows the flow and uses the conditions of branches; between functions each parameter, result
//! and global register has one range for the whole program, the join over all places that write
//! it. Memory is not tracked: a load gives any value. Widening goes to the next constant of the
//! program (thresholds), then to the bounds of the type.
//!
//! Invariant: at the fixpoint every value a register takes in any execution lies in its range.

use hardbop_base::{Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::eval::{mask, signed};
use crate::expr::{BinOp, CastOp, Expr, ExprId, UnOp};
use crate::program::{BlockId, Callee, FuncId, Op, Program, Term, VarId};
use crate::ty::Ty;

/// `low..=high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    fn new(low: i128, high: i128) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    /// Every value of the type; that of pointers and floats is empty of meaning.
    pub fn top(ty: Ty) -> Interval {
        match ty {
            Ty::Int(1) => Interval { low: 0, high: 1 },
            Ty::Int(width) if width <= 126 => {
                Interval { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }
            }
            _ => Interval { low: i128::MIN, high: i128::MAX },
        }
    }

    fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    fn within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Bits that hold every value of the interval, as two's complement if one is negative.
    pub fn bits(self) -> u32 {
        let magnitude = |value: i128| {
            128 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() }
        };
        magnitude(self.low).max(magnitude(self.high)) + u32::from(self.low < 0)
    }
}

#[derive(Clone, Debug)]
pub struct Ranges {
    /// Over all of the program; `None` for registers that are never written.
    pub vars: IndexVec<VarId, Option<Interval>>,
    /// What is known at the start of each block that can be reached; registers not named have
    /// any value.
    pub entry: IndexVec<FuncId, IndexVec<BlockId, Option<State>>>,
}

/// Ranges of registers of one function.
pub type State = FxHashMap<VarId, Interval>;

/// Visits of a block before its state is widened, and before thresholds are given up.
const PATIENCE: u32 = 3;
const LAST_VISIT: u32 = 16;

impl Ranges {
    pub fn of(program: &Program) -> Ranges {
        let mut analysis = Analysis::new(program);
        analysis.run();
        analysis.result
    }

    /// Bits of all registers with a known range, before and after.
    pub fn saved_bits(&self, program: &Program) -> (u64, u64) {
        let (mut before, mut after) = (0, 0);
        for (id, var) in program.vars.iter_enumerated() {
            if let (Ty::Int(width), Some(range)) = (var.ty, self.vars[id]) {
                before += u64::from(width);
                after += u64::from(range.bits().min(u32::from(width)));
            }
        }
        (before, after)
    }
}

struct Analysis<'a> {
    program: &'a Program,
    result: Ranges,
    returns: IndexVec<FuncId, Option<Interval>>,
    /// Whether calls with these parameters can happen.
    called: IndexVec<FuncId, bool>,
    visits: FxHashMap<(FuncId, BlockId), u32>,
    global_visits: FxHashMap<VarId, u32>,
    /// Constants of the program, sorted.
    thresholds: Vec<i128>,
    /// Functions to look at again.
    todo: Vec<FuncId>,
    callers: IndexVec<FuncId, Vec<FuncId>>,
    readers: FxHashMap<VarId, Vec<FuncId>>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program) -> Self {
        let n = program.funcs.len();
        let mut analysis = Analysis {
            program,
            result: Ranges {
                vars: IndexVec::from_elem(None, program.vars.len()),
                entry: program
                    .funcs
                    .iter()
                    .map(|it| IndexVec::from_elem(None, it.blocks.len()))
                    .collect(),
            },
            returns: IndexVec::from_elem(None, n),
            called: IndexVec::from_elem(false, n),
            visits: FxHashMap::default(),
            global_visits: FxHashMap::default(),
            thresholds: Vec::new(),
            todo: Vec::new(),
            callers: IndexVec::from_elem(Vec::new(), n),
            readers: FxHashMap::default(),
        };
        analysis.prepare();
        analysis
    }

    fn prepare(&mut self) {
        let program = self.program;
        for at in 0..program.exprs.len() {
            if let Expr::Int { width, value } = program.exprs.get(ExprId::new(at)) {
                let value = signed(value, width);
                self.thresholds.extend([value, value.saturating_sub(1), value.saturating_add(1)]);
            }
        }
        self.thresholds.sort_unstable();
        self.thresholds.dedup();
        for (id, var) in program.vars.iter_enumerated() {
            if var.owner.is_none() {
                // Without a first value a global register starts as 0.
                let zero = Interval { low: 0, high: 0 };
                let first = var.init.map_or(zero, |init| self.eval(init, &State::default()));
                self.result.vars[id] = Some(first);
            }
        }
        let mut pointer_calls = Vec::new();
        for (func, _, inst) in program.insts() {
            match inst.op {
                Op::Call { callee: Callee::Func(callee), .. } => self.callers[callee].push(func),
                Op::Call { callee: Callee::Ptr(_), .. } => pointer_calls.push(func),
                _ => {}
            }
        }
        for (id, func) in program.funcs.iter_enumerated() {
            for block in &func.blocks {
                let operands = block
                    .insts
                    .iter()
                    .flat_map(|inst| inst.op.operands())
                    .chain(block.term.operands());
                for operand in operands {
                    program.exprs.for_each_var(operand, &mut |var| {
                        if program.vars[var].owner.is_none() {
                            self.readers.entry(var).or_default().push(id);
                        }
                    });
                }
            }
        }
        // Soundness: a call through a pointer may be one of any function, with any arguments.
        if !pointer_calls.is_empty() {
            for func in program.funcs.ids() {
                self.enter_with_anything(func);
            }
        }
        self.enter_with_anything(program.main);
    }

    fn enter_with_anything(&mut self, func: FuncId) {
        for &param in &self.program.funcs[func].params {
            self.result.vars[param] = Some(Interval::top(self.program.vars[param].ty));
        }
        self.called[func] = true;
        self.todo.push(func);
    }

    fn run(&mut self) {
        while let Some(func) = self.todo.pop() {
            self.func(func);
        }
    }

    /// Whether the range of a register grew.
    fn widen_var(&mut self, var: VarId, value: Interval) -> bool {
        let old = self.result.vars[var];
        let joined = old.map_or(value, |old| old.join(value));
        if old == Some(joined) {
            return false;
        }
        let visits = self.global_visits.entry(var).or_insert(0);
        *visits += 1;
        let wide = match old {
            Some(_) if *visits > LAST_VISIT => Interval::top(self.program.vars[var].ty),
            Some(old) if *visits > PATIENCE => self.widen(old, joined, self.program.vars[var].ty),
            _ => joined,
        };
        self.result.vars[var] = Some(wide);
        true
    }

    /// To the next threshold in the direction of growth.
    fn widen(&self, old: Interval, new: Interval, ty: Ty) -> Interval {
        let top = Interval::top(ty);
        let mut wide = new;
        if new.low < old.low {
            let at = self.thresholds.partition_point(|&it| it <= new.low);
            wide.low = at.checked_sub(1).map_or(top.low, |at| self.thresholds[at].max(top.low));
        }
        if new.high > old.high {
            let at = self.thresholds.partition_point(|&it| it < new.high);
            wide.high = self.thresholds.get(at).map_or(top.high, |&it| it.min(top.high));
        }
        wide
    }

    fn func(&mut self, id: FuncId) {
        let func = &self.program.funcs[id];
        let mut start = State::default();
        for &param in &func.params {
            if let Some(range) = self.result.vars[param] {
                start.insert(param, range);
            }
        }
        // The ranges of parameters grew: everything is looked at once more from the start.
        let mut queue = std::collections::BTreeSet::from([BlockId::new(0)]);
        self.result.entry[id][BlockId::new(0)] =
            Some(match self.result.entry[id][BlockId::new(0)].take() {
                Some(old) => join_states(&old, &start),
                None => start,
            });
        queue.extend(func.blocks.ids().filter(|&block| self.result.entry[id][block].is_some()));
        while let Some(block) = queue.pop_first() {
            let Some(mut state) = self.result.entry[id][block].clone() else { continue };
            let it = &func.blocks[block];
            let alive = it.insts.iter().all(|inst| self.inst(id, &inst.op, &mut state));
            if !alive {
                continue;
            }
            for (to, state) in self.leave(id, &it.term, state) {
                if self.arrive(id, to, state) {
                    queue.insert(to);
                }
            }
        }
    }

    fn arrive(&mut self, func: FuncId, to: BlockId, state: State) -> bool {
        let Some(old) = &self.result.entry[func][to] else {
            self.result.entry[func][to] = Some(state);
            return true;
        };
        if old.iter().all(|(var, range)| state.get(var).is_some_and(|it| it.within(*range))) {
            return false;
        }
        let mut joined = join_states(old, &state);
        let visits = self.visits.entry((func, to)).or_insert(0);
        *visits += 1;
        if *visits > PATIENCE {
            let old = old.clone();
            let is_last = *visits > LAST_VISIT;
            for (var, range) in joined.iter_mut() {
                let ty = self.program.vars[*var].ty;
                *range = match is_last && *range != old[var] {
                    true => Interval::top(ty),
                    false => self.widen(old[var], *range, ty),
                };
            }
            joined.retain(|var, range| *range != Interval::top(self.program.vars[*var].ty));
        }
        self.result.entry[func][to] = Some(joined);
        true
    }

    fn leave(&mut self, id: FuncId, term: &Term, state: State) -> Vec<(BlockId, State)> {
        match term {
            Term::Goto(to) => vec![(*to, state)],
            Term::Branch { cond, yes, no } => {
                let mut ways = Vec::new();
                for (to, holds) in [(*yes, true), (*no, false)] {
                    let mut state = state.clone();
                    if self.refine(*cond, holds, &mut state) {
                        ways.push((to, state));
                    }
                }
                ways
            }
            Term::Switch { cases, default, .. } => {
                let targets = cases.iter().map(|it| it.1).chain([*default]);
                targets.map(|to| (to, state.clone())).collect()
            }
            Term::Return(Some(value)) => {
                let value = self.eval(*value, &state);
                let joined = self.returns[id].map_or(value, |old| old.join(value));
                if self.returns[id] != Some(joined) {
                    let ty = self.program.funcs[id].result.unwrap_or(Ty::Ptr);
                    let wide = self.returns[id].map_or(joined, |old| self.widen(old, joined, ty));
                    self.returns[id] = Some(wide);
                    self.todo.extend(self.callers[id].iter().filter(|it| self.called[**it]));
                }
                Vec::new()
            }
            Term::Return(None) | Term::Stop(_) => Vec::new(),
        }
    }

    /// Whether execution can go on.
    fn inst(&mut self, func: FuncId, op: &Op, state: &mut State) -> bool {
        match op {
            Op::Set { dst, value } => {
                let value = self.eval(*value, state);
                self.set(func, *dst, value, state);
            }
            Op::Assume { cond } => return self.refine(*cond, true, state),
            Op::Check { check, cond: crate::check::Cond::Holds(cond) }
                if self.program.checks[*check].is_fatal() =>
            {
                return self.refine(*cond, true, state);
            }
            Op::Call { dst, callee, args } => {
                let value = match callee {
                    Callee::Func(callee) => {
                        self.call(*callee, args, state);
                        // Not known to return yet: the caller is looked at again when it does.
                        if self.program.funcs[*callee].result.is_some()
                            && self.returns[*callee].is_none()
                        {
                            return false;
                        }
                        self.returns[*callee]
                    }
                    Callee::Ptr(_) => dst.map(|dst| Interval::top(self.program.vars[dst].ty)),
                };
                if let (Some(dst), Some(value)) = (dst, value) {
                    self.set(func, *dst, value, state);
                }
            }
            _ => {
                if let Some(dst) = op.dst() {
                    let value = Interval::top(self.program.vars[dst].ty);
                    self.set(func, dst, value, state);
                }
            }
        }
        true
    }

    fn call(&mut self, callee: FuncId, args: &[ExprId], state: &State) {
        let params = self.program.funcs[callee].params.clone();
        let mut grew = !std::mem::replace(&mut self.called[callee], true);
        for (&param, &arg) in params.iter().zip(args) {
            let value = self.eval(arg, state);
            grew |= self.widen_var(param, value);
        }
        if grew && !self.todo.contains(&callee) {
            self.todo.push(callee);
        }
    }

    fn set(&mut self, func: FuncId, dst: VarId, value: Interval, state: &mut State) {
        let is_global = self.program.vars[dst].owner.is_none();
        let grew = self.widen_var(dst, value);
        if is_global {
            if grew {
                let readers = self.readers.get(&dst).cloned().unwrap_or_default();
                let again = readers.into_iter().chain([func]).filter(|it| self.called[*it]);
                let again: Vec<FuncId> = again.filter(|it| !self.todo.contains(it)).collect();
                self.todo.extend(again);
            }
        } else {
            state.insert(dst, value);
        }
    }

    fn var(&self, var: VarId, state: &State) -> Interval {
        let top = Interval::top(self.program.vars[var].ty);
        match self.program.vars[var].owner {
            None => self.result.vars[var].unwrap_or(top),
            Some(_) => state.get(&var).copied().unwrap_or(top),
        }
    }

    /// The front end bounds how deep expressions are.
    fn eval(&self, id: ExprId, state: &State) -> Interval {
        let pool = &self.program.exprs;
        let ty = pool.ty(id);
        let top = Interval::top(ty);
        let Ty::Int(width) = ty else { return top };
        let fits = |low: Option<i128>, high: Option<i128>| match (low, high) {
            (Some(low), Some(high)) => {
                Interval::new(low, high).filter(|it| it.within(top)).unwrap_or(top)
            }
            _ => top,
        };
        match pool.get(id) {
            Expr::Int { value, .. } if width == 1 => {
                Interval { low: value as i128, high: value as i128 }
            }
            Expr::Int { value, .. } => {
                let value = signed(value, width);
                Interval { low: value, high: value }
            }
            Expr::Var(var) => self.var(var, state),
            Expr::Unary(UnOp::Neg, a) if width > 1 => {
                let a = self.eval(a, state);
                fits(a.high.checked_neg(), a.low.checked_neg())
            }
            Expr::Unary(UnOp::Not, a) if width > 1 => {
                let a = self.eval(a, state);
                fits(Some(!a.high), Some(!a.low))
            }
            Expr::Binary(op, a, b) if width > 1 => {
                let (a, b) = (self.eval(a, state), self.eval(b, state));
                match op {
                    BinOp::Add => fits(a.low.checked_add(b.low), a.high.checked_add(b.high)),
                    BinOp::Sub => fits(a.low.checked_sub(b.high), a.high.checked_sub(b.low)),
                    BinOp::Mul => {
                        let products =
                            [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
                        let products: Option<Vec<i128>> =
                            products.iter().map(|(x, y)| x.checked_mul(*y)).collect();
                        products.map_or(top, |it| {
                            fits(it.iter().min().copied(), it.iter().max().copied())
                        })
                    }
                    // Of two numbers the smaller one without a sign bounds the result.
                    BinOp::And if a.low >= 0 && b.low >= 0 => {
                        Interval { low: 0, high: a.high.min(b.high) }
                    }
                    BinOp::And if b.low >= 0 => Interval { low: 0, high: b.high },
                    BinOp::And if a.low >= 0 => Interval { low: 0, high: a.high },
                    BinOp::URem if b.low > 0 => Interval { low: 0, high: b.high - 1 },
                    BinOp::SRem if b.low > 0 && a.low >= 0 => {
                        Interval { low: 0, high: (b.high - 1).min(a.high) }
                    }
                    BinOp::SRem if b.low > 0 => Interval { low: 1 - b.high, high: b.high - 1 },
                    BinOp::UDiv | BinOp::SDiv if b.low > 0 && a.low >= 0 => {
                        Interval { low: a.low / b.high, high: a.high / b.low }
                    }
                    BinOp::LShr | BinOp::AShr if a.low >= 0 => Interval { low: 0, high: a.high },
                    _ => top,
                }
            }
            Expr::Cast(op, _, a) => self.eval_cast(op, a, state, top),
            Expr::Ite(_, a, b) => self.eval(a, state).join(self.eval(b, state)),
            _ => top,
        }
    }

    fn eval_cast(&self, op: CastOp, a: ExprId, state: &State, top: Interval) -> Interval {
        let Ty::Int(from) = self.program.exprs.ty(a) else { return top };
        let range = self.eval(a, state);
        match op {
            CastOp::Zext if range.low >= 0 => range,
            CastOp::Zext if from <= 126 => Interval { low: 0, high: mask(from) as i128 },
            // A truth value of 1 is -1 when its sign is extended.
            CastOp::Sext if from == 1 => Interval { low: -range.high, high: -range.low },
            CastOp::Sext => range,
            CastOp::Trunc if top.high > 1 && range.within(top) => range,
            _ => top,
        }
    }

    /// Cuts the state by a condition; `false` if it cannot hold.
    fn refine(&self, cond: ExprId, holds: bool, state: &mut State) -> bool {
        let pool = &self.program.exprs;
        match pool.get(cond) {
            Expr::Int { value, .. } => (value != 0) == holds,
            Expr::Unary(UnOp::Not, a) => self.refine(a, !holds, state),
            Expr::Binary(BinOp::And, a, b) if holds && pool.ty(cond) == Ty::BOOL => {
                self.refine(a, true, state) && self.refine(b, true, state)
            }
            Expr::Binary(BinOp::Or, a, b) if !holds && pool.ty(cond) == Ty::BOOL => {
                self.refine(a, false, state) && self.refine(b, false, state)
            }
            Expr::Binary(op, a, b) if matches!(pool.ty(a), Ty::Int(width) if width > 1) => {
                let (x, y) = (self.eval(a, state), self.eval(b, state));
                let unsigned_as_signed = x.low >= 0 && y.low >= 0;
                let below = |it: i128| Interval { low: i128::MIN, high: it };
                let above = |it: i128| Interval { low: it, high: i128::MAX };
                let (left, right) = match (op, holds) {
                    (BinOp::Slt, true) => {
                        (below(y.high.saturating_sub(1)), above(x.low.saturating_add(1)))
                    }
                    (BinOp::Slt, false) => (above(y.low), below(x.high)),
                    (BinOp::Sle, true) => (below(y.high), above(x.low)),
                    (BinOp::Sle, false) => {
                        (above(y.low.saturating_add(1)), below(x.high.saturating_sub(1)))
                    }
                    // `x <u n` with n not negative leaves 0..n-1, whatever x was.
                    (BinOp::Ult, true) if y.low >= 0 => {
                        (Interval { low: 0, high: y.high.saturating_sub(1) }, above(i128::MIN))
                    }
                    (BinOp::Ule, true) if y.low >= 0 => {
                        (Interval { low: 0, high: y.high }, above(i128::MIN))
                    }
                    (BinOp::Ult, false) if unsigned_as_signed => (above(y.low), below(x.high)),
                    (BinOp::Ule, false) if unsigned_as_signed => {
                        (above(y.low.saturating_add(1)), below(x.high.saturating_sub(1)))
                    }
                    (BinOp::Eq, true) | (BinOp::Ne, false) => (y, x),
                    _ => return true,
                };
                self.cut(a, left, state) && self.cut(b, right, state)
            }
            _ => true,
        }
    }

    /// Meets the range of a register, through extensions that keep its value.
    fn cut(&self, expr: ExprId, range: Interval, state: &mut State) -> bool {
        match self.program.exprs.get(expr) {
            Expr::Var(var) if self.program.vars[var].owner.is_some() => {
                match self.var(var, state).meet(range) {
                    Some(met) => {
                        state.insert(var, met);
                        true
                    }
                    None => false,
                }
            }
            Expr::Cast(CastOp::Sext, _, a) if self.program.exprs.ty(a) != Ty::BOOL => {
                self.cut(a, range, state)
            }
            _ => self.eval(expr, state).meet(range).is_some(),
        }
    }
}

fn join_states(a: &State, b: &State) -> State {
    a.iter().filter_map(|(var, x)| b.get(var).map(|y| (*var, x.join(*y)))).collect()
}
