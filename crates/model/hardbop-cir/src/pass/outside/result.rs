//! What a function without a body returns: any number; of pointers null, one to something the outside
//! knows, one to memory of its own, or one we know nothing of.

use rustc_hash::FxHashSet;

use super::{Closing, Made, Site, Unknown};
use crate::analysis::PointsTo;
use crate::expr::{BinOp, Expr, ExprId};
use crate::program::{FuncId, ObjInfo, ObjKind, Op, Program, Shape, VarKind};
use crate::ty::Ty;

/// Pointers a result is chosen from, beside null and what is not known.
const MAX_CHOICES: usize = 12;
/// Elements that memory of the outside has: enough for a short text, a few records.
const ELEMENTS: u64 = 4;
const TEXT_BYTES: u64 = 16;

/// The functions whose objects the program may free.
pub(super) fn freed(program: &Program, points_to: &PointsTo, made: &Made) -> FxHashSet<FuncId> {
    let mut freed = FxHashSet::default();
    for (_, _, inst) in program.insts() {
        if let Op::Free { ptr } = inst.op {
            let targets = points_to.targets(program, ptr);
            freed.extend(targets.objects.iter().filter_map(|it| made.get(it)));
        }
    }
    freed
}

impl Closing<'_> {
    pub(super) fn result(&mut self, site: &Site, ops: &mut Vec<Op>) {
        let Some(dst) = site.dst else { return };
        let name = self.program.funcs[site.callee].name.clone();
        let ty = self.program.vars[dst].ty;
        let unknown = self.outside.funcs[&site.callee].clone();
        if ty != Ty::Ptr {
            ops.push(Op::Nondet { dst, source: crate::program::Source::External(name) });
            if let Some(most) = unknown.most
                && let Ty::Int(width) = ty
            {
                let (value, most) = (self.var(dst), self.program.exprs.int(width, most));
                let cond = self.program.exprs.binary(BinOp::Ule, value, most);
                ops.push(Op::Assume { cond });
            }
            return;
        }
        let choices = self.choices(site, &unknown);
        // The choice comes first: 0 is null, where that is allowed.
        let choice = self.any(site.func, Ty::Int(8), ops);
        let mut value = self.any(site.func, Ty::Ptr, ops);
        if unknown.is_nonnull {
            let null = self.null();
            let cond = self.program.exprs.binary(BinOp::Ne, value, null);
            ops.push(Op::Assume { cond });
        }
        let null = (!unknown.is_nonnull).then(|| self.null());
        for (at, pointer) in null.into_iter().chain(choices).enumerate() {
            let at = self.program.exprs.int(8, at as u128);
            let is_it = self.program.exprs.binary(BinOp::Eq, choice, at);
            value = self.program.exprs.ite(is_it, pointer, value);
        }
        // A register by the name of the call, for those who tell what happened.
        let returned =
            self.new_var(format!("{name}()").into(), Ty::Ptr, VarKind::Local, Some(site.func));
        ops.push(Op::Set { dst: returned, value });
        let value = self.var(returned);
        ops.push(Op::Set { dst, value });
    }

    fn choices(&mut self, site: &Site, unknown: &Unknown) -> Vec<ExprId> {
        let Some(pointee) = &unknown.pointee else { return Vec::new() };
        if self.freed.contains(&site.callee) {
            return Vec::new();
        }
        let mut choices = Vec::new();
        if let Some(&own) = self.own.get(&(site.func, site.block, site.at)) {
            choices.push(self.program.exprs.add(Expr::Addr(own)));
        }
        for &object in &self.outside.objects {
            let info = &self.program.objects[object];
            if fits(&info.shape, &pointee.shape) && !info.is_const {
                choices.push(self.program.exprs.add(Expr::Addr(object)));
            }
        }
        let handles: Vec<_> = self.handles.by_key.values().cloned().collect();
        for handle in handles.iter().filter(|it| it.is_written) {
            let all_fit = handle
                .objects
                .iter()
                .all(|it| fits(&self.program.objects[*it].shape, &pointee.shape));
            if all_fit {
                choices.push(self.var(handle.register));
            }
        }
        choices.truncate(MAX_CHOICES);
        choices
    }

    /// Memory of the outside: the same one for each execution of a call, with other contents.
    pub(super) fn make_own_object(&mut self, site: &Site) {
        let Some(pointee) = self.outside.funcs[&site.callee].pointee.clone() else { return };
        if site.dst.is_none() {
            return;
        }
        let len = if pointee.size == 1 { TEXT_BYTES } else { ELEMENTS };
        let element = Box::new(pointee.shape);
        let name = format!("(of {})", self.program.funcs[site.callee].name).into();
        let object = self.program.objects.push(ObjInfo {
            name,
            kind: ObjKind::Global,
            size: Some(pointee.size * len),
            init: Vec::new(),
            is_const: false,
            shape: Shape::Array { element, stride: pointee.size, len },
            align: 1,
            copy_of: None,
            span: Some(site.span),
        });
        self.made.insert(object, site.callee);
        self.own.insert((site.func, site.block, site.at), object);
    }
}

/// Whether a pointer to `wanted` may point to the first byte of an object of this shape.
fn fits(shape: &Shape, wanted: &Shape) -> bool {
    match (shape, wanted) {
        (Shape::Bytes, _) | (_, Shape::Bytes) => false,
        (Shape::Scalar { ty, .. }, Shape::Scalar { ty: wanted, .. }) => ty == wanted,
        (Shape::Array { element, .. }, _) if shape != wanted => fits(element, wanted),
        _ => shape == wanted,
    }
}
