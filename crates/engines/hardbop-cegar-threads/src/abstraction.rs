//! What a step does to predicates (Graf, Saïdi 1997; Ball et al. 2001): for each predicate that it changes, cubes of
//! predicates before the step that make it true and that make it false afterwards. A cube is the core of a refutation.
//!
//! Each cube is one the solver has shown. What is left out of them is arbitrary; what a trace takes
//! and no execution can is excluded by clauses of that step.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted};
use hardbop_smt::{Answer, Solver, TermId};
use rustc_hash::FxHashMap;

use crate::model::{Model, StepId, Var};
use crate::predicates::{Predicate, Predicates};
use crate::terms::replaced;

/// Cubes of one value that are looked for, and predicates they are made of.
const MAX_CUBES: usize = 24;
const MAX_RELEVANT: usize = 12;

/// A predicate, and whether it holds.
pub type Literal = (usize, bool);
pub type Cube = Vec<Literal>;

/// Before or after a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum When {
    Before,
    After,
}

/// Not all of these hold.
pub type Clause = BTreeSet<(When, usize, bool)>;

/// When a predicate is true, and when it is false.
#[derive(Clone, Default, Debug)]
pub struct Values {
    pub yes: Vec<Cube>,
    pub no: Vec<Cube>,
}

#[derive(Clone, Default)]
pub struct Effect {
    /// No execution takes it.
    pub is_impossible: bool,
    /// It is not taken where one of these holds.
    pub never: Vec<Cube>,
    pub changes: BTreeMap<usize, Values>,
}

#[derive(Default)]
pub struct Abstraction {
    solver: Solver,
    /// Of a step and a formula; with the predicates it was made from.
    known: FxHashMap<(StepId, TermId), (Vec<usize>, Values)>,
    pub learned: BTreeMap<StepId, BTreeSet<Clause>>,
    /// Not all of these hold, at any time.
    pub contradictions: BTreeSet<BTreeSet<Literal>>,
    n_related: usize,
    pub n_queries: u64,
}

impl Abstraction {
    pub fn is_possible(
        &mut self,
        model: &mut Model,
        all: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Exhausted> {
        self.n_queries += 1;
        match self.solver.check(&mut model.terms, all, budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat(core) => Ok(Some(core)),
            Answer::Unknown(limit) => Err(limit),
        }
    }

    /// Pairs of predicates that exclude or imply each other.
    pub fn relate(
        &mut self,
        model: &mut Model,
        predicates: &Predicates,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        for new in self.n_related..predicates.all.len() {
            for old in 0..new {
                let (a, b) = (&predicates.all[new], &predicates.all[old]);
                if a.role != b.role || !a.support.iter().any(|it| b.support.contains(it)) {
                    continue;
                }
                for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                    let (s, t) = (literal(model, a, x), literal(model, b, y));
                    if self.is_possible(model, &[s, t], budget)?.is_some() {
                        self.contradictions.insert(BTreeSet::from([(new, x), (old, y)]));
                    }
                }
            }
        }
        self.n_related = predicates.all.len();
        Ok(())
    }

    pub fn effect(
        &mut self,
        model: &mut Model,
        predicates: &Predicates,
        step: StepId,
        budget: &Budget,
    ) -> Result<Effect, Exhausted> {
        let guard = model.steps[step].guard;
        let truth = model.terms.bool(true);
        let mut effect = Effect::default();
        if guard != truth {
            if self.is_possible(model, &[guard], budget)?.is_some() {
                return Ok(Effect { is_impossible: true, ..effect });
            }
            // Soundness: only cubes that contradict the guard.
            effect.never = self.values(model, predicates, step, guard, truth, budget)?.no;
        }
        for (at, after) in changed(model, predicates, step) {
            let values = self.values(model, predicates, step, after, guard, budget)?;
            effect.changes.insert(at, values);
        }
        Ok(effect)
    }

    /// When a formula holds and when it does not, where the guard holds.
    fn values(
        &mut self,
        model: &mut Model,
        predicates: &Predicates,
        step: StepId,
        formula: TermId,
        guard: TermId,
        budget: &Budget,
    ) -> Result<Values, Exhausted> {
        if let Some(value) = model.terms.as_const(formula) {
            let (always, never) = (vec![Cube::new()], Vec::new());
            return Ok(match value {
                0 => Values { yes: never, no: always },
                _ => Values { yes: always, no: never },
            });
        }
        let relevant = relevant(model, predicates, step, formula, guard);
        if let Some((made_from, values)) = self.known.get(&(step, formula))
            && *made_from == relevant
        {
            return Ok(values.clone());
        }
        let mut values = Values::default();
        let not = model.terms.not(formula);
        let mut open = vec![guard];
        for _ in 0..MAX_CUBES {
            if self.is_possible(model, &open, budget)?.is_some() {
                break;
            }
            let mut cube: Cube = Vec::new();
            for &at in &relevant {
                let value = self.solver.value(&model.terms, predicates.all[at].term);
                cube.push((at, value != 0));
            }
            let mut all: Vec<TermId> = cube
                .iter()
                .map(|&(at, value)| literal(model, &predicates.all[at], value))
                .collect();
            let by_term: FxHashMap<TermId, Literal> =
                all.iter().copied().zip(cube.iter().copied()).collect();
            let of = |core: Vec<TermId>| -> Cube {
                core.iter().filter_map(|it| by_term.get(it).copied()).collect()
            };
            all.push(guard);
            all.push(not);
            let found = if let Some(core) = self.is_possible(model, &all, budget)? {
                let cube = of(core);
                values.yes.push(cube.clone());
                cube
            } else {
                all.pop();
                all.push(formula);
                match self.is_possible(model, &all, budget)? {
                    Some(core) => {
                        let cube = of(core);
                        values.no.push(cube.clone());
                        cube
                    }
                    None => cube,
                }
            };
            let literals: Vec<TermId> = found
                .iter()
                .map(|&(at, value)| literal(model, &predicates.all[at], value))
                .collect();
            let here = model.terms.and_all(&literals);
            open.push(model.terms.not(here));
        }
        self.known.insert((step, formula), (relevant, values.clone()));
        Ok(values)
    }

    /// Whether some execution takes the step between these values; if none does, that is learned.
    pub fn excludes(
        &mut self,
        model: &mut Model,
        predicates: &Predicates,
        step: StepId,
        (before, after): (&[Literal], &[Literal]),
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let mut meaning: Vec<(TermId, (When, usize, bool))> = Vec::new();
        for &(at, value) in before {
            let term = literal(model, &predicates.all[at], value);
            meaning.push((term, (When::Before, at, value)));
        }
        let changed = changed(model, predicates, step);
        for &(at, value) in after {
            if let Some(&term) = changed.get(&at) {
                let term = if value { term } else { model.terms.not(term) };
                meaning.push((term, (When::After, at, value)));
            }
        }
        let mut all: Vec<TermId> = meaning.iter().map(|it| it.0).collect();
        all.push(model.steps[step].guard);
        let Some(core) = self.is_possible(model, &all, budget)? else { return Ok(false) };
        let mut clause = Clause::new();
        for (term, it) in &meaning {
            if core.contains(term) {
                clause.insert(*it);
            }
        }
        let is_state = clause.iter().all(|it| it.0 == When::Before);
        if is_state && !core.contains(&model.steps[step].guard) {
            let state = clause.iter().map(|&(_, at, value)| (at, value)).collect();
            self.contradictions.insert(state);
        }
        self.learned.entry(step).or_default().insert(clause);
        Ok(true)
    }
}

pub fn literal(model: &mut Model, predicate: &Predicate, value: bool) -> TermId {
    match value {
        true => predicate.term,
        false => model.terms.not(predicate.term),
    }
}

/// The predicates that a step may change, as formulas before it.
pub fn changed(
    model: &mut Model,
    predicates: &Predicates,
    step: StepId,
) -> BTreeMap<usize, TermId> {
    let role = model.cuts[model.steps[step].from].role;
    let updates: FxHashMap<TermId, TermId> = model.steps[step]
        .updates
        .iter()
        .map(|&(var, value)| (model.vars[var].term, value))
        .collect();
    let set: BTreeSet<Var> = model.steps[step].updates.iter().map(|it| it.0).collect();
    let mut changed = BTreeMap::new();
    for (at, predicate) in predicates.seen_by(role) {
        if predicate.support.iter().any(|it| set.contains(it)) {
            let term = predicate.term;
            changed.insert(at, replaced(&mut model.terms, term, &|it| updates.get(&it).copied()));
        }
    }
    changed
}

/// Predicates that share a variable with the formula or the guard.
fn relevant(
    model: &Model,
    predicates: &Predicates,
    step: StepId,
    formula: TermId,
    guard: TermId,
) -> Vec<usize> {
    let role = model.cuts[model.steps[step].from].role;
    let support: BTreeSet<Var> = model.support(formula).into_iter().collect();
    let more: BTreeSet<Var> = model.support(guard).into_iter().collect();
    let shares =
        |it: &Predicate, with: &BTreeSet<Var>| it.support.iter().any(|it| with.contains(it));
    let mut near: Vec<usize> =
        predicates.seen_by(role).filter(|(_, it)| shares(it, &support)).map(|it| it.0).collect();
    let far = predicates.seen_by(role).filter(|(_, it)| shares(it, &more)).map(|it| it.0);
    for at in far {
        if !near.contains(&at) {
            near.push(at);
        }
    }
    near.truncate(MAX_RELEVANT);
    near
}
