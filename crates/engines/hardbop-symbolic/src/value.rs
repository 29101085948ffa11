//! Symbolic values: numbers are terms, a pointer is a list of cases.
//!
//! A [`Pointer`] keeps its possible bases apart, each with the condition under which it is the one
//! and an offset: the cases of a dereference are read off, never searched. Invariant: the
//! conditions of the cases exclude each other and one of them holds; bases are ascending.

use std::rc::Rc;

use hardbop_cir::{FuncId, Ty};
use hardbop_smt::{TermId, Terms};

/// What a pointer is based on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A plain number; null is 0.
    None,
    /// A pointer without a value: nothing is known of where it points.
    Wild,
    Func(FuncId),
    Instance(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub cond: TermId,
    pub base: Base,
    pub offset: TermId,
}

pub type Pointer = Rc<[Case]>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A bit-vector; a floating-point number by its bits as `f64`.
    Bits(TermId),
    Ptr(Pointer),
}

/// The width of the term of a value that is not a pointer.
pub fn width_of(ty: Ty) -> u32 {
    match ty {
        Ty::Int(width) => u32::from(width),
        Ty::Float(_) | Ty::Ptr => 64,
    }
}

pub fn pointer(terms: &mut Terms, base: Base, offset: TermId) -> Pointer {
    let cond = terms.bool(true);
    Rc::new([Case { cond, base, offset }])
}

pub fn null(terms: &mut Terms, ptr_bits: u8) -> Pointer {
    let zero = terms.constant(u32::from(ptr_bits), 0);
    pointer(terms, Base::None, zero)
}

/// `a` where `cond` holds, else `b`.
pub fn choose_pointer(terms: &mut Terms, cond: TermId, a: &Pointer, b: &Pointer) -> Pointer {
    match terms.as_const(cond) {
        Some(0) => return b.clone(),
        Some(_) => return a.clone(),
        None if a == b => return a.clone(),
        None => {}
    }
    let never = terms.bool(false);
    let mut cases: Vec<Case> = Vec::new();
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let base = match (left.peek(), right.peek()) {
            (Some(x), Some(y)) => x.base.min(y.base),
            (Some(x), None) => x.base,
            (None, Some(y)) => y.base,
            (None, None) => break,
        };
        let x = left.next_if(|it| it.base == base);
        let y = right.next_if(|it| it.base == base);
        let here = terms.ite(cond, x.map_or(never, |it| it.cond), y.map_or(never, |it| it.cond));
        let offset = match (x, y) {
            (Some(x), Some(y)) => terms.ite(cond, x.offset, y.offset),
            (Some(it), None) | (None, Some(it)) => it.offset,
            (None, None) => break,
        };
        if terms.as_const(here) != Some(0) {
            cases.push(Case { cond: here, base, offset });
        }
    }
    cases.into()
}

pub fn choose(terms: &mut Terms, cond: TermId, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Bits(a), Value::Bits(b)) => Value::Bits(terms.ite(cond, *a, *b)),
        (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(choose_pointer(terms, cond, a, b)),
        _ => unreachable!("a register has one type"),
    }
}

impl Value {
    pub fn bits(&self) -> TermId {
        match self {
            Value::Bits(term) => *term,
            Value::Ptr(_) => unreachable!("the verifier saw a number"),
        }
    }

    pub fn pointer(&self) -> &Pointer {
        match self {
            Value::Ptr(it) => it,
            Value::Bits(_) => unreachable!("the verifier saw a pointer"),
        }
    }
}
