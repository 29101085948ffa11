//! Sizes and alignments as the System V ABIs for i386 and x86-64 fix them.

use hardbop_base::Name;
use hardbop_cir::{FloatTy, Shape};
use rustc_hash::FxHashMap;

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
    /// Positions of the fields with a name.
    pub by_name: FxHashMap<Name, usize>,
    /// Positions of the fields that an initialiser counts.
    pub members: Vec<usize>,
    pub size: u64,
    pub align: u64,
    /// As a parameter it takes a value of any member's type.
    pub is_transparent: bool,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// `None` for unnamed records, whose fields are found through them.
    pub name: Option<Name>,
    pub ctype: CType,
    /// In bytes; of a bit-field, that of the byte its first bit lies in.
    pub offset: u64,
    /// First bit in the byte, and width.
    pub bits: Option<(u8, u8)>,
    /// Where the memory location begins, in bytes: bit-fields that follow each other are one.
    pub location: u64,
    /// In bytes, as `__alignof__` tells it.
    pub align: u64,
}

impl Types {
    /// `None` for incomplete types, functions and arrays of variable length.
    pub fn size(&self, ctype: &CType) -> Option<u64> {
        match &ctype.kind {
            // As compilers have it, so that arithmetic on `void *` counts bytes.
            TypeKind::Void | TypeKind::Bool | TypeKind::Func(_) => Some(1),
            // The type of a wide bit-field has any number of bits.
            TypeKind::Int { bits, .. } => Some(u64::from(bits.next_power_of_two()) / 8),
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

    /// What a variable of the type has, as `__alignof__` tells it.
    pub fn align(&self, ctype: &CType) -> u64 {
        if ctype.align != 0 {
            return u64::from(ctype.align);
        }
        match &ctype.kind {
            TypeKind::Array(of, _) => self.align(of),
            TypeKind::Record(id) => self.records[*id].align,
            TypeKind::Float(FloatTy::F80) if self.model == DataModel::Ilp32 => 4,
            TypeKind::Float(FloatTy::F128) => 16,
            _ => self.size(ctype).unwrap_or(1),
        }
    }

    /// What a member of the type has, as `_Alignof` tells it: i386 aligns `long long` and `double` to
    /// 4 bytes inside of records, unless an alignment was asked for.
    pub fn field_align(&self, ctype: &CType) -> u64 {
        let align = self.align(ctype);
        if ctype.align != 0 || self.model == DataModel::Lp64 {
            return align;
        }
        match &ctype.kind {
            TypeKind::Array(of, _) => self.field_align(of),
            TypeKind::Record(_) | TypeKind::Float(FloatTy::F80 | FloatTy::F128) => align,
            _ => align.min(4),
        }
    }

    /// A field by name, through unnamed records: its offset from the start, and the field.
    pub fn field(&self, id: RecordId, name: &str) -> Option<(u64, FieldInfo)> {
        if let Some(&at) = self.records[id].by_name.get(name) {
            let field = self.records[id].fields.as_ref()?.get(at)?;
            return Some((field.offset, field.clone()));
        }
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
        self.shape_and_size(ctype).0
    }

    /// Both at once: to ask for the size of each dimension anew would take the square of their number.
    fn shape_and_size(&self, ctype: &CType) -> (Shape, Option<u64>) {
        let TypeKind::Array(of, Len::Fixed(len)) = &ctype.kind else {
            return (self.shape_of_one(ctype), self.size(ctype));
        };
        let (element, stride) = self.shape_and_size(of);
        match stride {
            Some(stride) => {
                let shape = Shape::Array { element: Box::new(element), stride, len: *len };
                (shape, stride.checked_mul(*len))
            }
            None => (Shape::Bytes, None),
        }
    }

    fn shape_of_one(&self, ctype: &CType) -> Shape {
        match &ctype.kind {
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
