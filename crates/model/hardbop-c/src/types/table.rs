//! Types as values: cheap to clone, records by id.

use std::rc::Rc;

use hardbop_base::{IndexVec, Name, define_id};
use hardbop_cir::{FloatTy, Ty};

use super::layout::{DataModel, RecordInfo};
use crate::syntax::literal::Encoding;

define_id!(
    /// A struct or union.
    RecordId, "r"
);

#[derive(Clone, Debug)]
pub struct CType {
    pub kind: TypeKind,
    pub is_const: bool,
    pub is_volatile: bool,
    /// `_Atomic`, where that makes a difference: in programs with threads.
    pub is_atomic: bool,
    /// In bytes, where a typedef asks for one; 0 for that of the kind.
    pub align: u32,
}

/// Types that differ in alignment or `volatile` alone are the same type.
impl PartialEq for CType {
    fn eq(&self, other: &CType) -> bool {
        self.kind == other.kind && self.is_const == other.is_const
    }
}

impl Eq for CType {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Void,
    Bool,
    /// `rank` orders the types of one width for conversions: plain char 0, signed and unsigned char 1 … long long 5, __int128 6.
    Int {
        bits: u8,
        is_signed: bool,
        rank: u8,
    },
    Float(FloatTy),
    Ptr(Rc<CType>),
    Array(Rc<CType>, Len),
    Record(RecordId),
    Func(Rc<FuncType>),
}

/// The length of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Len {
    Fixed(u64),
    /// To be completed by an initialiser, or a flexible array member.
    Unknown,
    /// Known when the program runs: the register that holds the size in bytes of the array.
    Variable(hardbop_cir::VarId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncType {
    pub result: CType,
    pub params: Vec<CType>,
    pub is_variadic: bool,
    pub has_prototype: bool,
}

#[derive(Debug)]
pub struct Types {
    pub model: DataModel,
    pub records: IndexVec<RecordId, RecordInfo>,
}

impl CType {
    pub const VOID: CType = CType {
        kind: TypeKind::Void,
        is_const: false,
        is_volatile: false,
        is_atomic: false,
        align: 0,
    };
    pub const BOOL: CType = CType {
        kind: TypeKind::Bool,
        is_const: false,
        is_volatile: false,
        is_atomic: false,
        align: 0,
    };
    pub const INT: CType = CType::int(32, true, 3);
    pub const UINT: CType = CType::int(32, false, 3);
    /// Of the width and sign of `signed char`, and yet another type.
    pub const CHAR: CType = CType::int(8, true, 0);
    pub const DOUBLE: CType = CType {
        kind: TypeKind::Float(FloatTy::F64),
        is_const: false,
        is_volatile: false,
        is_atomic: false,
        align: 0,
    };

    pub const fn int(bits: u8, is_signed: bool, rank: u8) -> CType {
        CType {
            kind: TypeKind::Int { bits, is_signed, rank },
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            align: 0,
        }
    }

    pub fn new(kind: TypeKind) -> CType {
        CType { kind, is_const: false, is_volatile: false, is_atomic: false, align: 0 }
    }

    pub fn ptr_to(self) -> CType {
        CType::new(TypeKind::Ptr(Rc::new(self)))
    }

    pub fn array(self, len: Len) -> CType {
        CType::new(TypeKind::Array(Rc::new(self), len))
    }

    /// Without its qualifiers, as a value has.
    pub fn unqualified(&self) -> CType {
        CType {
            kind: self.kind.clone(),
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            align: 0,
        }
    }

    /// Whether an object of this type is not to be written: one of an array by its elements.
    pub fn is_const_object(&self) -> bool {
        match &self.kind {
            TypeKind::Array(element, _) => self.is_const || element.is_const_object(),
            _ => self.is_const,
        }
    }

    /// The same for `volatile`.
    pub fn is_volatile_object(&self) -> bool {
        match &self.kind {
            TypeKind::Array(element, _) => self.is_volatile || element.is_volatile_object(),
            _ => self.is_volatile,
        }
    }

    /// Whether a qualifier stands before the type itself.
    pub fn is_qualified(&self) -> bool {
        self.is_const || self.is_volatile
    }

    /// With qualifiers besides its own; those of an array are its elements' (6.7.3, 9).
    pub fn with_qualifiers(mut self, is_const: bool, is_volatile: bool) -> CType {
        if !(is_const || is_volatile) {
            return self;
        }
        if let TypeKind::Array(element, _) = &mut self.kind {
            *element = Rc::new(CType::clone(element).with_qualifiers(is_const, is_volatile));
            return self;
        }
        self.is_const |= is_const;
        self.is_volatile |= is_volatile;
        self
    }

    pub fn is_void(&self) -> bool {
        self.kind == TypeKind::Void
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.kind, TypeKind::Bool | TypeKind::Int { .. })
    }

    /// Whether it is an array whose length is computed when the program runs.
    pub fn is_variable(&self) -> bool {
        matches!(self.kind, TypeKind::Array(_, Len::Variable(_)))
    }

    pub fn is_float(&self) -> bool {
        matches!(self.kind, TypeKind::Float(_))
    }

    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_float()
    }

    pub fn is_ptr(&self) -> bool {
        matches!(self.kind, TypeKind::Ptr(_))
    }

    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_ptr()
    }

    pub fn is_signed(&self) -> bool {
        matches!(self.kind, TypeKind::Int { is_signed: true, .. })
    }

    /// What a pointer or array leads to.
    pub fn pointee(&self) -> Option<&CType> {
        match &self.kind {
            TypeKind::Ptr(to) | TypeKind::Array(to, _) => Some(to),
            _ => None,
        }
    }

    pub fn func(&self) -> Option<&Rc<FuncType>> {
        match &self.kind {
            TypeKind::Func(func) => Some(func),
            TypeKind::Ptr(to) => match &to.kind {
                TypeKind::Func(func) => Some(func),
                _ => None,
            },
            _ => None,
        }
    }

    /// Arrays and functions become pointers where a value is wanted.
    pub fn decayed(&self) -> CType {
        match &self.kind {
            TypeKind::Array(of, _) => CType::new(TypeKind::Ptr(of.clone())),
            TypeKind::Func(_) => self.clone().ptr_to(),
            _ => self.unqualified(),
        }
    }
}

impl Types {
    pub fn new(model: DataModel) -> Self {
        Types { model, records: IndexVec::new() }
    }

    /// The register type of a scalar. Truth values take a byte in memory and in registers.
    pub fn ty(&self, ctype: &CType) -> Option<Ty> {
        match &ctype.kind {
            TypeKind::Bool => Some(Ty::Int(8)),
            TypeKind::Int { bits, .. } => Some(Ty::Int(*bits)),
            TypeKind::Float(float) => Some(Ty::Float(*float)),
            TypeKind::Ptr(_) => Some(Ty::Ptr),
            _ => None,
        }
    }

    pub fn size_type(&self) -> CType {
        match self.model {
            DataModel::Ilp32 => CType::int(32, false, 3),
            DataModel::Lp64 => CType::int(64, false, 4),
        }
    }

    pub fn ptrdiff_type(&self) -> CType {
        match self.model {
            DataModel::Ilp32 => CType::int(32, true, 3),
            DataModel::Lp64 => CType::int(64, true, 4),
        }
    }

    pub fn long(&self, is_signed: bool) -> CType {
        CType::int(self.model.ptr_bits(), is_signed, 4)
    }

    /// The elements of a string literal. `wchar_t` is what the ABI says.
    pub fn text_element(&self, encoding: Encoding) -> CType {
        match (encoding, self.model) {
            (Encoding::Plain | Encoding::Utf8, _) => CType::CHAR,
            (Encoding::Utf16, _) => CType::int(16, false, 2),
            (Encoding::Utf32, _) => CType::UINT,
            (Encoding::Wide, DataModel::Lp64) => CType::INT,
            (Encoding::Wide, DataModel::Ilp32) => self.long(true),
        }
    }

    /// Integer promotion.
    pub fn promoted(&self, ctype: &CType) -> CType {
        match ctype.kind {
            TypeKind::Bool => CType::INT,
            TypeKind::Int { rank, .. } if rank < 3 => CType::INT,
            _ => ctype.unqualified(),
        }
    }

    /// The usual arithmetic conversions; `None` if one side is no number.
    pub fn common(&self, a: &CType, b: &CType) -> Option<CType> {
        if !a.is_arithmetic() || !b.is_arithmetic() {
            return None;
        }
        match (&a.kind, &b.kind) {
            (TypeKind::Float(x), TypeKind::Float(y)) => {
                return Some(CType::new(TypeKind::Float(*x.max(y))));
            }
            (TypeKind::Float(x), _) | (_, TypeKind::Float(x)) => {
                return Some(CType::new(TypeKind::Float(*x)));
            }
            _ => {}
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (
            TypeKind::Int { bits: wa, is_signed: sa, rank: ra },
            TypeKind::Int { bits: wb, is_signed: sb, rank: rb },
        ) = (&a.kind, &b.kind)
        else {
            return None;
        };
        // The types of wide bit-fields lie between `int` and `long`, by their widths.
        let (ra, rb) = (&(*ra, *wa), &(*rb, *wb));
        if sa == sb {
            return Some(if ra >= rb { a } else { b });
        }
        let ((wu, ru, unsigned), (ws, rs, signed)) =
            if *sa { ((wb, rb, &b), (wa, ra, &a)) } else { ((wa, ra, &a), (wb, rb, &b)) };
        if ru >= rs {
            return Some(unsigned.clone());
        }
        if ws > wu {
            return Some(signed.clone());
        }
        // The unsigned type of the signed operand's rank.
        Some(CType::int(*ws, false, rs.0))
    }

    /// The name a message gives a type.
    pub fn describe(&self, ctype: &CType) -> String {
        match &ctype.kind {
            TypeKind::Void => "void".into(),
            TypeKind::Bool => "_Bool".into(),
            TypeKind::Int { bits, is_signed, rank } => {
                let sign = if *is_signed { "" } else { "unsigned " };
                let word = match rank {
                    0 | 1 => "char",
                    2 => "short",
                    3 => "int",
                    4 => "long",
                    5 => "long long",
                    _ => "__int128",
                };
                if *rank == 1 && *bits == 8 && *is_signed {
                    return "signed char".into();
                }
                format!("{sign}{word}")
            }
            TypeKind::Float(FloatTy::F32) => "float".into(),
            TypeKind::Float(FloatTy::F64) => "double".into(),
            TypeKind::Float(FloatTy::F80) => "long double".into(),
            TypeKind::Float(FloatTy::F128) => "_Float128".into(),
            TypeKind::Ptr(to) => format!("{} *", self.describe(to)),
            TypeKind::Array(of, Len::Fixed(n)) => format!("{} [{n}]", self.describe(of)),
            TypeKind::Array(of, _) => format!("{} []", self.describe(of)),
            TypeKind::Record(id) => {
                let info = &self.records[*id];
                let word = if info.is_union { "union" } else { "struct" };
                let name: Name = info.tag.clone().unwrap_or_else(|| "(unnamed)".into());
                format!("{word} {name}")
            }
            TypeKind::Func(func) => format!("function returning {}", self.describe(&func.result)),
        }
    }

    /// Whether two types are the same but for qualifiers, as `_Generic` and
    /// `__builtin_types_compatible_p` ask.
    pub fn compatible(&self, a: &CType, b: &CType) -> bool {
        match (&a.kind, &b.kind) {
            (TypeKind::Ptr(a), TypeKind::Ptr(b)) => {
                let same = (a.is_const_object(), a.is_volatile_object())
                    == (b.is_const_object(), b.is_volatile_object());
                same && self.compatible(a, b)
            }
            (TypeKind::Array(a, la), TypeKind::Array(b, lb)) => {
                self.compatible(a, b) && (la == lb || *la == Len::Unknown || *lb == Len::Unknown)
            }
            (a, b) => a == b,
        }
    }
}
