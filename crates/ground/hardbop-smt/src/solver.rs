//! Satisfiability of terms, incrementally: what is asserted stays, what is assumed holds for one
//! query.
//!
//! A query goes through `arrays` (reads become choices), `blast` (words become bits) and `backend`
//! (bits become clauses), each of which remembers what it has done. A model is read back into
//! variables; if it breaks the meaning of an array, the lemma it breaks is added and the question
//! asked again, until the model is one or there is none.
//!
//! One solver works with one pool of terms.

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted};

use crate::arrays::Arrays;
use crate::backend::{Backend, Sat};
use crate::blast::Blaster;
use crate::circuit::Bit;
use crate::eval::{Evaluator, Model};
use crate::pool::Terms;
use crate::term::{Sort, TermId};

/// Terms between two looks at the clock.
const TERMS_PER_CHECK: u32 = 256;

/// What a query found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a [`Solver::model`].
    Sat,
    /// The assumptions the contradiction rests on; none if the assertions contradict each other.
    Unsat(Vec<TermId>),
    Unknown(Exhausted),
}

/// An incremental solver for terms.
pub struct Solver {
    arrays: Arrays,
    blaster: Blaster,
    sat: Sat,
    /// Asserted, but not yet known to the SAT solver.
    pending: Vec<TermId>,
    model: Model,
    stats: Stats,
}

/// How much work was done.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Stats {
    pub n_checks: u64,
    /// Lemmas about reads of unknown arrays.
    pub n_array_lemmas: u64,
    /// Nodes of the and-inverter graph.
    pub n_gates: usize,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new(Backend::default())
    }
}

impl Solver {
    pub fn new(backend: Backend) -> Self {
        Solver {
            arrays: Arrays::default(),
            blaster: Blaster::default(),
            sat: Sat::new(backend),
            pending: Vec::new(),
            model: Model::new(),
            stats: Stats::default(),
        }
    }

    /// The term, a Boolean, holds from now on. The work is done by the next query, under its budget.
    pub fn assert(&mut self, term: TermId) {
        self.pending.push(term);
    }

    /// Can all that was asserted hold, and the assumptions with it?
    pub fn check(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.stats.n_checks += 1; // stats
        self.decide(terms, assumptions, budget).unwrap_or_else(Answer::Unknown)
    }

    /// The values that made the last query satisfiable, arrays included.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of a term in that model; for several terms use [`evaluator`](Solver::evaluator).
    pub fn value(&self, terms: &Terms, term: TermId) -> u128 {
        terms.eval(term, &self.model)
    }

    /// For the values of many terms in that model: what they share is computed once.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluator<'a> {
        Evaluator::new(terms, &self.model)
    }

    /// The SAT solver in use.
    pub fn backend(&self) -> Backend {
        self.sat.current()
    }

    pub fn stats(&self) -> Stats {
        Stats { n_gates: self.blaster.aig.n_nodes(), ..self.stats }
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, Exhausted> {
        self.assert_pending(terms, budget)?;
        let mut bits = Vec::new();
        for &assumption in assumptions {
            let bit = self.bit(terms, assumption, budget)?;
            if bit == Bit::FALSE {
                return Ok(Answer::Unsat(vec![assumption]));
            }
            bits.push(bit);
        }
        loop {
            if !self.sat.solve(&self.blaster.aig, &bits, budget)? {
                let core = self.sat.core(&bits);
                let core = assumptions.iter().zip(core).filter(|&(_, needed)| needed);
                let mut core: Vec<TermId> = core.map(|(&term, _)| term).collect();
                if is_on(Fault::CoreTooSmall) {
                    core.pop();
                }
                return Ok(Answer::Unsat(core));
            }
            self.model = self.read_model(terms);
            let lemmas = self.arrays.complete(terms, &mut self.model);
            if lemmas.is_empty() {
                debug_assert!(self.is_model(terms, assumptions));
                return Ok(Answer::Sat);
            }
            self.stats.n_array_lemmas += lemmas.len() as u64; // stats
            self.pending.extend(lemmas);
            self.assert_pending(terms, budget)?;
        }
    }

    /// By the terms, not by the circuits made of them. Whoever decides a verdict by a model asks the terms
    /// it is about again (`hardbop_symbolic::model`); for questions that only save work that would cost too much.
    fn is_model(&self, terms: &Terms, assumptions: &[TermId]) -> bool {
        let mut evaluator = self.evaluator(terms);
        assumptions.iter().all(|&term| evaluator.value(term) == 1)
    }

    /// What could not be asserted within the budget stays pending.
    fn assert_pending(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), Exhausted> {
        while let Some(&term) = self.pending.last() {
            let bit = self.bit(terms, term, budget)?;
            self.sat.assert(&self.blaster.aig, bit);
            self.pending.pop();
        }
        Ok(())
    }

    fn bit(&mut self, terms: &mut Terms, term: TermId, budget: &Budget) -> Result<Bit, Exhausted> {
        assert_eq!(terms.sort(term), Sort::Bits(1), "{term} should be a Boolean");
        let mut meter = budget.meter(TERMS_PER_CHECK);
        let expanded = self.arrays.expand(terms, term, &mut meter)?;
        self.blaster.blast(terms, expanded, &mut meter)?;
        Ok(self.blaster.bits(terms, expanded)[0])
    }

    fn read_model(&self, terms: &Terms) -> Model {
        let mut model = Model::new();
        for &(var, term) in self.blaster.vars() {
            let bits = self.blaster.bits(terms, term).iter().enumerate();
            let value =
                bits.fold(0, |value, (i, &bit)| value | u128::from(self.sat.input_value(bit)) << i);
            model.set(var, value);
        }
        model
    }
}
