//! Objects that are only accessed at fixed places become registers, one for each field (scalar
//! replacement of aggregates; FS section III gives every field of a structure a variable of its own).
//!
//! An object is promoted if every mention of its address is the place of a load, a store, a copy,
//! a fill or a check with constant offset and size, inside the object, and its accesses fall into
//! fields of one type each that do not overlap and have a name in the source. Nothing else can reach such an object: its address
//! is nowhere. Registers are what slicing, ranges and guessed invariants work on.
//!
//! Invariant: a field's register holds what its bytes would, from each [`Op::Enter`] of a local
//! object (arbitrary values) or the start (a global one's first contents) on.

use std::collections::BTreeMap;

use hardbop_base::{Idx, IndexVec, Name};

use crate::check::Cond;
use crate::eval::{mask, signed};
use crate::expr::{BinOp, Expr, ExprId};
use crate::program::{Inst, ObjId, ObjKind, Op, Program, Shape, Source, VarId, VarInfo, VarKind};
use crate::ty::Ty;

/// More fields than this are better left to the engines' arrays.
const MAX_FIELDS: usize = 256;

/// A byte of an object.
type Place = (ObjId, u64);

/// Returns how many objects became registers.
pub fn promote(program: &mut Program) -> usize {
    let mut finder = Finder::new(program);
    finder.collect();
    finder.settle();
    let fields = finder.fields;
    let mut promoter = Promoter { registers: IndexVec::new() };
    let mut n_promoted = 0;
    for (object, fields) in fields.into_iter().enumerate() {
        let object = ObjId::new(object);
        let registers = fields.map(|fields| {
            n_promoted += 1;
            let register = |(at, ty)| (at, new_register(program, object, at, ty));
            fields.into_iter().map(register).collect()
        });
        promoter.registers.push(registers);
    }
    if n_promoted > 0 {
        promoter.rewrite(program);
    }
    n_promoted
}

/// The object and the offset of a pointer with a constant place.
fn place(program: &Program, ptr: ExprId) -> Option<Place> {
    let (mut at, mut offset) = (ptr, 0i128);
    loop {
        match program.exprs.get(at) {
            Expr::Addr(object) => return Some((object, u64::try_from(offset).ok()?)),
            Expr::Binary(BinOp::PtrAdd, base, by) => {
                offset += signed(program.exprs.as_int(by)?, program.ptr_bits);
                at = base;
            }
            _ => return None,
        }
    }
}

/// Finds the objects and their fields.
struct Finder<'a> {
    program: &'a Program,
    /// By offset; `None` if the object stays in memory.
    fields: IndexVec<ObjId, Option<BTreeMap<u64, Ty>>>,
    copies: Vec<(Place, Option<Place>, u64)>,
    fills: Vec<(Place, Option<u128>, u64)>,
}

impl<'a> Finder<'a> {
    fn new(program: &'a Program) -> Self {
        let fields = program.objects.iter().map(|it| match it.kind {
            ObjKind::Heap(_) => None,
            _ => it.size.map(|_| BTreeMap::new()),
        });
        Finder { program, fields: fields.collect(), copies: Vec::new(), fills: Vec::new() }
    }

    fn collect(&mut self) {
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
    fn settle(&mut self) {
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

/// Whether a check of a constant place holds always.
fn never_fails(program: &Program, cond: &Cond) -> bool {
    let at = |ptr: &ExprId| place(program, *ptr);
    match cond {
        Cond::NotNull(ptr) => at(ptr).is_some(),
        // The front end enters an object before anything can name it.
        Cond::Alive(ptr) => at(ptr).is_some(),
        Cond::Writable(ptr) => at(ptr).is_some_and(|it| !program.objects[it.0].is_const),
        Cond::InBounds { ptr, size } => match (at(ptr), program.exprs.as_int(*size)) {
            (Some((object, at)), Some(size)) => program.objects[object]
                .size
                .is_some_and(|all| u128::from(at).saturating_add(size) <= u128::from(all)),
            _ => false,
        },
        _ => false,
    }
}

fn new_register(program: &mut Program, object: ObjId, at: u64, ty: Ty) -> VarId {
    let info = &program.objects[object];
    let (path, is_signed) = path(&info.shape, at, ty).unwrap_or_default();
    let name: Name = format!("{}{path}", info.name).into();
    let (kind, owner) = match info.kind {
        ObjKind::Local(owner) => (VarKind::Local, Some(owner)),
        _ => (VarKind::Global, None),
    };
    let init = match owner {
        Some(_) => None,
        None => Some(match info.init.iter().rev().find(|it| it.offset == at) {
            Some(init) => init.value,
            None => zero(program, ty),
        }),
    };
    let span = program.objects[object].span;
    program.vars.push(VarInfo { name, ty, is_signed, kind, owner, init, span })
}

pub(super) fn zero(program: &mut Program, ty: Ty) -> ExprId {
    match ty {
        Ty::Int(width) => program.exprs.int(width, 0),
        Ty::Float(ty) => program.exprs.add(Expr::Float { ty, bits: 0 }),
        Ty::Ptr => program.exprs.add(Expr::Null),
    }
}

/// How the source names the scalar of this type at an offset, and whether it has a sign. Bit-fields
/// have no place of their own, and no name.
fn path(shape: &Shape, at: u64, wanted: Ty) -> Option<(String, bool)> {
    match shape {
        Shape::Scalar { ty, is_signed } => {
            (at == 0 && *ty == wanted).then(|| (String::new(), *is_signed))
        }
        Shape::Bytes => None,
        Shape::Array { element, stride, len } => {
            let index = at.checked_div(*stride).filter(|it| it < len)?;
            let (rest, is_signed) = path(element, at % stride, wanted)?;
            Some((format!("[{index}]{rest}"), is_signed))
        }
        // Those of a union overlap: the first that fits.
        Shape::Record(fields) => fields.iter().find_map(|(name, start, shape)| {
            let (rest, is_signed) = path(shape, at.checked_sub(*start)?, wanted)?;
            // The fields of an anonymous structure are those of the one around it.
            let name = if name.is_empty() { rest } else { format!(".{name}{rest}") };
            Some((name, is_signed))
        }),
    }
}

/// Replaces the accesses.
struct Promoter {
    /// The register of each field.
    registers: IndexVec<ObjId, Option<BTreeMap<u64, VarId>>>,
}

impl Promoter {
    fn rewrite(&self, program: &mut Program) {
        for func in program.funcs.ids() {
            for block in program.funcs[func].blocks.ids() {
                let insts = std::mem::take(&mut program.funcs[func].blocks[block].insts);
                let mut new = Vec::with_capacity(insts.len());
                for Inst { op, span } in insts {
                    match self.inst(program, &op) {
                        Some(ops) => new.extend(ops.into_iter().map(|op| Inst { op, span })),
                        None => new.push(Inst { op, span }),
                    }
                }
                program.funcs[func].blocks[block].insts = new;
            }
        }
        for (object, registers) in self.registers.iter_enumerated() {
            if registers.is_some() {
                program.objects[object].init.clear();
            }
        }
    }

    /// The registers of the object a pointer points to, if that was promoted.
    fn target(&self, program: &Program, ptr: ExprId) -> Option<(&BTreeMap<u64, VarId>, u64)> {
        let (object, at) = place(program, ptr)?;
        Some((self.registers[object].as_ref()?, at))
    }

    /// What stands for an instruction; `None` if it stays.
    fn inst(&self, program: &mut Program, op: &Op) -> Option<Vec<Op>> {
        match op {
            Op::Load { dst, ptr } => {
                let (registers, at) = self.target(program, *ptr)?;
                let value = program.exprs.var(registers[&at], program.vars[*dst].ty);
                Some(vec![Op::Set { dst: *dst, value }])
            }
            Op::Store { ptr, value } => {
                let (registers, at) = self.target(program, *ptr)?;
                Some(vec![Op::Set { dst: registers[&at], value: *value }])
            }
            Op::Copy { dst, src, size } => self.copy(program, *dst, *src, *size),
            Op::Fill { dst, byte, size } => {
                let (registers, start) = self.target(program, *dst)?;
                let byte = program.exprs.as_int(*byte).unwrap_or(0);
                let size = program.exprs.as_int(*size)? as u64;
                let fields = registers.range(start..start + size);
                Some(fields.map(|(_, &dst)| fill(program, dst, byte)).collect())
            }
            Op::Enter { object, .. } => {
                let registers = self.registers[*object].as_ref()?;
                let fresh = |&dst| Op::Nondet { dst, source: Source::Uninit };
                Some(registers.values().map(fresh).collect())
            }
            Op::Leave { object } => self.registers[*object].as_ref().map(|_| Vec::new()),
            Op::Check {
                cond:
                    cond @ (Cond::NotNull(ptr)
                    | Cond::Alive(ptr)
                    | Cond::Writable(ptr)
                    | Cond::InBounds { ptr, .. }),
                ..
            } => {
                self.target(program, *ptr)?;
                never_fails(program, cond).then(Vec::new)
            }
            _ => None,
        }
    }

    fn copy(
        &self,
        program: &mut Program,
        dst: ExprId,
        src: ExprId,
        size: ExprId,
    ) -> Option<Vec<Op>> {
        let (to, start) = self.target(program, dst)?;
        let size = program.exprs.as_int(size)? as u64;
        let fields: Vec<(u64, VarId)> =
            to.range(start..start + size).map(|(&at, &dst)| (at - start, dst)).collect();
        let source = self.target(program, src);
        Some(
            fields
                .into_iter()
                .map(|(by, dst)| match source {
                    Some((from, from_start)) => {
                        let ty = program.vars[dst].ty;
                        let value = program.exprs.var(from[&(from_start + by)], ty);
                        Op::Set { dst, value }
                    }
                    None => {
                        let by = program.exprs.int(program.ptr_bits, u128::from(by));
                        Op::Load { dst, ptr: program.exprs.binary(BinOp::PtrAdd, src, by) }
                    }
                })
                .collect(),
        )
    }
}

/// A register whose bytes are all `byte`.
fn fill(program: &mut Program, dst: VarId, byte: u128) -> Op {
    let value = match program.vars[dst].ty {
        Ty::Int(width) => {
            let bytes = (0..width.div_ceil(8)).fold(0, |sum, at| sum | byte << (8 * at));
            program.exprs.int(width, bytes & mask(width))
        }
        ty => zero(program, ty),
    };
    Op::Set { dst, value }
}
