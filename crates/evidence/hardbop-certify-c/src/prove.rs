//! What is proved: that a term cannot be true.
//!
//! The term is bit-blasted by `hardbop-smt` and made clauses by `hardbop-sat`; these two, and the rules that
//! simplify terms, are tried on samples in the end (`audit`). The solver is not trusted at all: each of its refutations is
//! followed by the checker of [`hardbop_sat::lrat`].

use hardbop_base::{Budget, Exhausted};
use hardbop_sat::{Checked, Encoder, Solver};
use hardbop_smt::{Blaster, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::audit::Operator;

/// Terms between two looks at the clock.
const TERMS_PER_CHECK: u32 = 256;

pub(crate) struct Prover {
    pub terms: Terms,
    pub blaster: Blaster,
    pub encoder: Encoder<Checked>,
    /// The operators of the IR that were applied to terms, and what came of it.
    pub applied: FxHashMap<(Operator, TermId, TermId), TermId>,
    /// Queries that were answered.
    pub n_queries: u64,
}

impl Prover {
    pub fn new() -> Self {
        let encoder = Encoder::new(Checked::new());
        let (terms, blaster) = (Terms::new(), Blaster::default());
        Prover { terms, blaster, encoder, applied: FxHashMap::default(), n_queries: 0 }
    }

    /// The term for an operator of the IR and its operands, made once.
    pub fn apply(
        &mut self,
        operator: Operator,
        a: TermId,
        b: TermId,
        make: impl FnOnce(&mut Terms) -> TermId,
    ) -> TermId {
        let terms = &mut self.terms;
        *self.applied.entry((operator, a, b)).or_insert_with(|| make(terms))
    }

    /// Steps of refutations that were followed.
    pub fn n_steps(&self) -> usize {
        self.encoder.solver.n_steps()
    }

    /// Which of the terms can be true, asked one by one; none if none of them can.
    pub fn each_possible(
        &mut self,
        all: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<bool>>, Exhausted> {
        let mut found = Vec::new();
        for &term in all {
            found.push(self.possible(&[term], budget)?.is_some());
        }
        Ok(found.contains(&true).then_some(found))
    }

    /// Which of the terms are true in some model; none if none of them can be true in any.
    pub fn possible(
        &mut self,
        all: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<bool>>, Exhausted> {
        let any = self.terms.or_all(all);
        if self.terms.as_const(any) == Some(0) {
            return Ok(None);
        }
        self.n_queries += 1; // stats
        budget.check()?;
        let mut meter = budget.meter(TERMS_PER_CHECK);
        let mut bits = Vec::new();
        for &term in all.iter().chain([&any]) {
            self.blaster.blast(&self.terms, term, &mut meter)?;
            bits.push(self.blaster.bits(&self.terms, term)[0]);
        }
        let aig = &self.blaster.aig;
        let lits: Vec<_> = bits.iter().map(|&bit| self.encoder.lit(aig, bit)).collect();
        self.encoder.solver.set_budget(budget);
        let assumed = &lits[all.len()..];
        Ok(match self.encoder.solver.solve(assumed)? {
            false => None,
            true => {
                Some(lits[..all.len()].iter().map(|&lit| self.encoder.solver.value(lit)).collect())
            }
        })
    }
}
