//! Abstract values: constants, numbers with bounds, pointers into nodes.

use hardbop_cir::{FuncId, Ty};

/// A node of a state; from [`LOCAL`] on, a place in the memory of an element, see [`elem`](crate::elem).
pub type NodeId = u32;
/// An arbitrary number that stays the same.
pub type SymId = u32;

/// Names of nodes that are not of a state begin here.
pub const LOCAL: NodeId = 1 << 24;

/// Numbers below this are the address of nothing but null, as in the interpreter.
pub const LEAST_ADDRESS: u128 = 0x1000;

/// Which element of a segment; a node has its first one only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    First,
    Last,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ptr {
    pub node: NodeId,
    pub end: End,
    /// Bytes, modulo the width of a pointer, read as signed.
    pub offset: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The bits of a number; as a pointer one that lies in no object, 0 is null.
    Int(u128),
    /// A number of which the state knows bounds.
    Sym(SymId),
    /// A pointer, or its address as a number of the same width.
    Ptr(Ptr),
    Func(FuncId),
    /// Nothing is known.
    Any,
}

pub const NULL: Value = Value::Int(0);

impl Value {
    pub fn truth(value: bool) -> Value {
        Value::Int(u128::from(value))
    }

    pub fn pointer(self) -> Option<Ptr> {
        match self {
            Value::Ptr(ptr) => Some(ptr),
            _ => None,
        }
    }
}

/// What is known of an arbitrary number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub width: u8,
    /// Inclusive, of the signed reading.
    pub low: i128,
    pub high: i128,
    /// Bits that it is not; few.
    pub not: Vec<u128>,
}

const MAX_NOT: usize = 4;

impl Bounds {
    pub fn top(width: u8) -> Bounds {
        let half = 1i128 << (width.clamp(1, 127) - 1);
        Bounds { width, low: -half, high: half - 1, not: Vec::new() }
    }

    /// Between two numbers, if these fit; else anything.
    pub fn within(width: u8, low: Option<i128>, high: Option<i128>) -> Bounds {
        let top = Bounds::top(width);
        match (low, high) {
            (Some(low), Some(high)) if top.low <= low && high <= top.high => {
                Bounds { low, high, ..top }
            }
            _ => top,
        }
    }

    pub fn signed(&self, bits: u128) -> i128 {
        hardbop_cir::eval::signed(bits, self.width)
    }

    pub fn allows(&self, bits: u128) -> bool {
        (self.low..=self.high).contains(&self.signed(bits)) && !self.not.contains(&bits)
    }

    /// Everything the other allows.
    pub fn covers(&self, other: &Bounds) -> bool {
        self.width == other.width
            && self.low <= other.low
            && other.high <= self.high
            && self.not.iter().all(|&it| !other.allows(it))
    }

    pub fn exclude(&mut self, bits: u128) {
        let number = self.signed(bits);
        if number == self.low {
            self.low += 1;
        } else if number == self.high {
            self.high -= 1;
        } else if self.not.len() < MAX_NOT && !self.not.contains(&bits) {
            self.not.push(bits);
            self.not.sort_unstable();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// The only number allowed.
    pub fn only(&self) -> Option<u128> {
        let mask = hardbop_cir::eval::mask(self.width);
        (self.low == self.high).then_some(self.low as u128 & mask)
    }
}

/// The width of a type whose values are followed as numbers.
pub fn width_of(ty: Ty) -> Option<u8> {
    match ty {
        Ty::Int(width) if width < 128 => Some(width),
        _ => None,
    }
}
