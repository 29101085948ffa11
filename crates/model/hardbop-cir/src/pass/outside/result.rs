//! What a function without a body returns: any number; of pointers null, one to something the outside
//! knows, one to memory of its own, or one we know nothing of.

use rustc_hash::FxHashSet;

use super::{Closing, Made, Site, Unknown};
use crate::analysis::PointsTo;
use crate::expr::{BinOp, Expr, ExprId};
use crate::program::{FuncId, ObjInfo, ObjKind, Op, Program, Shape, VarId, VarKind};
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
        let unknown = self.outside.funcs[&site.callee].clone();
        if self.program.vars[dst].ty != Ty::Ptr {
            ops.push(Op::Nondet { dst, source: crate::program::Source::External(name) });
            return self.limit(dst, &unknown, ops);
        }
        let value = match self.allocates(&unknown) {
            true => self.fresh_memory(site, &unknown, ops),
            false => self.some_pointer(site, &unknown, ops),
        };
        // A register by the name of the call, for those who tell what happened.
        let returned =
            self.new_var(format!("{name}()").into(), Ty::Ptr, VarKind::Local, Some(site.func));
        ops.push(Op::Set { dst: returned, value });
        let value = self.var(returned);
        ops.push(Op::Set { dst, value });
    }

    /// The numbers a type or an annotation allows.
    fn limit(&mut self, dst: VarId, unknown: &Unknown, ops: &mut Vec<Op>) {
        let Ty::Int(width) = self.program.vars[dst].ty else { return };
        let value = self.var(dst);
        let exprs = &mut self.program.exprs;
        if let Some(most) = unknown.most {
            let most = exprs.int(width, most);
            let cond = exprs.binary(BinOp::Ule, value, most);
            ops.push(Op::Assume { cond });
        }
        if let Some((least, most)) = unknown.range {
            let (least, most) = (exprs.int(width, least as u128), exprs.int(width, most as u128));
            let from = exprs.binary(BinOp::Sle, least, value);
            let to = exprs.binary(BinOp::Sle, value, most);
            let cond = exprs.binary(BinOp::And, from, to);
            ops.push(Op::Assume { cond });
        }
    }

    fn some_pointer(&mut self, site: &Site, unknown: &Unknown, ops: &mut Vec<Op>) -> ExprId {
        let choices = self.choices(site, unknown);
        // The choice comes first: 0 is null, where that is allowed.
        let choice = self.any(site.func, Ty::Int(8), ops);
        let null = self.null();
        let mut value = match choices.first() {
            Some(&object) if unknown.is_object => object,
            _ => self.any(site.func, Ty::Ptr, ops),
        };
        let all: Vec<ExprId> =
            (!unknown.is_nonnull).then_some(null).into_iter().chain(choices).collect();
        for (at, pointer) in all.into_iter().enumerate() {
            let at = self.program.exprs.int(8, at as u128);
            let is_it = self.program.exprs.binary(BinOp::Eq, choice, at);
            value = self.program.exprs.ite(is_it, pointer, value);
        }
        if unknown.is_nonnull && !unknown.is_object {
            let cond = self.program.exprs.binary(BinOp::Ne, value, null);
            ops.push(Op::Assume { cond });
        }
        value
    }

    /// Whether what it returns is memory of a known size that nobody else knows.
    fn allocates(&self, unknown: &Unknown) -> bool {
        unknown.is_fresh && !unknown.size_of_result.is_empty()
    }

    /// A fresh instance of the size that the arguments say; null where there is no such number, or where
    /// nothing promises otherwise.
    fn fresh_memory(&mut self, site: &Site, unknown: &Unknown, ops: &mut Vec<Op>) -> ExprId {
        let bits = self.program.ptr_bits;
        let mut size = self.program.exprs.int(bits * 2, 1);
        for &at in &unknown.size_of_result {
            let arg = self.program.exprs.resize(site.args[at], bits * 2, false);
            size = self.program.exprs.binary(BinOp::Mul, size, arg);
        }
        let most = self.program.exprs.int(bits * 2, (1 << (bits - 1)) - 1);
        let fits = self.program.exprs.binary(BinOp::Ule, size, most);
        let size = self.program.exprs.resize(size, bits, false);
        let none = self.program.exprs.int(bits, 0);
        let size = self.program.exprs.ite(fits, size, none);
        let fails = match unknown.is_nonnull {
            true => self.program.exprs.bool(false),
            false => self.any(site.func, Ty::BOOL, ops),
        };
        let memory = self.allocate(site, size, ops);
        self.keep(site, memory, ops);
        let (memory, null) = (self.var(memory), self.null());
        let too_large = self.program.exprs.not(fits);
        let is_null = self.program.exprs.binary(BinOp::Or, fails, too_large);
        self.program.exprs.ite(is_null, null, memory)
    }

    fn allocate(&mut self, site: &Site, size: ExprId, ops: &mut Vec<Op>) -> VarId {
        let name = format!("(of {})", self.program.funcs[site.callee].name).into();
        let object = self.program.objects.push(ObjInfo {
            name,
            kind: ObjKind::Heap(site.func),
            size: None,
            init: Vec::new(),
            is_const: false,
            shape: Shape::Bytes,
            align: 1,
            copy_of: None,
            span: Some(site.span),
        });
        self.allocated.insert(object, site.callee);
        let dst = self.register(site.func, "fresh", Ty::Ptr);
        ops.push(Op::Alloc { dst, object, size });
        dst
    }

    /// Memory that the program never frees is the allocator's to give back: a list of the outside's
    /// leads to it, so it is not lost.
    fn keep(&mut self, site: &Site, memory: VarId, ops: &mut Vec<Op>) {
        if self.freed.contains(&site.callee) {
            return;
        }
        let kept = match self.kept {
            Some(kept) => kept,
            None => {
                let kept = self.global("(outside).kept".into(), Ty::Ptr);
                let null = self.null();
                self.program.vars[kept].init = Some(null);
                *self.kept.insert(kept)
            }
        };
        let bits = self.program.ptr_bits;
        let bytes = u128::from(bits / 8);
        let size = self.program.exprs.int(bits, 2 * bytes);
        let node = self.allocate(site, size, ops);
        let (node, memory, rest) = (self.var(node), self.var(memory), self.var(kept));
        let second = self.program.exprs.int(bits, bytes);
        let second = self.program.exprs.binary(BinOp::PtrAdd, node, second);
        ops.push(Op::Store { ptr: node, value: rest });
        ops.push(Op::Store { ptr: second, value: memory });
        ops.push(Op::Set { dst: kept, value: node });
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
        if unknown.is_fresh {
            return choices;
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
        let unknown = &self.outside.funcs[&site.callee];
        let Some(pointee) = unknown.pointee.clone() else { return };
        if site.dst.is_none() || self.allocates(unknown) {
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
