//! From cut to cut: the paths of a thread between two places where others may move.
//!
//! A path does what the instructions say, on terms. It ends before the second access to what others can see, where it comes
//! round to a place again, where a check fails, and where the thread ends.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Span};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{
    BlockId, Callee, Class, Cond, ExprId, FuncId, Inst, ObjId, Op, Program, Stop, Term, Ty,
    VarId as Register,
};
use hardbop_smt::{Solver, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::model::{
    Cut, CutId, Frame, FrameId, Instance, Meaning, Place, RoleId, Start, Step, Target, Var,
};
use crate::names::Naming;
use crate::terms::{FIRST_FUNC, Names, parts, term, width};

/// More paths than this are not followed.
const MAX_PATHS: usize = 3_000;
const MAX_FRAMES: usize = 600;

/// What earlier passes have found out. Each is checked again by the last pass.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Registers that are only ever given one constant.
    pub constants: BTreeMap<Var, TermId>,
    /// Who accesses a cell.
    pub accesses: BTreeMap<Var, BTreeSet<RoleId>>,
    /// Instructions that start a thread and may do so again.
    pub again: BTreeSet<(FrameId, BlockId, usize)>,
    /// Numbers of threads, where all are started once and in one order.
    pub numbers: BTreeMap<RoleId, u128>,
    /// Those that there are.
    pub roles: BTreeSet<RoleId>,
    /// Objects whose contents are not followed: what is read from them is arbitrary.
    pub vague: BTreeSet<ObjId>,
    /// Constants are known as far as they will be. Before that, where an access goes is not asked.
    pub is_settled: bool,
}

/// What a pass sees.
#[derive(Default)]
pub struct Seen {
    /// `None` if different values, or no constants.
    pub assigned: BTreeMap<Var, Option<TermId>>,
    pub accesses: BTreeMap<Var, BTreeSet<RoleId>>,
    pub starts: BTreeSet<(FrameId, BlockId, usize)>,
    pub roles: BTreeSet<RoleId>,
    pub vague: BTreeSet<ObjId>,
}

pub struct Walker<'a, 'n> {
    pub naming: &'n mut Naming<'a>,
    pub program: &'a Program,
    pub classes: &'a [Class],
    pub facts: &'n Facts,
    pub points_to: &'n PointsTo,
    /// Whether a thread that goes wrong is told from the others that run its function.
    pub watches: bool,
    pub solver: &'n mut Solver,
    pub budget: &'n Budget,
    pub seen: Seen,
    pub cuts: hardbop_base::IndexVec<CutId, Cut>,
    pub steps: Vec<Step>,
    pub entries: FxHashMap<RoleId, CutId>,
    by_place: FxHashMap<Place, CutId>,
    todo: Vec<CutId>,
    n_paths: usize,
    pub gave_up: Option<(String, Span)>,
}

#[derive(Clone)]
pub(crate) struct Path {
    pub from: CutId,
    pub role: RoleId,
    pub at: Place,
    pub guard: TermId,
    pub values: BTreeMap<Var, TermId>,
    pub has_accessed: bool,
    /// Others can see something of it.
    pub is_seen: bool,
    pub starts: Vec<RoleId>,
    pub n_steps: u64,
    pub n_alone: Option<u64>,
    pub asked: Vec<TermId>,
    pub visited: BTreeSet<Place>,
    pub span: Span,
}

/// Where an access may go.
pub(crate) enum Reach {
    /// Under these conditions, of which one holds where the access is valid; no cell is one of what is not followed.
    Cells(Vec<(TermId, Option<Var>)>),
    Unknown,
}

/// The expressions of a path.
struct At<'p, 'a, 'n> {
    naming: &'p mut Naming<'a>,
    facts: &'n Facts,
    path: &'p Path,
}

impl Names for At<'_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.naming.terms
    }

    fn ptr_bits(&self) -> u8 {
        self.naming.program.ptr_bits
    }

    fn var(&mut self, register: Register) -> TermId {
        let var = self.naming.register(self.path.at.frame, register);
        let known = self.path.values.get(&var).or_else(|| self.facts.constants.get(&var));
        known.copied().unwrap_or(self.naming.vars[var].term)
    }

    fn object(&mut self, object: ObjId) -> u128 {
        let instance = instance(self.naming, self.path.at.frame, object);
        self.naming.number(instance)
    }

    fn fresh(&mut self, width: u32) -> TermId {
        self.naming.terms.var("any", width)
    }
}

pub(crate) fn instance(naming: &Naming<'_>, frame: FrameId, object: ObjId) -> Instance {
    match naming.program.objects[object].kind {
        hardbop_cir::ObjKind::Global => Instance::Global(object),
        _ => Instance::Local(frame, object),
    }
}

impl<'a, 'n> Walker<'a, 'n> {
    pub fn new(
        naming: &'n mut Naming<'a>,
        classes: &'a [Class],
        (facts, points_to): (&'n Facts, &'n PointsTo),
        watches: bool,
        solver: &'n mut Solver,
        budget: &'n Budget,
    ) -> Self {
        Walker {
            program: naming.program,
            naming,
            classes,
            facts,
            points_to,
            watches,
            solver,
            budget,
            seen: Seen::default(),
            cuts: hardbop_base::IndexVec::new(),
            steps: Vec::new(),
            entries: FxHashMap::default(),
            by_place: FxHashMap::default(),
            todo: Vec::new(),
            n_paths: 0,
            gave_up: None,
        }
    }

    /// All steps of all roles.
    pub fn walk(&mut self) {
        let main = self.naming.role(Start::Main, self.program.main);
        self.enter(main);
        while let Some(cut) = self.todo.pop() {
            if self.gave_up.is_some() || self.budget.check().is_err() {
                return;
            }
            self.explore(cut);
        }
    }

    fn give_up(&mut self, why: impl Into<String>, span: Span) {
        self.gave_up.get_or_insert((why.into(), span));
    }

    /// Where the role begins: a cut of its own, whose only step gives variables their first values.
    pub(crate) fn enter(&mut self, role: RoleId) {
        if !self.seen.roles.insert(role) {
            return;
        }
        let frame = self.naming.roles[role].frame;
        let func = &self.program.funcs[self.naming.roles[role].func];
        let span = func.span.unwrap_or_default();
        let entry = self.cuts.push(Cut { role, place: None, span });
        self.entries.insert(role, entry);
        let at = Place { frame, block: BlockId::from_u32(0), at: 0, atomic: None };
        let to = self.cut(at, span);
        let is_main = self.naming.roles[role].start == Start::Main;
        let mut updates = Vec::new();
        for (id, info) in self.program.vars.iter_enumerated() {
            if info.owner.is_none() {
                let var = self.naming.var(Meaning::Own(role, id));
                let value = info.init.map(|init| self.first(init));
                let value = value.unwrap_or_else(|| self.fresh(self.naming.vars[var].width));
                self.assign(var, value);
                updates.push((var, value));
            }
        }
        for &param in &func.params {
            let var = self.naming.register(frame, param);
            let width = self.naming.vars[var].width;
            if is_main {
                let zero = self.naming.terms.constant(width, 0);
                self.assign(var, zero);
                updates.push((var, zero));
            } else if self.naming.roles[role].is_many() {
                let any = self.fresh(width);
                self.assign(var, any);
                updates.push((var, any));
            }
        }
        // Soundness: a register that is read before it is set has any value, so it is no constant.
        for at in live_in(self.program, func)[BlockId::from_u32(0)].iter() {
            let register = Register::from_u32(at as u32);
            if self.program.vars[register].owner.is_some() && !func.params.contains(&register) {
                let var = self.naming.register(frame, register);
                let any = self.fresh(self.naming.vars[var].width);
                self.assign(var, any);
            }
        }
        let guard = self.naming.terms.bool(true);
        self.steps.push(Step {
            from: entry,
            to: Target::Cut(to),
            guard,
            updates,
            starts: Vec::new(),
            n_steps: 0,
            n_alone: 0,
            asked: Vec::new(),
            span,
        });
    }

    fn first(&mut self, init: ExprId) -> TermId {
        struct Constants<'p, 'a>(&'p mut Naming<'a>);
        impl Names for Constants<'_, '_> {
            fn terms(&mut self) -> &mut Terms {
                &mut self.0.terms
            }
            fn ptr_bits(&self) -> u8 {
                self.0.program.ptr_bits
            }
            fn var(&mut self, _: Register) -> TermId {
                unreachable!("first values mention no register")
            }
            fn object(&mut self, object: ObjId) -> u128 {
                self.0.number(Instance::Global(object))
            }
            fn fresh(&mut self, width: u32) -> TermId {
                self.0.terms.var("any", width)
            }
        }
        term(&mut Constants(self.naming), &self.program.exprs, init)
    }

    pub(crate) fn cut(&mut self, place: Place, span: Span) -> CutId {
        if let Some(&cut) = self.by_place.get(&place) {
            return cut;
        }
        let role = self.naming.frames[place.frame].role;
        let cut = self.cuts.push(Cut { role, place: Some(place), span });
        self.by_place.insert(place, cut);
        self.todo.push(cut);
        cut
    }

    fn explore(&mut self, from: CutId) {
        let Cut { role, place: Some(at), span } = self.cuts[from] else { return };
        let guard = self.naming.terms.bool(true);
        let first = Path {
            from,
            role,
            at,
            guard,
            values: BTreeMap::new(),
            has_accessed: false,
            is_seen: false,
            starts: Vec::new(),
            n_steps: 0,
            n_alone: None,
            asked: Vec::new(),
            visited: if at.at == 0 { BTreeSet::from([at]) } else { BTreeSet::new() },
            span,
        };
        let mut paths = vec![first];
        while let Some(path) = paths.pop() {
            self.n_paths += 1;
            if self.n_paths > MAX_PATHS || self.naming.frames.len() > MAX_FRAMES {
                return self.give_up("the paths between accesses of threads are too many", span);
            }
            self.follow(path, &mut paths);
            if self.gave_up.is_some() {
                return;
            }
        }
    }

    fn follow(&mut self, mut path: Path, paths: &mut Vec<Path>) {
        loop {
            if self.naming.terms.as_const(path.guard) == Some(0) {
                return;
            }
            let func = &self.program.funcs[self.naming.frames[path.at.frame].func];
            let block = &func.blocks[path.at.block];
            let goes_on = match block.insts.get(path.at.at) {
                Some(inst) => {
                    path.span = inst.span;
                    if self.ends_before(&path, &inst.op) {
                        let to = self.cut(path.at, inst.span);
                        return self.finish(path, Target::Cut(to));
                    }
                    path.n_steps += 1;
                    self.inst(path, inst, paths)
                }
                None => {
                    path.span = block.span;
                    if self.is_end(&path, &block.term)
                        && path.has_accessed
                        && path.at.atomic.is_none()
                    {
                        let to = self.cut(path.at, block.span);
                        return self.finish(path, Target::Cut(to));
                    }
                    path.n_steps += 1;
                    self.term(path, &block.term, block.span, paths)
                }
            };
            match goes_on {
                Some(next) => path = next,
                None => return,
            }
        }
    }

    pub(crate) fn finish(&mut self, path: Path, to: Target) {
        let n_alone = path.n_alone.unwrap_or(path.n_steps);
        let updates = path.values.into_iter().collect();
        let Path { from, guard, starts, n_steps, asked, span, .. } = path;
        self.steps.push(Step { from, to, guard, updates, starts, n_steps, n_alone, asked, span });
    }

    /// The thread moves no more; what others have seen of it counts.
    pub(crate) fn stuck(&mut self, path: Path) {
        if path.is_seen && self.naming.terms.as_const(path.guard) != Some(0) {
            self.finish(path, Target::Ended);
        }
    }

    pub(crate) fn eval(&mut self, path: &Path, expr: ExprId) -> TermId {
        let mut at = At { naming: self.naming, facts: self.facts, path };
        term(&mut at, &self.program.exprs, expr)
    }

    pub(crate) fn fresh(&mut self, width: u32) -> TermId {
        self.naming.terms.var("any", width)
    }

    pub(crate) fn value(&self, path: &Path, var: Var) -> TermId {
        let known = path.values.get(&var).or_else(|| self.facts.constants.get(&var));
        known.copied().unwrap_or(self.naming.vars[var].term)
    }

    /// Notes what a register is given.
    pub(crate) fn assign(&mut self, var: Var, value: TermId) {
        let constant = self.naming.terms.as_const(value).map(|_| value);
        let known = self.seen.assigned.entry(var).or_insert(constant);
        if *known != constant {
            *known = None;
        }
    }

    pub(crate) fn set(&mut self, path: &mut Path, register: Register, value: TermId) {
        let var = self.naming.register(path.at.frame, register);
        self.assign(var, value);
        path.values.insert(var, value);
    }

    pub(crate) fn set_any(&mut self, path: &mut Path, register: Register) -> TermId {
        let any = self.fresh(width(self.program.vars[register].ty, self.program.ptr_bits));
        self.set(path, register, any);
        any
    }

    /// Whether others can tell when the instruction is executed, and the path has done such a thing before.
    fn ends_before(&mut self, path: &Path, op: &Op) -> bool {
        if !path.has_accessed || path.at.atomic.is_some() {
            return false;
        }
        self.is_point(path, op)
    }

    pub(crate) fn unsupported(&mut self, path: Path, what: impl Into<String>) -> Option<Path> {
        let to = Target::Unsupported(what.into(), path.span);
        self.finish(path, to);
        None
    }

    /// Does the instruction; `None` if the path ends.
    fn inst(&mut self, mut path: Path, inst: &Inst, paths: &mut Vec<Path>) -> Option<Path> {
        let is_point = self.is_point(&path, &inst.op);
        path.has_accessed |= is_point;
        let ptr_bits = self.program.ptr_bits;
        match &inst.op {
            Op::Set { dst, value } => {
                let value = self.eval(&path, *value);
                self.set(&mut path, *dst, value);
            }
            Op::Nondet { dst, source } => {
                let any = self.set_any(&mut path, *dst);
                let is_external = matches!(source, hardbop_cir::Source::External(_));
                if !(is_external && self.program.vars[*dst].ty == Ty::Ptr) {
                    path.asked.push(any);
                }
            }
            Op::Load { dst, ptr } => {
                let ty = self.program.vars[*dst].ty;
                let size = ty.bytes(ptr_bits);
                let Reach::Cells(cells) = self.reach(&path, *ptr, size, ty == Ty::Ptr) else {
                    return self.unsupported(path, "a read from a place that is not known");
                };
                path = self.valid(path, &cells);
                let &(_, last) = cells.last()?;
                if matches!(ty, Ty::Float(_)) {
                    self.set_any(&mut path, *dst);
                } else {
                    let mut value = self.content(&path, last, ty);
                    for &(cond, var) in cells.iter().rev().skip(1) {
                        let here = self.content(&path, var, ty);
                        value = self.naming.terms.ite(cond, here, value);
                    }
                    self.set(&mut path, *dst, value);
                }
            }
            Op::Store { ptr, value } => {
                let ty = self.program.exprs.ty(*value);
                let size = ty.bytes(ptr_bits);
                let Reach::Cells(cells) = self.reach(&path, *ptr, size, ty == Ty::Ptr) else {
                    return self.unsupported(path, "a write to a place that is not known");
                };
                let value = self.eval(&path, *value);
                path = self.valid(path, &cells);
                path.is_seen |= cells.iter().any(|it| it.1.is_none());
                for (cond, var) in cells {
                    let Some(var) = var else { continue };
                    let wide = self.naming.vars[var].width;
                    let value = match ty {
                        Ty::Float(_) => self.fresh(wide),
                        _ => self.naming.terms.zero_extend(value, wide),
                    };
                    let old = self.value(&path, var);
                    let new = self.naming.terms.ite(cond, value, old);
                    path.values.insert(var, new);
                    path.is_seen |= !self.is_private(path.role, var);
                }
            }
            Op::Fill { dst, byte, size } => {
                let (dst, byte) = (self.eval(&path, *dst), self.eval(&path, *byte));
                let size = self.eval(&path, *size);
                let Some((instance, from, to)) = self.run_of_bytes(dst, size) else {
                    return self.filled_somewhere(path, inst);
                };
                let cells = self.naming.cells.get(&instance).cloned().unwrap_or_default();
                for cell in cells {
                    let end = cell.offset + cell.size;
                    if end <= from || cell.offset >= to {
                        continue;
                    }
                    let is_zero = self.naming.terms.as_const(byte) == Some(0);
                    let var = self.naming.cell(cell);
                    self.seen.accesses.entry(var).or_default().insert(path.role);
                    let wide = self.naming.vars[var].width;
                    let is_whole = cell.offset >= from && end <= to;
                    let value = match is_zero && is_whole {
                        true => self.naming.terms.constant(wide, 0),
                        false => self.fresh(wide),
                    };
                    path.values.insert(var, value);
                }
                path.is_seen = true;
            }
            Op::Copy { dst, .. } | Op::Repeat { dst, .. } | Op::Havoc { ptr: dst } => {
                // What was written is not followed.
                let targets = self.points_to.accessed(self.program, *dst);
                if targets.is_unknown {
                    return self.unsupported(path, "a write to a place that is not known");
                }
                self.seen.vague.extend(targets.objects);
                path.is_seen = true;
            }
            // Which instance it is makes no difference: nothing in them is followed.
            Op::Alloc { dst, object, .. } => {
                self.seen.vague.insert(*object);
                self.set_any(&mut path, *dst);
            }
            Op::Size { dst, .. } => drop(self.set_any(&mut path, *dst)),
            Op::Free { .. } => {}
            Op::Enter { object, size } => {
                if size.is_some() {
                    self.seen.vague.insert(*object);
                }
                let instance = instance(self.naming, path.at.frame, *object);
                for cell in self.naming.cells.get(&instance).cloned().unwrap_or_default() {
                    let var = self.naming.cell(cell);
                    let any = self.fresh(self.naming.vars[var].width);
                    path.values.insert(var, any);
                    path.is_seen |= !self.is_private(path.role, var);
                }
            }
            Op::Leave { .. } => {}
            Op::Print { dst, .. } => {
                if let Some(dst) = dst {
                    self.set_any(&mut path, *dst);
                }
            }
            Op::Assume { cond } => {
                let cond = self.eval(&path, *cond);
                let not = self.naming.terms.not(cond);
                let mut other = path.clone();
                other.guard = self.naming.terms.and(other.guard, not);
                self.stuck(other);
                path.guard = self.naming.terms.and(path.guard, cond);
            }
            Op::Check { check, cond } => {
                let info = &self.program.checks[*check];
                if self.classes.contains(&info.class) && *cond != Cond::Watched {
                    let Some(holds) = self.holds(&path, *cond) else {
                        let what = format!("a check of `{}` that asks the memory", info.class);
                        return self.unsupported(path, what);
                    };
                    let not = self.naming.terms.not(holds);
                    let mut wrong = path.clone();
                    wrong.guard = self.naming.terms.and(wrong.guard, not);
                    if self.naming.terms.as_const(wrong.guard) != Some(0) {
                        self.finish(wrong, Target::Error(*check));
                    }
                    if info.is_fatal() {
                        path.guard = self.naming.terms.and(path.guard, holds);
                    }
                }
            }
            Op::Call { callee, args, .. } => return self.call(path, *callee, args),
            Op::Thread(op) => return self.thread(path, op, paths),
        }
        path.at.at += 1;
        Some(path)
    }

    fn call(&mut self, mut path: Path, callee: Callee, args: &[ExprId]) -> Option<Path> {
        let func = match callee {
            Callee::Func(func) => func,
            Callee::Ptr(ptr) => {
                let pointer = self.eval(&path, ptr);
                match self.func(pointer) {
                    Some(func) => func,
                    None => {
                        return self.unsupported(path, "a call of a function that is not known");
                    }
                }
            }
        };
        let mut above = Some(path.at.frame);
        while let Some(frame) = above {
            if self.naming.frames[frame].func == func {
                return self.unsupported(path, "recursion in a program with threads");
            }
            above = self.naming.frames[frame].parent.map(|it| it.0);
        }
        let body = &self.program.funcs[func];
        if body.params.len() != args.len() {
            return self.unsupported(path, "a call with another number of arguments");
        }
        let args: Vec<TermId> = args.iter().map(|&arg| self.eval(&path, arg)).collect();
        let parent = Some((path.at.frame, path.at.block, path.at.at));
        let frame = self.naming.frame(Frame { role: path.role, func, parent });
        (path.at.frame, path.at.block, path.at.at) = (frame, BlockId::from_u32(0), 0);
        for (&param, arg) in body.params.iter().zip(args) {
            self.set(&mut path, param, arg);
        }
        self.begin(&mut path, func);
        self.arrive(path)
    }

    /// Registers are arbitrary in a new call.
    fn begin(&mut self, path: &mut Path, func: FuncId) {
        let body = &self.program.funcs[func];
        let live = live_in(self.program, body);
        for at in live[BlockId::from_u32(0)].iter() {
            let register = Register::from_u32(at as u32);
            let is_own = self.program.vars[register].owner == Some(func);
            if is_own && !body.params.contains(&register) {
                self.set_any(path, register);
            }
        }
    }

    pub(crate) fn func(&mut self, pointer: TermId) -> Option<FuncId> {
        let (object, offset) = parts(&mut self.naming.terms, self.program.ptr_bits, pointer);
        let number = self.naming.terms.as_const(object)?.checked_sub(FIRST_FUNC)?;
        let func = FuncId::from_u32(u32::try_from(number).ok()?);
        let is_one = self.program.funcs.get(func).is_some();
        (is_one && self.naming.terms.as_const(offset) == Some(0)).then_some(func)
    }

    /// At the beginning of a block.
    fn arrive(&mut self, mut path: Path) -> Option<Path> {
        if path.visited.insert(path.at) {
            return Some(path);
        }
        let to = self.cut(path.at, path.span);
        self.finish(path, Target::Cut(to));
        None
    }

    /// Whether the thread ends there, which others may wait for.
    fn is_end(&self, path: &Path, term: &Term) -> bool {
        match term {
            Term::Stop(Stop::Thread(_)) => true,
            Term::Return(_) => self.naming.frames[path.at.frame].parent.is_none(),
            _ => false,
        }
    }

    fn term(
        &mut self,
        mut path: Path,
        term: &Term,
        span: Span,
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
        let go = |it: &mut Self, mut path: Path, to: BlockId| {
            (path.at.block, path.at.at) = (to, 0);
            it.arrive(path)
        };
        match term {
            Term::Goto(to) => go(self, path, *to),
            Term::Branch { cond, yes, no } => {
                let cond = self.eval(&path, *cond);
                let not = self.naming.terms.not(cond);
                let mut other = path.clone();
                other.guard = self.naming.terms.and(other.guard, not);
                path.guard = self.naming.terms.and(path.guard, cond);
                if self.naming.terms.as_const(other.guard) != Some(0) {
                    paths.extend(go(self, other, *no));
                }
                if self.naming.terms.as_const(path.guard) == Some(0) {
                    return None;
                }
                go(self, path, *yes)
            }
            Term::Switch { value, cases, default } => {
                let value = self.eval(&path, *value);
                let wide = self.naming.terms.width(value);
                for &(case, to) in cases {
                    let case = self.naming.terms.constant(wide, case);
                    let same = self.naming.terms.eq(value, case);
                    let mut other = path.clone();
                    other.guard = self.naming.terms.and(other.guard, same);
                    if self.naming.terms.as_const(other.guard) != Some(0) {
                        paths.extend(go(self, other, to));
                    }
                    let not = self.naming.terms.not(same);
                    path.guard = self.naming.terms.and(path.guard, not);
                }
                if self.naming.terms.as_const(path.guard) == Some(0) {
                    return None;
                }
                go(self, path, *default)
            }
            Term::Return(value) => {
                let frame = self.naming.frames[path.at.frame];
                let Some((parent, block, at)) = frame.parent else { return self.end(path) };
                let value = value.map(|value| self.eval(&path, value));
                (path.at.frame, path.at.block, path.at.at) = (parent, block, at);
                let call = &self.program.funcs[self.naming.frames[parent].func].blocks[block];
                if let Some(Inst { op: Op::Call { dst: Some(dst), .. }, .. }) = call.insts.get(at) {
                    match value {
                        Some(value) => self.set(&mut path, *dst, value),
                        None => drop(self.set_any(&mut path, *dst)),
                    }
                }
                path.at.at += 1;
                Some(path)
            }
            Term::Stop(Stop::Thread(_)) => self.end_thread(path),
            // The program ends: nobody moves afterwards, and what could be done before was possible earlier.
            Term::Stop(Stop::Exit(_) | Stop::Abort | Stop::Unreachable) => None,
            Term::Stop(Stop::Unsupported(what)) => {
                path.span = span;
                self.unsupported(path, what.to_string())
            }
        }
    }

    /// The function that a thread runs returns.
    fn end(&mut self, path: Path) -> Option<Path> {
        match self.naming.roles[path.role].start {
            // All threads end.
            Start::Main => None,
            _ => self.end_thread(path),
        }
    }

    fn end_thread(&mut self, mut path: Path) -> Option<Path> {
        let role = path.role;
        if !self.naming.roles[role].is_many() {
            let ended = self.naming.var(Meaning::Ended(role));
            let truth = self.naming.terms.bool(true);
            path.values.insert(ended, truth);
        }
        self.finish(path, Target::Ended);
        None
    }
}
