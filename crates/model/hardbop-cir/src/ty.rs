//! The types of values: bit-vectors, floating point, pointers. C's types end in the front end.

use std::fmt;

/// The widest bit-vector.
pub const MAX_WIDTH: u8 = 128;

/// The type of a value. Signedness belongs to operators, not to types; a truth value is `Int(1)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// A bit-vector of 1 to [`MAX_WIDTH`] bits.
    Int(u8),
    Float(FloatTy),
    /// An object and an offset in bytes; see `program`.
    Ptr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatTy {
    F32,
    F64,
    /// `long double`: stored in 12 or 16 bytes. It is kept as an [`FloatTy::F64`]: the front end ends
    /// a path where that would not be exact.
    F80,
    /// `_Float128`, in 16 bytes; kept in the same way.
    F128,
}

impl FloatTy {
    /// Whether a value may need more digits than the `f64` it is kept as.
    pub fn is_wider_than_double(self) -> bool {
        matches!(self, FloatTy::F80 | FloatTy::F128)
    }
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);

    /// The bits a value of the type takes in a register.
    pub fn bits(self, ptr_bits: u8) -> u32 {
        match self {
            Ty::Int(width) => u32::from(width),
            Ty::Float(FloatTy::F32) => 32,
            Ty::Float(FloatTy::F64) => 64,
            Ty::Float(FloatTy::F80) => 80,
            Ty::Float(FloatTy::F128) => 128,
            Ty::Ptr => u32::from(ptr_bits),
        }
    }

    /// The bytes a value of the type takes in memory.
    pub fn bytes(self, ptr_bits: u8) -> u64 {
        match self {
            Ty::Float(FloatTy::F80) if ptr_bits == 32 => 12,
            Ty::Float(FloatTy::F80) => 16,
            _ => u64::from(self.bits(ptr_bits).div_ceil(8)),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(width) => write!(f, "i{width}"),
            Ty::Float(FloatTy::F32) => f.write_str("f32"),
            Ty::Float(FloatTy::F64) => f.write_str("f64"),
            Ty::Float(FloatTy::F80) => f.write_str("f80"),
            Ty::Float(FloatTy::F128) => f.write_str("f128"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}

/// Reads what `Display` writes.
pub fn parse_ty(text: &str) -> Option<Ty> {
    Some(match text {
        "ptr" => Ty::Ptr,
        "f32" => Ty::Float(FloatTy::F32),
        "f64" => Ty::Float(FloatTy::F64),
        "f80" => Ty::Float(FloatTy::F80),
        "f128" => Ty::Float(FloatTy::F128),
        _ => {
            let width = text.strip_prefix('i')?.parse().ok()?;
            return (1..=MAX_WIDTH).contains(&width).then_some(Ty::Int(width));
        }
    })
}
