//! Satisfiability of formulas, many in a row.
//!
//! One incremental solver serves all questions, so that they share what was learned. But a solver
//! gives every variable it knows a value before it says yes: when most of what it holds has nothing
//! to do with the question, it is replaced by a new one.

use hardbop_base::{Budget, Exhausted};
use rustc_hash::FxHashMap;

use crate::aig::{Aig, Node, Term};
use crate::batsat::Batsat;
use crate::encode::Encoder;
use crate::eval::Eval;
use crate::solver::Solver;

/// Values of variables; those not named are false.
#[derive(Clone, Default, Debug)]
pub struct Model {
    inputs: FxHashMap<u32, bool>,
}

impl Model {
    pub fn value(&self, input: Term) -> bool {
        self.inputs.get(&input.node()).copied().unwrap_or(false) != input.is_negated()
    }

    pub fn set(&mut self, input: Term, value: bool) {
        self.inputs.insert(input.node(), value != input.is_negated());
    }

    /// An evaluation that starts from these values.
    pub fn eval(&self) -> Eval {
        let mut eval = Eval::new();
        for (&node, &value) in &self.inputs {
            eval.set(Term::of_node(node), value);
        }
        eval
    }
}

/// Nodes a solver may hold whatever the question.
const ALWAYS_KEPT: usize = 20_000;
/// How many times the size of the question a solver may hold.
const KEPT_PER_NODE: usize = 4;

pub struct Oracle {
    budget: Budget,
    encoder: Encoder<Batsat>,
    n_calls: u64,
}

impl Oracle {
    pub fn new(budget: &Budget) -> Self {
        Oracle { budget: budget.clone(), encoder: Encoder::new(Batsat::new(budget)), n_calls: 0 }
    }

    /// How often a solver was asked.
    pub fn n_calls(&self) -> u64 {
        self.n_calls
    }

    pub fn is_satisfiable(&mut self, aig: &Aig, terms: &[Term]) -> Result<bool, Exhausted> {
        Ok(self.model(aig, terms)?.is_some())
    }

    /// Values of the variables for which all terms hold.
    pub fn model(&mut self, aig: &Aig, terms: &[Term]) -> Result<Option<Model>, Exhausted> {
        if terms.contains(&Term::FALSE) {
            return Ok(None);
        }
        let terms: Vec<Term> = terms.iter().copied().filter(|&term| term != Term::TRUE).collect();
        if terms.is_empty() {
            return Ok(Some(Model::default()));
        }
        self.budget.check()?;
        let cone = aig.cone(&terms);
        if self.encoder.n_encoded() > ALWAYS_KEPT + KEPT_PER_NODE * cone.len() {
            self.encoder = Encoder::new(Batsat::new(&self.budget));
        }
        self.n_calls += 1; // stats
        let assumptions: Vec<_> = terms.iter().map(|&term| self.encoder.lit(aig, term)).collect();
        if !self.encoder.solver.solve(&assumptions)? {
            return Ok(None);
        }
        let mut model = Model::default();
        for node in cone {
            if aig.node(node) == Node::Input {
                let input = Term::of_node(node);
                model.set(input, self.encoder.input_value(input));
            }
        }
        Ok(Some(model))
    }
}
