//! From words to bits: each term of the array-free kernel as a circuit, built once.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_base::fault::{Fault, is_on};
use hardbop_sat::Aig;
use rustc_hash::FxHashMap;

use crate::circuit::{self, Bit, Word, add, compare, divide, multiply, shift};
use crate::pool::Terms;
use crate::term::{BinaryOp, Term, TermId, UnaryOp, VarId};

#[derive(Default)]
pub struct Blaster {
    pub aig: Aig,
    /// Where the bits of a term begin in `bits`.
    starts: FxHashMap<TermId, usize>,
    bits: Vec<Bit>,
    /// Quotients and remainders, which come from one circuit.
    divisions: FxHashMap<(TermId, TermId), (Word, Word)>,
    /// The variables that occurred, in that order.
    vars: Vec<(VarId, TermId)>,
}

impl Blaster {
    /// The variables that occurred, in that order.
    pub fn vars(&self) -> &[(VarId, TermId)] {
        &self.vars
    }

    /// The terms that have a circuit, in no order.
    pub(crate) fn blasted(&self) -> impl Iterator<Item = TermId> + '_ {
        self.starts.keys().copied()
    }

    /// The bits of a term that was blasted.
    pub fn bits(&self, terms: &Terms, term: TermId) -> &[Bit] {
        &self.bits[self.starts[&term]..][..terms.width(term) as usize]
    }

    /// Builds the circuit of a term without arrays. What was built when the budget ran out is
    /// kept: the next attempt goes on from there.
    pub fn blast(
        &mut self,
        terms: &Terms,
        root: TermId,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        for term in terms.cone_except(&[root], |term| self.starts.contains_key(&term)) {
            meter.tick()?;
            let word = self.word(terms, term);
            debug_assert_eq!(word.len(), terms.width(term) as usize);
            self.starts.insert(term, self.bits.len());
            self.bits.extend(word);
        }
        Ok(())
    }

    /// The circuit of a term whose operands have theirs.
    fn word(&mut self, terms: &Terms, term: TermId) -> Word {
        let at = |blaster: &Blaster, term| blaster.bits(terms, term).to_vec();
        match terms.node(term) {
            Term::Const { width, value } => circuit::constant(width, value),
            Term::Var(var) => {
                self.vars.push((var, term));
                self.aig.inputs(terms.width(term) as usize)
            }
            Term::Unary(op, a) => {
                let a = at(self, a);
                match op {
                    UnaryOp::Not => a.iter().map(|&bit| !bit).collect(),
                    UnaryOp::Neg => add::negate(&mut self.aig, &a),
                }
            }
            Term::Binary(op @ (BinaryOp::Udiv | BinaryOp::Urem), a, b) => {
                let words = (at(self, a), at(self, b));
                let aig = &mut self.aig;
                let (quotient, remainder) = self
                    .divisions
                    .entry((a, b))
                    .or_insert_with(|| divide::divide(aig, &words.0, &words.1));
                if op == BinaryOp::Udiv { quotient.clone() } else { remainder.clone() }
            }
            Term::Binary(BinaryOp::Add, a, b) => self.sum(terms, a, b),
            Term::Binary(op, a, b) => {
                let (a, b) = (at(self, a), at(self, b));
                self.binary(op, &a, &b)
            }
            Term::Ite(c, then, otherwise) => {
                let condition = at(self, c)[0].negated_if(is_on(Fault::ChoiceSwapped));
                let (then, otherwise) = (at(self, then), at(self, otherwise));
                let choices = then.iter().zip(&otherwise);
                choices.map(|(&a, &b)| self.aig.ite(condition, a, b)).collect()
            }
            Term::Extract { term, high, low } => {
                self.bits(terms, term)[low as usize..=high as usize].to_vec()
            }
            Term::SignExtend { term, width } => {
                let mut word = at(self, term);
                let is_lost = is_on(Fault::SignBitLost);
                let sign = if is_lost { Bit::FALSE } else { word[word.len() - 1] };
                word.resize(width as usize, sign);
                word
            }
            Term::ConstArray { .. } | Term::Store { .. } | Term::Select { .. } => {
                unreachable!("{term} should have been expanded with the arrays")
            }
        }
    }

    /// A difference is one adder, not a negation and an adder.
    fn sum(&mut self, terms: &Terms, a: TermId, b: TermId) -> Word {
        let negated = |term| match terms.node(term) {
            Term::Unary(UnaryOp::Neg, inner) => Some(inner),
            _ => None,
        };
        let at = |term| self.bits(terms, term).to_vec();
        let (minuend, subtrahend) = match (negated(a), negated(b)) {
            (_, Some(b)) => (at(a), at(b)),
            (Some(a), None) => (at(b), at(a)),
            (None, None) => {
                let (a, b) = (at(a), at(b));
                return add::add(&mut self.aig, &a, &b, Bit::FALSE).0;
            }
        };
        add::subtract(&mut self.aig, &minuend, &subtrahend).0
    }

    fn binary(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Word {
        let aig = &mut self.aig;
        let sign = a[a.len() - 1];
        match op {
            BinaryOp::And => a.iter().zip(b).map(|(&a, &b)| aig.and(a, b)).collect(),
            BinaryOp::Xor => a.iter().zip(b).map(|(&a, &b)| aig.xor(a, b)).collect(),
            BinaryOp::Mul => multiply::multiply(aig, a, b),
            BinaryOp::Shl => shift::left(aig, a, b),
            BinaryOp::Lshr => shift::right(aig, a, b, Bit::FALSE),
            BinaryOp::Ashr => shift::right(aig, a, b, sign),
            BinaryOp::Eq => {
                let n = a.len() - usize::from(a.len() > 1 && is_on(Fault::EqualButTop));
                vec![aig.equal(&a[..n], &b[..n])]
            }
            BinaryOp::Ult => vec![compare::less(aig, a, b)],
            BinaryOp::Slt => vec![compare::signed_less(aig, a, b)],
            BinaryOp::Concat => b.iter().chain(a).copied().collect(),
            BinaryOp::Add | BinaryOp::Udiv | BinaryOp::Urem => {
                unreachable!("{op:?} should have been built from its terms")
            }
        }
    }
}
