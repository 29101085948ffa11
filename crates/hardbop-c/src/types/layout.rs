//! Sizes, alignments and offsets as the System V ABIs for i386 and x86-64 fix them.
//!
//! Bit-fields follow the ABI's rule: a field lies in the next free bits unless it would cross a
//! boundary of its declared type; a width of 0 moves on to such a boundary.

use hardbop_base::Name;
use hardbop_cir::{FloatTy, Shape};

use super::table::{CType, Len, RecordId, TypeKind, Types};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub fn ptr_bits(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

#[derive(Clone, Debug)]
pub struct RecordInfo {
    pub tag: Option<Name>,
    pub is_union: bool,
    /// `None` until the definition has been seen.
    pub fields: Option<Vec<FieldInfo>>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// `None` for unnamed records, whose fields are found through them.
    pub name: Option<Name>,
    pub ctype: CType,
    /// In bytes; of a bit-field, that of the unit of its type it lies in.
    pub offset: u64,
    /// First bit in the unit, and width.
    pub bits: Option<(u8, u8)>,
}

/// A field as declared.
pub struct FieldSpec {
    pub name: Option<Name>,
    pub ctype: CType,
    pub width: Option<u8>,
    pub align: Option<u64>,
    pub is_packed: bool,
}

impl Types {
    /// `None` for incomplete types, functions and arrays of variable length.
    pub fn size(&self, ctype: &CType) -> Option<u64> {
        match &ctype.kind {
            // As compilers have it, so that arithmetic on `void *` counts bytes.
            TypeKind::Void | TypeKind::Bool | TypeKind::Func(_) => Some(1),
            TypeKind::Int { bits, .. } => Some(u64::from(*bits) / 8),
            TypeKind::Float(float) => {
                Some(hardbop_cir::Ty::Float(*float).bytes(self.model.ptr_bits()))
            }
            TypeKind::Ptr(_) => Some(u64::from(self.model.ptr_bits()) / 8),
            TypeKind::Array(of, Len::Fixed(n)) => self.size(of)?.checked_mul(*n),
            TypeKind::Array(..) => None,
            TypeKind::Record(id) => {
                let info = &self.records[*id];
                info.fields.as_ref().map(|_| info.size)
            }
        }
    }

    pub fn align(&self, ctype: &CType) -> u64 {
        match &ctype.kind {
            TypeKind::Array(of, _) => self.align(of),
            TypeKind::Record(id) => self.records[*id].align,
            TypeKind::Float(FloatTy::F80) if self.model == DataModel::Ilp32 => 4,
            TypeKind::Float(FloatTy::F128) => 16,
            // i386 aligns 8-byte scalars to 4 inside structs; this is what layout needs.
            _ => match self.size(ctype).unwrap_or(1) {
                size if self.model == DataModel::Ilp32 => size.min(4),
                size => size,
            },
        }
    }

    /// Lays a record out; `false` if it is larger than memory.
    pub fn define(
        &mut self,
        id: RecordId,
        specs: Vec<FieldSpec>,
        is_packed: bool,
        align: Option<u64>,
    ) -> bool {
        let is_union = self.records[id].is_union;
        let mut fields = Vec::new();
        // Bits used so far.
        let (mut at, mut largest, mut alignment) = (0u64, 0u64, 1u64);
        for spec in specs {
            let size = match (&spec.ctype.kind, self.size(&spec.ctype)) {
                (TypeKind::Array(_, Len::Unknown), _) => 0,
                (_, size) => size.unwrap_or(0),
            };
            let packed = is_packed || spec.is_packed;
            let natural = if packed { 1 } else { self.align(&spec.ctype) };
            let natural = natural.max(spec.align.unwrap_or(1));
            if is_union {
                at = 0;
            }
            let Some(bits) = size.checked_mul(8).filter(|it| it.checked_add(at).is_some()) else {
                return false;
            };
            match spec.width {
                Some(0) => {
                    at = at.next_multiple_of(bits.max(1));
                    continue;
                }
                Some(width) => {
                    let unit = if packed { 8 } else { bits };
                    if !packed && at / unit != (at + u64::from(width) - 1) / unit {
                        at = at.next_multiple_of(unit);
                    }
                    if spec.name.is_some() {
                        alignment = alignment.max(natural);
                    }
                    // The unit is where the field's own type would lie.
                    let start = if packed { at / 8 * 8 } else { at / unit * unit };
                    let first = (at - start) as u8;
                    fields.push(FieldInfo {
                        name: spec.name,
                        ctype: spec.ctype,
                        offset: start / 8,
                        bits: Some((first, width)),
                    });
                    at += u64::from(width);
                }
                None => {
                    let Some(aligned) = at.checked_next_multiple_of(natural * 8) else {
                        return false;
                    };
                    at = aligned;
                    alignment = alignment.max(natural);
                    fields.push(FieldInfo {
                        name: spec.name,
                        ctype: spec.ctype,
                        offset: at / 8,
                        bits: None,
                    });
                    at += bits;
                }
            }
            largest = largest.max(at);
        }
        alignment = alignment.max(align.unwrap_or(1));
        let info = &mut self.records[id];
        info.size = largest.div_ceil(8).next_multiple_of(alignment);
        info.align = alignment;
        info.fields = Some(fields);
        true
    }

    /// A field by name, through unnamed records: its offset from the start, and the field.
    pub fn field(&self, id: RecordId, name: &str) -> Option<(u64, FieldInfo)> {
        for field in self.records[id].fields.as_ref()? {
            match (&field.name, &field.ctype.kind) {
                (Some(it), _) if **it == *name => return Some((field.offset, field.clone())),
                (None, TypeKind::Record(inner)) => {
                    if let Some((offset, found)) = self.field(*inner, name) {
                        return Some((field.offset + offset, found));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// How the IR prints an object of the type.
    pub fn shape(&self, ctype: &CType) -> Shape {
        match &ctype.kind {
            TypeKind::Array(of, Len::Fixed(len)) => match self.size(of) {
                Some(stride) => {
                    Shape::Array { element: Box::new(self.shape(of)), stride, len: *len }
                }
                None => Shape::Bytes,
            },
            TypeKind::Record(id) => {
                let fields = self.records[*id].fields.iter().flatten();
                let plain = fields.filter(|field| field.bits.is_none());
                Shape::Record(
                    plain
                        .map(|field| {
                            let name = field.name.clone().unwrap_or_else(|| "".into());
                            (name, field.offset, self.shape(&field.ctype))
                        })
                        .collect(),
                )
            }
            _ => match self.ty(ctype) {
                Some(ty) => Shape::Scalar { ty, is_signed: ctype.is_signed() },
                None => Shape::Bytes,
            },
        }
    }
}
