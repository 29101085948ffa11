//! From cut to cut: the paths of a thread between two places where others may move.
//!
//! A path does what the instructions say, on terms. It ends before the second access to what others can see, where it comes
//! round to a place again, where a check fails, and where the thread ends.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Span};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::analysis::liveness::live_in;
use hardbop_cir::{
    BlockId, Callee, Class, Cond, ExprId, FuncId, Inst, ObjId, Op, Program, Stop, Term, ThreadOp,
    Ty, VarId as Register,
};
use hardbop_smt::{Answer, Solver, Term as Node, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::model::{
    Atomic, Cell, Cut, CutId, Frame, FrameId, Instance, Meaning, Place, RoleId, Start, Step,
    Target, Var,
};
use crate::names::Naming;
use crate::terms::{FIRST_FUNC, Names, parts, term, width};

/// More paths than this are not followed.
const MAX_PATHS: usize = 3_000;
const MAX_FRAMES: usize = 600;
/// Elements of an array that an index may choose from.
const MAX_CELLS: u64 = 64;

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
struct Path {
    from: CutId,
    role: RoleId,
    at: Place,
    guard: TermId,
    values: BTreeMap<Var, TermId>,
    has_accessed: bool,
    /// Others can see something of it.
    is_seen: bool,
    starts: Vec<RoleId>,
    n_steps: u64,
    n_alone: Option<u64>,
    asked: Vec<TermId>,
    visited: BTreeSet<Place>,
    span: Span,
}

/// Where an access may go.
enum Reach {
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

fn instance(naming: &Naming<'_>, frame: FrameId, object: ObjId) -> Instance {
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
    fn enter(&mut self, role: RoleId) {
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

    fn cut(&mut self, place: Place, span: Span) -> CutId {
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

    fn finish(&mut self, path: Path, to: Target) {
        let n_alone = path.n_alone.unwrap_or(path.n_steps);
        let updates = path.values.into_iter().collect();
        let Path { from, guard, starts, n_steps, asked, span, .. } = path;
        self.steps.push(Step { from, to, guard, updates, starts, n_steps, n_alone, asked, span });
    }

    /// The thread moves no more; what others have seen of it counts.
    fn stuck(&mut self, path: Path) {
        if path.is_seen && self.naming.terms.as_const(path.guard) != Some(0) {
            self.finish(path, Target::Ended);
        }
    }

    fn eval(&mut self, path: &Path, expr: ExprId) -> TermId {
        let mut at = At { naming: self.naming, facts: self.facts, path };
        term(&mut at, &self.program.exprs, expr)
    }

    fn fresh(&mut self, width: u32) -> TermId {
        self.naming.terms.var("any", width)
    }

    fn value(&self, path: &Path, var: Var) -> TermId {
        let known = path.values.get(&var).or_else(|| self.facts.constants.get(&var));
        known.copied().unwrap_or(self.naming.vars[var].term)
    }

    /// Notes what a register is given.
    fn assign(&mut self, var: Var, value: TermId) {
        let constant = self.naming.terms.as_const(value).map(|_| value);
        let known = self.seen.assigned.entry(var).or_insert(constant);
        if *known != constant {
            *known = None;
        }
    }

    fn set(&mut self, path: &mut Path, register: Register, value: TermId) {
        let var = self.naming.register(path.at.frame, register);
        self.assign(var, value);
        path.values.insert(var, value);
    }

    fn set_any(&mut self, path: &mut Path, register: Register) -> TermId {
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

    fn is_point(&mut self, path: &Path, op: &Op) -> bool {
        let size = |ty: Ty| ty.bytes(self.program.ptr_bits);
        match op {
            Op::Load { dst, ptr } => {
                let ty = self.program.vars[*dst].ty;
                self.touches_shared(path, *ptr, size(ty), ty == Ty::Ptr)
            }
            Op::Store { ptr, value } => {
                let ty = self.program.exprs.ty(*value);
                self.touches_shared(path, *ptr, size(ty), ty == Ty::Ptr)
            }
            Op::Copy { .. } | Op::Fill { .. } | Op::Repeat { .. } | Op::Havoc { .. } => true,
            Op::Enter { object, .. } => {
                let instance = instance(self.naming, path.at.frame, *object);
                let cells = self.naming.cells.get(&instance).cloned().unwrap_or_default();
                cells.into_iter().any(|cell| {
                    let var = self.naming.cell(cell);
                    !self.is_private(path.role, var)
                })
            }
            Op::Thread(op) => matches!(
                op,
                ThreadOp::Begin
                    | ThreadOp::Spawn { .. }
                    | ThreadOp::Ended { .. }
                    | ThreadOp::Exists { .. }
                    | ThreadOp::Result { .. }
            ),
            _ => false,
        }
    }

    fn touches_shared(&mut self, path: &Path, ptr: ExprId, size: u64, is_pointer: bool) -> bool {
        match self.reach(path, ptr, size, is_pointer) {
            Reach::Cells(cells) => {
                let is_private =
                    |var: Option<Var>| var.is_some_and(|it| self.is_private(path.role, it));
                cells.iter().any(|it| !is_private(it.1))
            }
            Reach::Unknown => true,
        }
    }

    /// Whether only this one thread accesses it.
    fn is_private(&self, role: RoleId, var: Var) -> bool {
        let owner = self.naming.vars[var].role;
        let by_it_alone = |roles: &BTreeSet<RoleId>| roles.iter().all(|it| *it == role);
        self.facts.accesses.get(&var).is_some_and(by_it_alone)
            && (!self.naming.roles[role].is_many() || owner == Some(role))
    }

    /// The cells an access may touch. What is not valid is left out.
    fn reach(&mut self, path: &Path, ptr: ExprId, size: u64, is_pointer: bool) -> Reach {
        let pointer = self.eval(path, ptr);
        let truth = self.naming.terms.bool(true);
        let mut cells = Vec::new();
        let mut todo = vec![(truth, pointer)];
        while let Some((cond, pointer)) = todo.pop() {
            if let Node::Ite(c, a, b) = self.naming.terms.node(pointer) {
                let yes = self.naming.terms.and(cond, c);
                let not = self.naming.terms.not(c);
                let no = self.naming.terms.and(cond, not);
                todo.extend([(yes, a), (no, b)]);
                continue;
            }
            let bits = self.program.ptr_bits;
            let (object, offset) = parts(&mut self.naming.terms, bits, pointer);
            let Some(number) = self.naming.terms.as_const(object) else {
                return self.somewhere(ptr);
            };
            if number == 0 || number >= FIRST_FUNC {
                continue;
            }
            let Some(instance) = self.naming.instance(number) else { return self.somewhere(ptr) };
            let (Instance::Global(object) | Instance::Local(_, object)) = instance;
            // Soundness: what belongs to one of many threads has the same number in each of them.
            if let Instance::Local(frame, _) = instance {
                let owner = self.naming.frames[frame].role;
                if owner != path.role && self.naming.roles[owner].is_many() {
                    return Reach::Unknown;
                }
            }
            let all = self.naming.size(instance);
            if self.facts.vague.contains(&object) {
                cells.push((cond, None));
                continue;
            }
            let constant = self.naming.terms.as_const(offset);
            match (all, constant) {
                (Some(all), Some(offset)) if size > 0 && size <= 16 => {
                    if offset + u128::from(size) <= u128::from(all) {
                        let cell = Cell { instance, offset: offset as u64, size, is_pointer };
                        cells.push((cond, Some(self.naming.cell(cell))));
                    }
                }
                (Some(all), None)
                    if size > 0
                        && size <= 16
                        && all / size <= MAX_CELLS
                        && self.is_multiple(offset, size) =>
                {
                    for at in 0..all / size {
                        let cell = Cell { instance, offset: at * size, size, is_pointer };
                        let var = self.naming.cell(cell);
                        let here =
                            self.naming.terms.constant(u32::from(bits), u128::from(at * size));
                        let same = self.naming.terms.eq(offset, here);
                        cells.push((self.naming.terms.and(cond, same), Some(var)));
                    }
                }
                _ => {
                    self.seen.vague.insert(object);
                    cells.push((cond, None));
                }
            }
        }
        for var in cells.iter().filter_map(|it| it.1) {
            self.seen.accesses.entry(var).or_default().insert(path.role);
        }
        Reach::Cells(cells)
    }

    /// What the pointer may lead to anywhere in the program: none of it is followed.
    fn somewhere(&mut self, ptr: ExprId) -> Reach {
        let targets = self.points_to.accessed(self.program, ptr);
        if self.facts.is_settled && (targets.is_unknown || targets.objects.is_empty()) {
            return Reach::Unknown;
        }
        self.seen.vague.extend(targets.objects);
        Reach::Cells(vec![(self.naming.terms.bool(true), None)])
    }

    /// Whether the offset is a multiple of the size, whatever its variables are.
    fn is_multiple(&mut self, offset: TermId, size: u64) -> bool {
        let terms = &mut self.naming.terms;
        let width = terms.width(offset);
        let by = terms.constant(width, u128::from(size));
        let rest = terms.urem(offset, by);
        let wrong = terms.is_nonzero(rest);
        matches!(self.solver.check(terms, &[wrong], self.budget), Answer::Unsat(_))
    }

    /// What is read from a cell.
    fn content(&mut self, path: &Path, var: Option<Var>, ty: Ty) -> TermId {
        let wide = width(ty, self.program.ptr_bits);
        match var {
            Some(var) => {
                let value = self.value(path, var);
                self.naming.terms.truncate(value, wide)
            }
            None => self.fresh(wide),
        }
    }

    /// Goes on where the access is valid.
    fn valid(&mut self, mut path: Path, cells: &[(TermId, Option<Var>)]) -> Path {
        let conds: Vec<TermId> = cells.iter().map(|it| it.0).collect();
        let valid = self.naming.terms.or_all(&conds);
        let not = self.naming.terms.not(valid);
        let mut other = path.clone();
        other.guard = self.naming.terms.and(other.guard, not);
        self.stuck(other);
        path.guard = self.naming.terms.and(path.guard, valid);
        path
    }

    fn unsupported(&mut self, path: Path, what: impl Into<String>) -> Option<Path> {
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
                let Some(&(_, last)) = cells.last() else { return None };
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

    /// Which bytes are filled is not known.
    fn filled_somewhere(&mut self, mut path: Path, inst: &Inst) -> Option<Path> {
        let Op::Fill { dst, .. } = inst.op else { return Some(path) };
        let targets = self.points_to.accessed(self.program, dst);
        if targets.is_unknown {
            return self.unsupported(path, "a write to a place that is not known");
        }
        self.seen.vague.extend(targets.objects);
        path.is_seen = true;
        path.at.at += 1;
        Some(path)
    }

    /// A constant run of bytes of one object.
    fn run_of_bytes(&mut self, dst: TermId, size: TermId) -> Option<(Instance, u64, u64)> {
        let (object, offset) = parts(&mut self.naming.terms, self.program.ptr_bits, dst);
        let terms = &self.naming.terms;
        let (object, offset) = (terms.as_const(object)?, terms.as_const(offset)?);
        let size = terms.as_const(size)?;
        let instance = self.naming.instance(object)?;
        let all = u128::from(self.naming.size(instance)?);
        (object < FIRST_FUNC && offset.checked_add(size)? <= all).then_some((
            instance,
            offset as u64,
            (offset + size) as u64,
        ))
    }

    /// `None` if it is not known.
    fn holds(&mut self, path: &Path, cond: Cond) -> Option<TermId> {
        let bits = self.program.ptr_bits;
        let object = |it: &mut Self, ptr: ExprId| {
            let pointer = it.eval(path, ptr);
            let (object, offset) = parts(&mut it.naming.terms, bits, pointer);
            let number = it.naming.terms.as_const(object)?;
            Some((number, offset))
        };
        Some(match cond {
            Cond::Holds(cond) => self.eval(path, cond),
            Cond::Fails => self.naming.terms.bool(false),
            Cond::NotNull(ptr) => {
                let (number, _) = object(self, ptr)?;
                self.naming.terms.bool(number != 0)
            }
            Cond::Alive(ptr) => {
                let (number, _) = object(self, ptr)?;
                let is_global = matches!(self.naming.instance(number), Some(Instance::Global(_)));
                (number == 0 || is_global).then(|| self.naming.terms.bool(true))?
            }
            Cond::Writable(ptr) => {
                let (number, _) = object(self, ptr)?;
                let (Instance::Global(it) | Instance::Local(_, it)) =
                    self.naming.instance(number)?;
                self.naming.terms.bool(!self.program.objects[it].is_const)
            }
            Cond::InBounds { ptr, size } => {
                let (number, offset) = object(self, ptr)?;
                let size = self.eval(path, size);
                let size = self.naming.terms.as_const(size)?;
                let all = u128::from(self.naming.size(self.naming.instance(number)?)?);
                match all.checked_sub(size) {
                    None => self.naming.terms.bool(false),
                    Some(last) => {
                        let last = self.naming.terms.constant(u32::from(bits), last);
                        self.naming.terms.ule(offset, last)
                    }
                }
            }
            Cond::Written { .. } | Cond::Freeable(_) | Cond::Apart { .. } | Cond::NoLeak => {
                return None;
            }
            Cond::Watched => self.naming.terms.bool(true),
        })
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

    fn func(&mut self, pointer: TermId) -> Option<FuncId> {
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

    fn thread(&mut self, mut path: Path, op: &ThreadOp, paths: &mut Vec<Path>) -> Option<Path> {
        match op {
            ThreadOp::Spawn { dst, func, arg } => {
                return self.spawn(path, (*dst, *func, *arg), paths);
            }
            ThreadOp::Current { dst } => {
                let wide = width(self.program.vars[*dst].ty, self.program.ptr_bits);
                let number = self.number(path.role, wide);
                match number {
                    Some(number) => self.set(&mut path, *dst, number),
                    None => drop(self.set_any(&mut path, *dst)),
                }
            }
            ThreadOp::Exists { dst, thread } => {
                let thread = self.eval(&path, *thread);
                let exists = self.exists(&path, thread);
                self.set(&mut path, *dst, exists);
            }
            ThreadOp::Ended { dst, thread } => {
                let thread = self.eval(&path, *thread);
                let ended = self.ended(&path, thread);
                self.set(&mut path, *dst, ended);
            }
            ThreadOp::Result { dst, .. } => drop(self.set_any(&mut path, *dst)),
            ThreadOp::Begin => match &mut path.at.atomic {
                Some(it) => it.depth += 1,
                None => {
                    let begin = (path.at.frame, path.at.block, path.at.at);
                    path.at.atomic = Some(Atomic { depth: 1, begin });
                }
            },
            ThreadOp::End => match &mut path.at.atomic {
                Some(it) if it.depth > 1 => it.depth -= 1,
                _ => path.at.atomic = None,
            },
            ThreadOp::Unordered => {}
            ThreadOp::Wait { cond } => {
                let cond = self.eval(&path, *cond);
                let mut other = path.clone();
                let not = self.naming.terms.not(cond);
                other.guard = self.naming.terms.and(other.guard, not);
                path.guard = self.naming.terms.and(path.guard, cond);
                if self.naming.terms.as_const(other.guard) != Some(0) {
                    match other.at.atomic {
                        Some(Atomic { depth: 1, begin }) if begin.0 == other.at.frame => {
                            let (frame, block, at) = begin;
                            let back = Place { frame, block, at, atomic: None };
                            let to = self.cut(back, other.span);
                            self.finish(other, Target::Cut(to));
                        }
                        _ => {
                            drop(self.unsupported(other, "waiting where no other thread may move"))
                        }
                    }
                }
            }
        }
        path.at.at += 1;
        Some(path)
    }

    /// The number of the one thread of a role.
    fn number(&mut self, role: RoleId, wide: u32) -> Option<TermId> {
        if self.naming.roles[role].start == Start::Main {
            return Some(self.naming.terms.constant(wide, 0));
        }
        if self.naming.roles[role].is_many() {
            return None;
        }
        if let Some(&number) = self.facts.numbers.get(&role) {
            return Some(self.naming.terms.constant(wide, number));
        }
        let var = self.naming.var(Meaning::Number(role));
        let term = self.naming.vars[var].term;
        (wide <= 64).then(|| self.naming.terms.truncate(term, wide))
    }

    /// Whether all threads are those of roles that have one each.
    fn are_all_known(&self) -> bool {
        self.facts.again.is_empty()
            && self.facts.roles.iter().all(|&role| !self.naming.roles[role].is_many())
    }

    fn exists(&mut self, path: &Path, thread: TermId) -> TermId {
        let wide = self.naming.terms.width(thread);
        if !self.facts.numbers.is_empty() && self.are_all_known() {
            let zero = self.naming.terms.constant(wide, 0);
            let mut exists = self.naming.terms.eq(thread, zero);
            for (role, number) in self.facts.numbers.clone() {
                let started = self.naming.var(Meaning::Started(role));
                let started = self.value(path, started);
                let number = self.naming.terms.constant(wide, number);
                let same = self.naming.terms.eq(thread, number);
                let it = self.naming.terms.and(same, started);
                exists = self.naming.terms.or(exists, it);
            }
            return exists;
        }
        let count = self.naming.var(Meaning::Count);
        let count = self.value(path, count);
        let thread = self.fitted(thread);
        self.naming.terms.ult(thread, count)
    }

    /// As wide as a pointer.
    fn fitted(&mut self, number: TermId) -> TermId {
        let wide = u32::from(self.program.ptr_bits);
        match self.naming.terms.width(number) {
            it if it <= wide => self.naming.terms.zero_extend(number, wide),
            _ => self.naming.terms.truncate(number, wide),
        }
    }

    fn ended(&mut self, path: &Path, thread: TermId) -> TermId {
        let wide = self.naming.terms.width(thread);
        let is_known = self.are_all_known();
        let mut result = match is_known {
            true => self.naming.terms.bool(false),
            false => self.fresh(1),
        };
        for role in self.facts.roles.clone() {
            let start = self.naming.roles[role].start;
            if self.naming.roles[role].is_many() {
                continue;
            }
            let Some(number) = self.number(role, wide) else { continue };
            let ended = self.naming.var(Meaning::Ended(role));
            let ended = self.value(path, ended);
            let mut it = self.naming.terms.eq(number, thread);
            if start != Start::Main {
                let started = self.naming.var(Meaning::Started(role));
                let started = self.value(path, started);
                it = self.naming.terms.and(it, started);
            }
            result = self.naming.terms.ite(it, ended, result);
        }
        result
    }

    fn spawn(
        &mut self,
        mut path: Path,
        (dst, func, arg): (Register, ExprId, ExprId),
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
        let pointer = self.eval(&path, func);
        let Some(func) = self.func(pointer) else {
            return self.unsupported(path, "a thread that runs a function that is not known");
        };
        let params = &self.program.funcs[func].params;
        let fits = match params[..] {
            [] => true,
            [param] => self.program.vars[param].ty == Ty::Ptr,
            _ => false,
        };
        if !fits {
            return self.unsupported(path, "a thread that runs a function of another type");
        }
        let arg = self.eval(&path, arg);
        let place = (path.at.frame, path.at.block, path.at.at);
        self.seen.starts.insert(place);
        let is_once = !self.naming.roles[path.role].is_many()
            && !matches!(self.naming.roles[path.role].start, Start::Watched(_))
            && !self.facts.again.contains(&place)
            && !self.is_started_by(path.role, func);
        let start = match is_once {
            true => Start::Once(place.0, place.1, place.2),
            false => Start::Many(func),
        };
        let role = self.naming.role(start, func);
        // The number, and how many there are now.
        let bits = u32::from(self.program.ptr_bits);
        let count = self.naming.var(Meaning::Count);
        let before = self.value(&path, count);
        let one = self.naming.terms.constant(bits, 1);
        let after = self.naming.terms.add(before, one);
        path.values.insert(count, after);
        let most = self.naming.terms.constant(bits, u128::MAX);
        let fits = self.naming.terms.ne(before, most);
        path.guard = self.naming.terms.and(path.guard, fits);
        let wide = width(self.program.vars[dst].ty, self.program.ptr_bits);
        let number = match self.facts.numbers.get(&role) {
            Some(&number) => self.naming.terms.constant(wide, number),
            None if wide <= bits => self.naming.terms.truncate(before, wide),
            None => self.naming.terms.zero_extend(before, wide),
        };
        self.set(&mut path, dst, number);
        path.n_alone.get_or_insert(path.n_steps);
        path.is_seen = true;
        path.at.at += 1;
        if self.watches && !is_once {
            let watched = self.naming.role(Start::Watched(func), func);
            let flag = self.naming.var(Meaning::Watched);
            let is_taken = self.value(&path, flag);
            let mut other = path.clone();
            let free = self.naming.terms.not(is_taken);
            other.guard = self.naming.terms.and(other.guard, free);
            let truth = self.naming.terms.bool(true);
            other.values.insert(flag, truth);
            self.started(&mut other, watched, arg, before);
            paths.push(other);
        }
        self.started(&mut path, role, arg, before);
        Some(path)
    }

    /// Whether the role, or one that leads to it, runs the function.
    fn is_started_by(&self, role: RoleId, func: FuncId) -> bool {
        let mut above = Some(role);
        while let Some(role) = above {
            let it = &self.naming.roles[role];
            if it.func == func {
                return true;
            }
            above = match it.start {
                Start::Once(frame, ..) => Some(self.naming.frames[frame].role),
                _ => None,
            };
        }
        false
    }

    fn started(&mut self, path: &mut Path, role: RoleId, arg: TermId, number: TermId) {
        path.starts.push(role);
        self.enter(role);
        if self.naming.roles[role].is_many() {
            return;
        }
        let func = self.naming.roles[role].func;
        if let [param] = self.program.funcs[func].params[..] {
            let var = self.naming.register(self.naming.roles[role].frame, param);
            self.assign(var, arg);
            path.values.insert(var, arg);
        }
        let truth = self.naming.terms.bool(true);
        let not = self.naming.terms.bool(false);
        let started = self.naming.var(Meaning::Started(role));
        let ended = self.naming.var(Meaning::Ended(role));
        path.values.extend([(started, truth), (ended, not)]);
        if !self.facts.numbers.contains_key(&role) {
            let var = self.naming.var(Meaning::Number(role));
            let number = self.naming.terms.zero_extend(number, 64);
            path.values.insert(var, number);
        }
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
