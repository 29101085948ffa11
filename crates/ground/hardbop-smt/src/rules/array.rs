//! Reading over writing, as far as the indices are visibly equal or visibly different. What is
//! left is expanded by the solver (`arrays.rs`).

use crate::pool::Terms;
use crate::term::{BinaryOp, Term, TermId};

/// Walks down the writes in a loop: chains of writes are as long as runs of a program.
pub fn select(terms: &mut Terms, array: TermId, index: TermId) -> Option<TermId> {
    let mut at = array;
    loop {
        match terms.node(at) {
            Term::ConstArray { value, .. } => return Some(value),
            Term::Store { index: written, value, .. } if written == index => return Some(value),
            Term::Store { array, index: written, .. }
                if visibly_different(terms, written, index) =>
            {
                at = array;
            }
            _ => break,
        }
    }
    (at != array).then(|| terms.select(at, index))
}

pub fn store(terms: &mut Terms, array: TermId, index: TermId, value: TermId) -> Option<TermId> {
    if terms.node(value) == (Term::Select { array, index }) {
        return Some(array);
    }
    match terms.node(array) {
        Term::Store { array: below, index: written, .. } if written == index => {
            Some(terms.store(below, index, value))
        }
        Term::ConstArray { value: all, .. } if all == value => Some(array),
        _ => None,
    }
}

/// Different constants, or one term plus different constants.
fn visibly_different(terms: &Terms, a: TermId, b: TermId) -> bool {
    let parts = |term| match terms.as_const(term) {
        Some(value) => (None, value),
        None => match terms.as_op_const(BinaryOp::Add, term) {
            Some((base, offset)) => (Some(base), offset),
            None => (Some(term), 0),
        },
    };
    let ((a_base, a_offset), (b_base, b_offset)) = (parts(a), parts(b));
    a_base == b_base && a_offset != b_offset
}
