//! What an instruction does to a path.

use hardbop_cir::{Cond, Inst, Op, Ty};

use crate::model::Target;
use crate::reach::Reach;
use crate::steps::{Path, Walker};
use crate::values::instance;

impl Walker<'_, '_> {
    /// Does the instruction; `None` if the path ends.
    pub(crate) fn inst(
        &mut self,
        mut path: Path,
        inst: &Inst,
        paths: &mut Vec<Path>,
    ) -> Option<Path> {
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
}
