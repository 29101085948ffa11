//! Which objects can be promoted, and what their fields are.

use std::collections::BTreeMap;

use hardbop_base::IndexVec;
use hardbop_base::fault::{Fault, is_on};

use super::{Place, never_fails, path, place};
use crate::check::Cond;
use crate::expr::{Expr, ExprId};
use crate::program::{ObjId, ObjKind, Op, Program};
use crate::ty::Ty;

/// More fields than this are better left to the engines' arrays.
const MAX_FIELDS: usize = 256;

/// Finds the objects and their fields.
pub(super) struct Finder<'a> {
    program: &'a Program,
    /// By offset; `None` if the object stays in memory.
    pub fields: IndexVec<ObjId, Option<BTreeMap<u64, Ty>>>,
    copies: Vec<(Place, Option<Place>, u64)>,
    fills: Vec<(Place, Option<u128>, u64)>,
}

impl<'a> Finder<'a> {
    pub fn new(program: &'a Program) -> Self {
        let fields = program.objects.iter().map(|it| match it.kind {
            ObjKind::Heap(_) => None,
            _ => it.size.map(|_| BTreeMap::new()),
        });
        Finder { program, fields: fields.collect(), copies: Vec::new(), fills: Vec::new() }
    }

    pub fn collect(&mut self) {
        let program = self.program;
        let inits = program.objects.iter().flat_map(|it| it.init.iter().map(|it| it.value));
        let inits = inits.chain(program.vars.iter().filter_map(|it| it.init));
        inits.for_each(|it| self.escape(it));
        for func in &program.funcs {
            for block in &func.blocks {
                block.insts.iter().for_each(|inst| self.inst(&inst.op));
                block.term.operands().into_iter().for_each(|it| self.escape(it));
            }
        }
    }

    fn inst(&mut self, op: &Op) {
        let size =
            |id: &ExprId| self.program.exprs.as_int(*id).and_then(|it| u64::try_from(it).ok());
        match op {
            Op::Load { dst, ptr } => self.access(*ptr, self.program.vars[*dst].ty),
            Op::Store { ptr, value } => {
                self.access(*ptr, self.program.exprs.ty(*value));
                self.escape(*value);
            }
            Op::Copy { dst, src, size: bytes } => {
                match (self.place(*dst), self.place(*src), size(bytes)) {
                    (Some(dst), src, Some(size)) if self.is_inside(dst, size) => {
                        let other =
                            src.is_some_and(|src| src.0 != dst.0 && self.is_inside(src, size));
                        self.copies.push((dst, src.filter(|_| other), size));
                    }
                    _ => self.escape(*dst),
                }
                self.escape(*bytes);
                match (self.place(*dst), self.place(*src), size(bytes)) {
                    // What memory gets must be all of the bytes.
                    (Some(dst), Some(src), Some(size))
                        if src.0 != dst.0
                            && self.is_inside(dst, size)
                            && self.is_inside(src, size) => {}
                    _ => self.escape(*src),
                }
            }
            Op::Fill { dst, byte, size: bytes } => match (self.place(*dst), size(bytes)) {
                (Some(dst), Some(size)) if self.is_inside(dst, size) => {
                    self.fills.push((dst, self.program.exprs.as_int(*byte), size));
                    self.escape(*byte);
                }
                _ => op.operands().into_iter().for_each(|it| self.escape(it)),
            },
            Op::Check { cond, .. } => self.cond(cond),
            _ => op.operands().into_iter().for_each(|it| self.escape(it)),
        }
    }

    /// A check stays away if it cannot fail; the object stays in memory if it can.
    fn cond(&mut self, cond: &Cond) {
        if !never_fails(self.program, cond) {
            let mut cond = *cond;
            cond.map_operands(|id| {
                self.escape(id);
                id
            });
        }
    }

    fn place(&self, ptr: ExprId) -> Option<Place> {
        place(self.program, ptr)
    }

    fn is_inside(&self, (object, at): Place, size: u64) -> bool {
        let end = at.checked_add(size);
        self.program.objects[object].size.is_some_and(|all| end.is_some_and(|end| end <= all))
    }

    /// The address of whatever the expression names may be anywhere from now on.
    fn escape(&mut self, expr: ExprId) {
        if is_on(Fault::AddressTaken) {
            return;
        }
        let fields = &mut self.fields;
        self.program.exprs.visit(expr, &mut |_, node| {
            if let Expr::Addr(object) = node {
                fields[object] = None;
            }
        });
    }

    fn access(&mut self, ptr: ExprId, ty: Ty) {
        match self.place(ptr) {
            Some(place) if self.is_inside(place, ty.bytes(self.program.ptr_bits)) => {
                self.add_field(place, ty);
            }
            _ => self.escape(ptr),
        }
    }

    /// Whether there is a new field, or the object now stays in memory.
    fn add_field(&mut self, (object, at): Place, ty: Ty) -> bool {
        let bytes = |ty: Ty| ty.bytes(self.program.ptr_bits);
        let Some(fields) = &mut self.fields[object] else { return false };
        if fields.get(&at) == Some(&ty) {
            return false;
        }
        let before = fields.range(..=at).next_back().is_none_or(|(it, ty)| it + bytes(*ty) <= at);
        let after = fields.range(at..).next().is_none_or(|(&it, _)| at + bytes(ty) <= it);
        // Invariants are told in the words of the source: what has no name there stays in memory.
        let has_name = path(&self.program.objects[object].shape, at, ty).is_some();
        if before && after && has_name && fields.len() < MAX_FIELDS {
            fields.insert(at, ty);
        } else {
            self.fields[object] = None;
        }
        true
    }

    /// Fields travel along copies, and so does staying in memory, until nothing changes.
    pub fn settle(&mut self) {
        loop {
            let mut changed = false;
            for at in 0..self.copies.len() {
                changed |= self.settle_copy(self.copies[at]);
            }
            for at in 0..self.fills.len() {
                changed |= self.settle_fill(self.fills[at]);
            }
            for object in self.program.objects.ids() {
                changed |= self.settle_init(object);
            }
            if !changed {
                return;
            }
        }
    }

    fn settle_copy(&mut self, (dst, src, size): (Place, Option<Place>, u64)) -> bool {
        let mut changed = self.drop_if_cut(dst, size);
        let Some(src) = src else { return changed };
        changed |= self.drop_if_cut(src, size);
        if self.fields[dst.0].is_none() {
            // Memory gets all bytes, also those that no field holds.
            return changed | self.fields[src.0].take().is_some();
        }
        if self.fields[src.0].is_none() {
            return changed;
        }
        for (from, to) in [(dst, src), (src, dst)] {
            for (at, ty) in self.fields_in(from, size) {
                changed |= self.add_field((to.0, to.1 + (at - from.1)), ty);
            }
        }
        changed
    }

    fn settle_fill(&mut self, (dst, byte, size): (Place, Option<u128>, u64)) -> bool {
        let changed = self.drop_if_cut(dst, size);
        let fits = self.fields_in(dst, size).iter().all(|&(_, ty)| match ty {
            Ty::Int(_) => byte.is_some(),
            _ => byte == Some(0),
        });
        changed | (!fits && self.fields[dst.0].take().is_some())
    }

    /// The first contents of a global object must be values of its fields.
    fn settle_init(&mut self, object: ObjId) -> bool {
        let Some(fields) = &self.fields[object] else { return false };
        let pool = &self.program.exprs;
        let fits = self.program.objects[object].init.iter().all(|init| {
            let ty = pool.ty(init.value);
            let end = init.offset + ty.bytes(self.program.ptr_bits);
            let mut over = fields.iter().filter(|(at, field)| {
                **at < end && init.offset < **at + field.bytes(self.program.ptr_bits)
            });
            over.all(|(&at, &field)| at == init.offset && field == ty)
        });
        !fits && self.fields[object].take().is_some()
    }

    /// A field that is only partly inside keeps the object in memory.
    fn drop_if_cut(&mut self, (object, start): Place, size: u64) -> bool {
        let Some(fields) = &self.fields[object] else { return false };
        let end = start + size;
        let cut = |border: u64, at: u64, ty: Ty| {
            at < border && border < at + ty.bytes(self.program.ptr_bits)
        };
        let any = fields.iter().any(|(&at, &ty)| cut(start, at, ty) || cut(end, at, ty));
        any && self.fields[object].take().is_some()
    }

    fn fields_in(&self, (object, start): Place, size: u64) -> Vec<(u64, Ty)> {
        let fields = self.fields[object].iter().flat_map(|it| it.range(start..start + size));
        fields.map(|(&at, &ty)| (at, ty)).collect()
    }
}
