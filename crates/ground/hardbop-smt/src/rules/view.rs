//! Looking at a term one level deep, in the words the rules use.

use crate::pool::Terms;
use crate::term::{BinaryOp, Term, TermId, UnaryOp};
use crate::word;

impl Terms {
    pub(super) fn as_not(&self, term: TermId) -> Option<TermId> {
        match self.node(term) {
            Term::Unary(UnaryOp::Not, inner) => Some(inner),
            _ => None,
        }
    }

    pub(super) fn as_neg(&self, term: TermId) -> Option<TermId> {
        match self.node(term) {
            Term::Unary(UnaryOp::Neg, inner) => Some(inner),
            _ => None,
        }
    }

    pub(super) fn as_op(&self, op: BinaryOp, term: TermId) -> Option<(TermId, TermId)> {
        match self.node(term) {
            Term::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// Operand and constant of a commutative operator, which keeps constants last.
    pub(super) fn as_op_const(&self, op: BinaryOp, term: TermId) -> Option<(TermId, u128)> {
        let (a, b) = self.as_op(op, term)?;
        Some((a, self.as_const(b)?))
    }

    /// The other operand, if `operand` is one of the two of `op` in `term`.
    pub(super) fn other_operand(
        &self,
        op: BinaryOp,
        term: TermId,
        operand: TermId,
    ) -> Option<TermId> {
        let (a, b) = self.as_op(op, term)?;
        if a == operand { Some(b) } else { (b == operand).then_some(a) }
    }

    pub(super) fn as_ite(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        match self.node(term) {
            Term::Ite(condition, then, otherwise) => Some((condition, then, otherwise)),
            _ => None,
        }
    }

    /// A choice between two constants.
    pub(super) fn as_ite_const(&self, term: TermId) -> Option<(TermId, u128, u128)> {
        let (condition, then, otherwise) = self.as_ite(term)?;
        Some((condition, self.as_const(then)?, self.as_const(otherwise)?))
    }

    pub(super) fn as_sign_extend(&self, term: TermId) -> Option<TermId> {
        match self.node(term) {
            Term::SignExtend { term, .. } => Some(term),
            _ => None,
        }
    }

    pub(super) fn is_zero(&self, term: TermId) -> bool {
        self.as_const(term) == Some(0)
    }

    pub(super) fn is_ones(&self, term: TermId) -> bool {
        self.as_const(term).is_some_and(|value| value == word::ones(self.width(term)))
    }

    /// One is the negation of the other, visibly so.
    pub(super) fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    /// How many of the highest bits are zero, visibly so.
    pub(super) fn leading_zeros(&self, term: TermId) -> u32 {
        let prefix = match self.node(term) {
            Term::Binary(BinaryOp::Concat, prefix, _) => prefix,
            _ => term,
        };
        let Some(value) = self.as_const(prefix) else { return 0 };
        value.leading_zeros() - (u128::BITS - self.width(prefix))
    }

    /// The term without its `n` highest bits; `n` is below the width.
    pub(super) fn without_high(&mut self, term: TermId, n: u32) -> TermId {
        let width = self.width(term);
        self.extract(term, width - n - 1, 0)
    }
}
