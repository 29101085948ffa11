//! Functions are looked at again while what they are given, read or return grows; the blocks of
//! a function while their first state grows.

use hardbop_base::{Bits, Idx, IndexVec};
use rustc_hash::FxHashMap;

use super::super::liveness::live_in;
use super::transfer::{self, Facts};
use super::{Differences, Interval, Ranges, State};
use crate::eval::signed;
use crate::expr::{Expr, ExprId};
use crate::program::{BlockId, Callee, FuncId, Op, Program, Term, VarId};
use crate::ty::Ty;

/// Visits of a block before its state is widened, and before thresholds are given up.
const PATIENCE: u32 = 3;
const LAST_VISIT: u32 = 16;

pub(super) fn analyse(program: &Program) -> Ranges {
    let mut analysis = Analysis::new(program);
    analysis.run();
    analysis.result
}

pub(super) struct Analysis<'a> {
    pub program: &'a Program,
    pub result: Ranges,
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
    /// Registers that blocks may find with a value, for each function looked at.
    live: IndexVec<FuncId, Option<IndexVec<BlockId, Bits>>>,
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
                differences: program
                    .funcs
                    .iter()
                    .map(|it| IndexVec::from_elem(Differences::default(), it.blocks.len()))
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
            live: IndexVec::from_elem(None, n),
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
                let first = var.init.map_or(zero, |init| self.eval(init, &Facts::default()));
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
        if self.live[id].is_none() {
            self.live[id] = Some(live_in(self.program, func));
        }
        queue.extend(func.blocks.ids().filter(|&block| self.result.entry[id][block].is_some()));
        while let Some(block) = queue.pop_first() {
            let Some(ranges) = self.result.entry[id][block].clone() else { continue };
            let differences = self.result.differences[id][block].clone();
            let mut state = Facts { ranges, differences };
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

    /// Whether what is known at the start of a block became less.
    fn arrive(&mut self, func: FuncId, to: BlockId, mut state: Facts) -> bool {
        if let Some(live) = &self.live[func] {
            // What nobody reads any more would make states as long as functions.
            state.differences.retain(|var| live[to].contains(var.index()));
            state.ranges.retain(|var, _| live[to].contains(var.index()));
        }
        let Some(old) = &self.result.entry[func][to] else {
            self.result.entry[func][to] = Some(state.ranges);
            self.result.differences[func][to] = state.differences;
            return true;
        };
        let old_differences = &self.result.differences[func][to];
        let is_covered = |(x, y, bound)| state.at_most(x, y).is_some_and(|it| it <= bound);
        if old.iter().all(|(var, range)| state.ranges.get(var).is_some_and(|it| it.within(*range)))
            && old_differences.iter().all(is_covered)
        {
            return false;
        }
        let mut joined = join_states(old, &state.ranges);
        let mut differences = old_differences.join(
            &state.differences,
            |x, y| transfer::apart(old, x, y),
            |x, y| transfer::apart(&state.ranges, x, y),
        );
        let visits = self.visits.entry((func, to)).or_insert(0);
        *visits += 1;
        if *visits > PATIENCE {
            let old = old.clone();
            let is_last = *visits > LAST_VISIT;
            differences.keep_stable(old_differences);
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
        self.result.differences[func][to] = differences;
        true
    }

    fn leave(&mut self, id: FuncId, term: &Term, state: Facts) -> Vec<(BlockId, Facts)> {
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
            Term::Switch { value, cases, default } => {
                let mut ways = vec![(*default, state.clone())];
                for &(case, to) in cases {
                    let mut state = state.clone();
                    if self.refine_case(*value, case, &mut state) {
                        ways.push((to, state));
                    }
                }
                ways
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
    fn inst(&mut self, func: FuncId, op: &Op, state: &mut Facts) -> bool {
        match op {
            Op::Set { dst, value } => {
                let (range, sum) = (self.eval(*value, state), self.linear(*value, state));
                self.set(func, *dst, range, state);
                if let Some((var, by)) = sum.filter(|_| self.has_differences(*dst)) {
                    state.differences.assign(*dst, var, by);
                } else {
                    state.differences.forget(*dst);
                }
                return true;
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
                    state.differences.forget(*dst);
                }
            }
            _ => {
                if let Some(dst) = op.dst() {
                    let value = Interval::top(self.program.vars[dst].ty);
                    self.set(func, dst, value, state);
                    state.differences.forget(dst);
                }
            }
        }
        true
    }

    fn call(&mut self, callee: FuncId, args: &[ExprId], state: &Facts) {
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

    fn set(&mut self, func: FuncId, dst: VarId, value: Interval, state: &mut Facts) {
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
            state.ranges.insert(dst, value);
        }
    }
}

fn join_states(a: &State, b: &State) -> State {
    a.iter().filter_map(|(var, x)| b.get(var).map(|y| (*var, x.join(*y)))).collect()
}
