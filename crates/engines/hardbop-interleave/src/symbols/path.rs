//! What a path asks of the inputs, and numbers for which it holds. A question is asked together with what is
//! connected to it by inputs only; the others keep their numbers.

use std::collections::BTreeSet;
use std::rc::Rc;

use hardbop_base::Budget;
use hardbop_smt::{Model, Term, TermId, VarId};

use super::Shared;

#[derive(Clone, Default)]
pub(super) struct Path {
    conditions: Vec<Rc<Condition>>,
    model: Rc<Model>,
}

/// Holds in the model.
#[derive(Debug)]
pub(super) struct Condition {
    pub term: TermId,
    pub vars: Rc<[VarId]>,
}

/// A step that depends on whether a condition holds, which it may or may not.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    /// What holds now, and its opposite.
    now: TermId,
    other: TermId,
    vars: Rc<[VarId]>,
    /// Numbers for which the opposite holds, and all that was known.
    numbers: Vec<(VarId, u128)>,
}

impl Fork {
    /// Whether it depends on an input from this one on.
    pub fn is_about(&self, first: VarId) -> bool {
        self.vars.iter().any(|&it| it >= first)
    }
}

impl Path {
    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn conditions(&self) -> &[Rc<Condition>] {
        &self.conditions
    }

    pub fn learn(&mut self, fork: &Fork, as_now: bool) {
        let term = if as_now { fork.now } else { fork.other };
        self.conditions.push(Rc::new(Condition { term, vars: fork.vars.clone() }));
        if !as_now {
            let model = Rc::make_mut(&mut self.model);
            fork.numbers.iter().for_each(|&(var, value)| model.set(var, value));
        }
    }

    /// Which conditions are connected with these inputs, and all inputs that are.
    pub fn connected(&self, vars: &[VarId]) -> (Vec<usize>, BTreeSet<VarId>) {
        let mut reached: BTreeSet<VarId> = vars.iter().copied().collect();
        let mut is_in = vec![false; self.conditions.len()];
        loop {
            let mut grew = false;
            for (condition, is_in) in self.conditions.iter().zip(&mut is_in) {
                if !*is_in && condition.vars.iter().any(|it| reached.contains(it)) {
                    (*is_in, grew) = (true, true);
                    reached.extend(condition.vars.iter());
                }
            }
            if !grew {
                let chosen = is_in.iter().enumerate().filter(|it| *it.1).map(|it| it.0);
                return (chosen.collect(), reached);
            }
        }
    }

    /// Whether the condition holds, if the path decides that; else the fork, and none where the solver gave up.
    pub fn decide(
        &self,
        shared: &mut Shared,
        condition: TermId,
        budget: &Budget,
    ) -> Result<bool, Option<Fork>> {
        if let Some(value) = shared.terms.as_const(condition) {
            return Ok(value == 1);
        }
        let holds = shared.terms.eval(condition, &self.model) == 1;
        let not = shared.terms.not(condition);
        let (now, other) = if holds { (condition, not) } else { (not, condition) };
        if self.conditions.iter().any(|it| it.term == now) {
            return Ok(holds);
        }
        let vars = vars(shared, condition);
        let (connected, reached) = self.connected(&vars);
        let mut question: Vec<TermId> =
            connected.into_iter().map(|at| self.conditions[at].term).collect();
        question.push(other);
        match shared.questions.ask(&mut shared.terms, &question, budget) {
            Ok(None) => Ok(holds),
            Ok(Some(numbers)) => {
                debug_assert!(numbers.iter().all(|it| reached.contains(&it.0)));
                let mut model = Model::new();
                numbers.iter().for_each(|&(var, value)| model.set(var, value));
                let mut evaluator = hardbop_smt::Evaluator::new(&shared.terms, &model);
                let is_model = question.iter().all(|&it| evaluator.value(it) == 1);
                assert!(is_model, "numbers of the solver should be a model");
                Err(Some(Fork { now, other, vars, numbers }))
            }
            Err(limit) => {
                shared.exhausted = Some(limit);
                Err(None)
            }
        }
    }
}

/// The inputs in a term.
fn vars(shared: &mut Shared, term: TermId) -> Rc<[VarId]> {
    if let Some(known) = shared.vars.get(&term) {
        return known.clone();
    }
    let cone = shared.terms.cone(&[term]).into_iter();
    let vars = cone.filter_map(|it| match shared.terms.node(it) {
        Term::Var(var) => Some(var),
        _ => None,
    });
    let vars: Rc<[VarId]> = vars.collect();
    shared.vars.insert(term, vars.clone());
    vars
}
