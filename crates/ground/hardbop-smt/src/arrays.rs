//! Arrays away: a read of a write becomes a choice, a read of an unknown array a variable.
//!
//! Reading over writing is expanded when a term reaches the solver; each pair of array and index
//! once. That two reads of an unknown array at one index agree (Ackermann, "Solvable cases of the
//! decision problem", 1954) is only said of pairs a model has broken: there are few of them, and
//! quadratically many pairs. There is no equality between arrays, so this is complete.
//! Known limit: `r` reads over `w` undecided writes expand to `r * w` choices.

use std::collections::BTreeMap;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use rustc_hash::FxHashMap;

use crate::eval::{Evaluator, Model};
use crate::pool::Terms;
use crate::term::{Term, TermId, VarId};

#[derive(Default)]
pub struct Arrays {
    /// Terms without arrays in place of terms with them.
    expanded: FxHashMap<TermId, TermId>,
    /// What is read from an array at an expanded index.
    reads: FxHashMap<(TermId, TermId), TermId>,
    /// The reads of each unknown array: index and the variable that stands for what is there.
    unknown: BTreeMap<VarId, Vec<(TermId, TermId)>>,
}

impl Arrays {
    /// A term without arrays that has the same models, if the lemmas are added.
    pub fn expand(
        &mut self,
        terms: &mut Terms,
        root: TermId,
        meter: &mut Meter<'_>,
    ) -> Result<TermId, Exhausted> {
        if !terms.has_arrays() {
            return Ok(root);
        }
        for term in terms.cone_except(&[root], |term| self.expanded.contains_key(&term)) {
            meter.tick()?;
            let done = |operand| self.expanded.get(&operand).copied().unwrap_or(operand);
            let expanded = match terms.node(term) {
                Term::Const { .. } | Term::Var(_) => term,
                Term::Unary(op, a) => terms.unary(op, done(a)),
                Term::Binary(op, a, b) => terms.binary(op, done(a), done(b)),
                Term::Extract { term, high, low } => terms.extract(done(term), high, low),
                Term::SignExtend { term, width } => terms.sign_extend(done(term), width),
                Term::Select { array, index } => {
                    let index = done(index);
                    self.read(terms, array, index, meter)?
                }
                Term::Ite(c, a, b) if !terms.is_array(term) => terms.ite(done(c), done(a), done(b)),
                // Looked into by the reads.
                Term::Ite(..) | Term::ConstArray { .. } | Term::Store { .. } => term,
            };
            self.expanded.insert(term, expanded);
        }
        Ok(self.expanded[&root])
    }

    /// `array[index]`; the index, and all bit-vectors inside the array, are expanded.
    fn read(
        &mut self,
        terms: &mut Terms,
        array: TermId,
        index: TermId,
        meter: &mut Meter<'_>,
    ) -> Result<TermId, Exhausted> {
        let mut open = vec![array];
        while let Some(&at) = open.last() {
            meter.tick()?;
            if self.reads.contains_key(&(at, index)) {
                open.pop();
                continue;
            }
            let known = |array| self.reads.get(&(array, index)).copied();
            let found = match terms.node(at) {
                Term::Store { array: below, index: written, value } => {
                    let here = terms.eq(self.expanded[&written], index);
                    match (terms.as_const(here), known(below)) {
                        (Some(1), _) => self.expanded[&value],
                        (_, Some(other)) => terms.ite(here, self.expanded[&value], other),
                        (_, None) => {
                            open.push(below);
                            continue;
                        }
                    }
                }
                Term::Ite(c, then, otherwise) => match (known(then), known(otherwise)) {
                    (Some(a), Some(b)) => terms.ite(self.expanded[&c], a, b),
                    (a, _) => {
                        open.push(if a.is_none() { then } else { otherwise });
                        continue;
                    }
                },
                Term::ConstArray { value, .. } => self.expanded[&value],
                Term::Var(var) => self.read_unknown(terms, var, at, index),
                other => unreachable!("{other:?} should be an array"),
            };
            self.reads.insert((at, index), found);
            open.pop();
        }
        Ok(self.reads[&(array, index)])
    }

    fn read_unknown(
        &mut self,
        terms: &mut Terms,
        var: VarId,
        array: TermId,
        index: TermId,
    ) -> TermId {
        let name = format!("{}[{index}]", terms.vars()[var].name);
        let element = terms.element_width(array);
        let held = terms.var(&name, element);
        self.unknown.entry(var).or_default().push((index, held));
        held
    }

    /// Reads the model, which has the values of the variables, and completes it with the arrays.
    /// Where two reads at one index differ, it is no model: then the lemmas it breaks.
    pub fn complete(&self, terms: &mut Terms, model: &mut Model) -> Vec<TermId> {
        let mut broken = Vec::new();
        for (&var, reads) in &self.unknown {
            let mut first_at: BTreeMap<u128, (TermId, TermId, u128)> = BTreeMap::new();
            let mut evaluator = Evaluator::new(terms, model);
            for &(index, held) in reads {
                let (at, value) = (evaluator.value(index), evaluator.value(held));
                let &mut first = first_at.entry(at).or_insert((index, held, value));
                if first.2 != value {
                    broken.push(((first.0, index), (first.1, held)));
                }
            }
            let contents = model.array_mut(var);
            contents.entries = first_at.into_iter().map(|(at, first)| (at, first.2)).collect();
        }
        let mut lemmas = Vec::new();
        for ((i, j), (at_i, at_j)) in broken {
            let (same_index, same_value) = (terms.eq(i, j), terms.eq(at_i, at_j));
            lemmas.push(terms.implies(same_index, same_value));
        }
        lemmas
    }
}
