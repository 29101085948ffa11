//! Bit-fields of local structures: which of them have a value, one by one.
//!
//! Memory knows it of bytes, and bit-fields share bytes. Where a structure is used by its name alone, a register for each of its
//! bit-fields says so. What writes the structure otherwise gives all of them a value.

use hardbop_base::{Name, Span};
use hardbop_cir::{BinOp, Class, Expr, ExprId, ObjId, Op, Ty, VarId, VarKind};
use rustc_hash::FxHashMap;

use super::state::Lower;
use crate::types::{CType, TypeKind, Types};

/// Of the objects that are followed, by the first bit counted from the start of the object.
pub(super) type BitFlags = FxHashMap<ObjId, Vec<(u64, VarId)>>;

impl Lower<'_> {
    /// A local structure is declared without a first value.
    pub fn follow_bits(&mut self, object: ObjId, name: &Name, ctype: &CType, span: Span) {
        if !self.checks(Class::Uninit) || self.addressed_here.contains(name) {
            return;
        }
        let mut bits = Vec::new();
        bit_fields(&self.types, ctype, 0, &mut bits);
        let mut flags = Vec::new();
        for first in bits {
            let known = self.new_var(
                format!("{name}.known").into(),
                Ty::BOOL,
                false,
                VarKind::Local,
                Some(span),
            );
            let value = self.program.exprs.bool(false);
            self.emit(Op::Set { dst: known, value }, span);
            flags.push((first, known));
        }
        if !flags.is_empty() {
            self.func.bit_flags.insert(object, flags);
        }
    }

    /// The register that says whether the bit-field at a place has a value.
    pub fn bit_flag(&self, ptr: ExprId, first: u8) -> Option<VarId> {
        let (object, at) = self.fixed_place(ptr)?;
        let wanted = 8 * at + u64::from(first);
        let flags = self.func.bit_flags.get(&object)?;
        flags.iter().find(|it| it.0 == wanted).map(|it| it.1)
    }

    /// What an instruction that is no assignment to a bit-field says of them.
    pub fn bits_written(&mut self, op: &Op) -> Vec<Op> {
        if self.func.bit_flags.is_empty() {
            return Vec::new();
        }
        let ptr_bits = self.program.ptr_bits;
        match op {
            Op::Store { ptr, value } => {
                let size = self.program.exprs.ty(*value).bytes(ptr_bits);
                self.bits_given(*ptr, Some(size), None)
            }
            Op::Copy { dst, src, size } => {
                let size = self.program.exprs.as_int(*size).map(|it| it as u64);
                self.bits_given(*dst, size, self.fixed_place(*src))
            }
            Op::Fill { dst, size, .. } => {
                let size = self.program.exprs.as_int(*size).map(|it| it as u64);
                self.bits_given(*dst, size, None)
            }
            Op::Havoc { ptr } => self.bits_given(*ptr, None, None),
            Op::Call { args, .. } => {
                args.iter().flat_map(|&arg| self.bits_given(arg, None, None)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `size` bytes from a pointer on are written, or any number of them: with what another object holds from a place on,
    /// or with something.
    fn bits_given(
        &mut self,
        ptr: ExprId,
        size: Option<u64>,
        from: Option<(ObjId, u64)>,
    ) -> Vec<Op> {
        let mut objects = Vec::new();
        self.program.exprs.visit(ptr, &mut |_, node| {
            if let Expr::Addr(object) = node {
                objects.push(object);
            }
        });
        let place = self.fixed_place(ptr);
        let mut given = Vec::new();
        for object in objects {
            let start = place.filter(|it| it.0 == object).map(|it| it.1);
            for &(bit, dst) in self.func.bit_flags.get(&object).into_iter().flatten() {
                let is_hit = match start.zip(size) {
                    Some((start, size)) => (start..start + size).contains(&(bit / 8)),
                    None => true,
                };
                let source = from.zip(start).and_then(|((other, at), start)| {
                    let wanted = bit.checked_sub(8 * start)? + 8 * at;
                    self.func.bit_flags.get(&other)?.iter().find(|it| it.0 == wanted)
                });
                if is_hit {
                    given.push((dst, source.map(|it| it.1)));
                }
            }
        }
        let ops = given.into_iter().map(|(dst, source)| {
            let value = match source {
                Some(source) => self.program.exprs.var(source, Ty::BOOL),
                None => self.program.exprs.bool(true),
            };
            Op::Set { dst, value }
        });
        ops.collect()
    }

    /// The object and the offset of an address that is fixed.
    fn fixed_place(&self, ptr: ExprId) -> Option<(ObjId, u64)> {
        let pool = &self.program.exprs;
        let (mut at, mut offset) = (ptr, 0u64);
        loop {
            match pool.get(at) {
                Expr::Addr(object) => return Some((object, offset)),
                Expr::Binary(BinOp::PtrAdd, base, by) => {
                    offset = offset.checked_add(u64::try_from(pool.as_int(by)?).ok()?)?;
                    at = base;
                }
                _ => return None,
            }
        }
    }
}

/// The first bits of the bit-fields of a structure and of those in it. Those of unions and arrays are not followed.
fn bit_fields(types: &Types, ctype: &CType, at: u64, into: &mut Vec<u64>) {
    let TypeKind::Record(id) = ctype.kind else { return };
    let record = &types.records[id];
    if record.is_union {
        return;
    }
    for field in record.fields.iter().flatten() {
        match field.bits {
            Some((first, _)) => into.push(8 * (at + field.offset) + u64::from(first)),
            None => bit_fields(types, &field.ctype, at + field.offset, into),
        }
    }
}
