//! The value of a term under an assignment to its variables.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::pool::Terms;
use crate::term::{Sort, Term, TermId, VarId};
use crate::word;

/// What an array holds: `default` except where said otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    pub default: u128,
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }
}

/// An assignment; variables without a value are zero, arrays hold zero.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    bits: BTreeMap<VarId, u128>,
    arrays: BTreeMap<VarId, ArrayValue>,
}

impl Model {
    pub fn new() -> Self {
        Model::default()
    }

    pub fn set(&mut self, var: VarId, value: u128) {
        self.bits.insert(var, value);
    }

    pub fn set_array(&mut self, var: VarId, value: ArrayValue) {
        self.arrays.insert(var, value);
    }

    /// Sets the variable that `term` is.
    pub fn set_term(&mut self, terms: &Terms, term: TermId, value: u128) {
        let Term::Var(var) = terms.node(term) else { panic!("{term} should be a variable") };
        self.set(var, value);
    }

    pub fn get(&self, var: VarId) -> u128 {
        self.bits.get(&var).copied().unwrap_or(0)
    }

    pub fn array(&self, var: VarId) -> Option<&ArrayValue> {
        self.arrays.get(&var)
    }

    pub(crate) fn array_mut(&mut self, var: VarId) -> &mut ArrayValue {
        self.arrays.entry(var).or_default()
    }
}

/// Evaluates many terms under one model and remembers the values of what they share.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    /// Bit-vectors only; arrays are looked into where they are read.
    values: FxHashMap<TermId, u128>,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model) -> Self {
        Evaluator { terms, model, values: FxHashMap::default() }
    }

    /// The value of a bit-vector.
    pub fn value(&mut self, term: TermId) -> u128 {
        for part in self.terms.cone_except(&[term], |part| self.values.contains_key(&part)) {
            if let Sort::Bits(width) = self.terms.sort(part) {
                let value = self.compute(part);
                debug_assert!(value <= word::ones(width), "{part} should have {width} bits");
                self.values.insert(part, value);
            }
        }
        self.values[&term]
    }

    /// The value of a term whose operands have theirs.
    fn compute(&self, term: TermId) -> u128 {
        let (terms, value) = (self.terms, |term: TermId| self.values[&term]);
        match terms.node(term) {
            Term::Var(var) => self.model.get(var) & word::ones(terms.width(term)),
            Term::Select { array, index } => {
                self.read(array, value(index)) & word::ones(terms.width(term))
            }
            node => meaning(terms, node, value),
        }
    }

    /// What an array holds at an index: the last write to it that happened.
    fn read(&self, array: TermId, index: u128) -> u128 {
        let mut at = array;
        loop {
            match self.terms.node(at) {
                Term::Store { index: written, value, .. } if self.values[&written] == index => {
                    return self.values[&value];
                }
                Term::Store { array, .. } => at = array,
                Term::Ite(c, then, otherwise) => {
                    at = if self.values[&c] == 1 { then } else { otherwise };
                }
                Term::ConstArray { value, .. } => return self.values[&value],
                Term::Var(var) => return self.model.array(var).map_or(0, |held| held.get(index)),
                other => unreachable!("{other:?} should be an array"),
            }
        }
    }
}

/// What a node means that is a bit-vector, neither a variable nor read from an array, given the values of its operands.
pub(crate) fn meaning(terms: &Terms, node: Term, value: impl Fn(TermId) -> u128) -> u128 {
    match node {
        Term::Const { value, .. } => value,
        Term::Unary(op, a) => word::unary(op, terms.width(a), value(a)),
        Term::Binary(op, a, b) => {
            word::binary(op, terms.width(a), terms.width(b), value(a), value(b))
        }
        Term::Ite(c, then, otherwise) => value(if value(c) == 1 { then } else { otherwise }),
        Term::Extract { term, high, low } => word::extract(value(term), high, low),
        Term::SignExtend { term, width } => {
            word::sign_extend(terms.width(term), width, value(term))
        }
        Term::Var(_) | Term::Select { .. } | Term::ConstArray { .. } | Term::Store { .. } => {
            unreachable!("{node:?} should be made of bit-vectors")
        }
    }
}

impl Terms {
    /// The value of a bit-vector; for several terms use an [`Evaluator`].
    pub fn eval(&self, term: TermId, model: &Model) -> u128 {
        Evaluator::new(self, model).value(term)
    }
}
