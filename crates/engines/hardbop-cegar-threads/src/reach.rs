//! Memory on a path: which cells an access touches, who else can see them, and what checks ask of them.
//!
//! An address that is the same each time is a cell, an index into a small array a choice of cells. What else a pointer may lead to is
//! not followed, by points-to: reads from it are arbitrary.

use std::collections::BTreeSet;

use hardbop_cir::{Cond, ExprId, Inst, Op, ThreadOp, Ty};
use hardbop_smt::{Answer, Term as Node, TermId};

use crate::model::{Cell, Instance, RoleId, Var};
use crate::steps::{Path, Walker};
use crate::terms::{FIRST_FUNC, parts, width};
use crate::values::instance;

/// Elements of an array that an index may choose from.
const MAX_CELLS: u64 = 64;

/// Where an access may go.
pub(crate) enum Reach {
    /// Under these conditions, of which one holds where the access is valid; no cell is one of what is not followed.
    Cells(Vec<(TermId, Option<Var>)>),
    Unknown,
}

impl Walker<'_, '_> {
    pub(crate) fn is_point(&mut self, path: &Path, op: &Op) -> bool {
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
                    | ThreadOp::Forget { .. }
                    | ThreadOp::Result { .. }
            ),
            _ => false,
        }
    }

    pub(crate) fn touches_shared(
        &mut self,
        path: &Path,
        ptr: ExprId,
        size: u64,
        is_pointer: bool,
    ) -> bool {
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
    pub(crate) fn is_private(&self, role: RoleId, var: Var) -> bool {
        let owner = self.naming.vars[var].role;
        let by_it_alone = |roles: &BTreeSet<RoleId>| roles.iter().all(|it| *it == role);
        self.facts.accesses.get(&var).is_some_and(by_it_alone)
            && (!self.naming.roles[role].is_many() || owner == Some(role))
    }

    /// The cells an access may touch. What is not valid is left out.
    pub(crate) fn reach(&mut self, path: &Path, ptr: ExprId, size: u64, is_pointer: bool) -> Reach {
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
    pub(crate) fn somewhere(&mut self, ptr: ExprId) -> Reach {
        let targets = self.points_to.accessed(self.program, ptr);
        if self.facts.is_settled && (targets.is_unknown || targets.objects.is_empty()) {
            return Reach::Unknown;
        }
        self.seen.vague.extend(targets.objects);
        Reach::Cells(vec![(self.naming.terms.bool(true), None)])
    }

    /// Whether the offset is a multiple of the size, whatever its variables are.
    pub(crate) fn is_multiple(&mut self, offset: TermId, size: u64) -> bool {
        let terms = &mut self.naming.terms;
        let width = terms.width(offset);
        let by = terms.constant(width, u128::from(size));
        let rest = terms.urem(offset, by);
        let wrong = terms.is_nonzero(rest);
        matches!(self.solver.check(terms, &[wrong], self.budget), Answer::Unsat(_))
    }

    /// What is read from a cell.
    pub(crate) fn content(&mut self, path: &Path, var: Option<Var>, ty: Ty) -> TermId {
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
    pub(crate) fn valid(&mut self, mut path: Path, cells: &[(TermId, Option<Var>)]) -> Path {
        let conds: Vec<TermId> = cells.iter().map(|it| it.0).collect();
        let valid = self.naming.terms.or_all(&conds);
        let not = self.naming.terms.not(valid);
        let mut other = path.clone();
        other.guard = self.naming.terms.and(other.guard, not);
        self.stuck(other);
        path.guard = self.naming.terms.and(path.guard, valid);
        path
    }

    /// A constant run of bytes of one object.
    pub(crate) fn run_of_bytes(
        &mut self,
        dst: TermId,
        size: TermId,
    ) -> Option<(Instance, u64, u64)> {
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

    /// Which bytes are filled is not known.
    pub(crate) fn filled_somewhere(&mut self, mut path: Path, inst: &Inst) -> Option<Path> {
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

    /// `None` if it is not known.
    pub(crate) fn holds(&mut self, path: &Path, cond: Cond) -> Option<TermId> {
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
            Cond::Written { .. } | Cond::Freeable(_) | Cond::Apart { .. } | Cond::NoLeak(_) => {
                return None;
            }
            Cond::Watched => self.naming.terms.bool(true),
        })
    }
}
