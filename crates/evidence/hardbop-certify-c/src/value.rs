//! Symbolic values: bit-vectors, and pointers as a base and an offset.
//!
//! Floating-point numbers are their bits; those wider than a `double` are kept as one.

use hardbop_cir::{FloatTy, Ty};
use hardbop_smt::{Term, TermId, Terms};
use rustc_hash::FxHashSet;

/// Bits of the number of a base: 0 is none, then come the functions, then the instances of objects.
pub(crate) const BASE_BITS: u32 = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Bits(TermId),
    Ptr(Pointer),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pointer {
    pub base: TermId,
    /// In bytes from the base; without one, the number itself.
    pub offset: TermId,
}

impl Value {
    pub fn bits(self) -> TermId {
        match self {
            Value::Bits(it) => it,
            Value::Ptr(_) => unreachable!("the verifier saw a number"),
        }
    }

    pub fn pointer(self) -> Pointer {
        match self {
            Value::Ptr(it) => it,
            Value::Bits(_) => unreachable!("the verifier saw a pointer"),
        }
    }

    pub fn choose(terms: &mut Terms, cond: TermId, yes: Value, no: Value) -> Value {
        match (yes, no) {
            (Value::Bits(a), Value::Bits(b)) => Value::Bits(terms.ite(cond, a, b)),
            (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(Pointer::choose(terms, cond, a, b)),
            _ => unreachable!("values of one register are of one type"),
        }
    }
}

impl Pointer {
    pub fn choose(terms: &mut Terms, cond: TermId, yes: Pointer, no: Pointer) -> Pointer {
        Pointer {
            base: terms.ite(cond, yes.base, no.base),
            offset: terms.ite(cond, yes.offset, no.offset),
        }
    }
}

/// Bits of the term that stands for a value that is no pointer.
pub(crate) fn width(ty: Ty) -> u32 {
    match ty {
        Ty::Int(width) => u32::from(width),
        Ty::Float(FloatTy::F32) => 32,
        Ty::Float(_) => 64,
        Ty::Ptr => unreachable!("a pointer is two terms"),
    }
}

/// Any value of the type.
pub(crate) fn fresh(terms: &mut Terms, ty: Ty, ptr_bits: u8) -> Value {
    match ty {
        Ty::Ptr => Value::Ptr(Pointer {
            base: terms.var("base", BASE_BITS),
            offset: terms.var("offset", u32::from(ptr_bits)),
        }),
        _ => Value::Bits(terms.var("any", width(ty))),
    }
}

/// The constants a term can be, if it is a choice between constants.
pub(crate) fn constants(terms: &Terms, term: TermId) -> Option<Vec<u128>> {
    let (mut seen, mut todo, mut found) = (FxHashSet::default(), vec![term], Vec::new());
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            match terms.node(term) {
                Term::Const { value, .. } => found.push(value),
                Term::Ite(_, a, b) => todo.extend([a, b]),
                _ => return None,
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// So many of the lowest bits are 0, or more.
pub(crate) fn low_zeros(terms: &Terms, term: TermId) -> u32 {
    zeros(terms, term, 12).min(16)
}

fn zeros(terms: &Terms, term: TermId, depth: u32) -> u32 {
    use hardbop_smt::{BinaryOp, UnaryOp};
    let width = terms.width(term);
    if depth == 0 {
        return 0;
    }
    let at = |term| zeros(terms, term, depth - 1);
    match terms.node(term) {
        Term::Const { value: 0, .. } => width,
        Term::Const { value, .. } => value.trailing_zeros(),
        Term::Unary(UnaryOp::Neg, a) => at(a),
        Term::Binary(BinaryOp::Add, a, b) => at(a).min(at(b)),
        Term::Binary(BinaryOp::Mul, a, b) => (at(a) + at(b)).min(width),
        Term::Binary(BinaryOp::And, a, b) => at(a).max(at(b)),
        Term::Binary(BinaryOp::Shl, a, b) => match terms.as_const(b) {
            Some(by) => (u128::from(at(a)) + by).min(u128::from(width)) as u32,
            None => at(a),
        },
        Term::Binary(BinaryOp::Concat, a, b) => match at(b) {
            all if all == terms.width(b) => all + at(a),
            some => some,
        },
        Term::Ite(_, a, b) => at(a).min(at(b)),
        Term::SignExtend { term, .. } => match at(term) {
            all if all == terms.width(term) => width,
            some => some,
        },
        Term::Extract { term, low, .. } => at(term).saturating_sub(low).min(width),
        _ => 0,
    }
}
