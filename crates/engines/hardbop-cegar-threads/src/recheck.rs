//! A proof is believed after it was checked again, in two halves: the cover of the Boolean program, where the engine wrote it
//! down, by `hardbop-certify`; and that the Boolean program has every step of the model, cube by cube and clause by clause, by
//! a fresh solver.

use hardbop_base::{Budget, Exhausted, IndexVec};
use hardbop_certify::{Rejected, certify};
use hardbop_cfg::Program;
use hardbop_evidence::Certificate;
use hardbop_smt::{Answer, Solver, TermId};

use crate::abstraction::{Abstraction, Cube, Effect, When, changed, literal};
use crate::model::{Model, StepId};
use crate::predicates::Predicates;

/// Whether the certificate, if there is one, is one. Where time is up it is not known, and the proof stands as it is.
pub fn is_certified(program: &Program, certificate: Option<&Certificate>, budget: &Budget) -> bool {
    certificate.is_none_or(|it| {
        !matches!(certify(program, it, budget), Err(it) if !matches!(it, Rejected::Exhausted(_)))
    })
}

/// Whether the Boolean program has every step of the model.
pub fn covers(
    model: &mut Model,
    predicates: &Predicates,
    abstraction: &Abstraction,
    effects: &IndexVec<StepId, Effect>,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let mut solver = Solver::default();
    for state in &abstraction.contradictions {
        let all: Vec<TermId> =
            state.iter().map(|&(at, value)| literal(model, &predicates.all[at], value)).collect();
        if !is_refuted(&mut solver, model, &all, budget)? {
            return Ok(false);
        }
    }
    for (step, effect) in effects.iter_enumerated() {
        let guard = model.steps[step].guard;
        if effect.is_impossible {
            if !is_refuted(&mut solver, model, &[guard], budget)? {
                return Ok(false);
            }
            continue;
        }
        let after = changed(model, predicates, step);
        // What changes and is not said to would keep its value.
        if after.keys().any(|it| !effect.changes.contains_key(it)) {
            return Ok(false);
        }
        let mut claims: Vec<Vec<TermId>> = Vec::new();
        for cube in &effect.never {
            claims.push(with(model, predicates, cube, &[guard]));
        }
        for (at, values) in &effect.changes {
            let Some(&holds) = after.get(at) else { return Ok(false) };
            let not = model.terms.not(holds);
            for (cubes, otherwise) in [(&values.yes, not), (&values.no, holds)] {
                for cube in cubes {
                    claims.push(with(model, predicates, cube, &[guard, otherwise]));
                }
            }
        }
        for clause in abstraction.learned.get(&step).into_iter().flatten() {
            let mut all = vec![guard];
            for &(when, at, value) in clause {
                all.push(match (when, after.get(&at)) {
                    (When::After, Some(&term)) if value => term,
                    (When::After, Some(&term)) => model.terms.not(term),
                    _ => literal(model, &predicates.all[at], value),
                });
            }
            claims.push(all);
        }
        for claim in claims {
            if !is_refuted(&mut solver, model, &claim, budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn with(model: &mut Model, predicates: &Predicates, cube: &Cube, more: &[TermId]) -> Vec<TermId> {
    let literals = cube.iter().map(|&(at, value)| literal(model, &predicates.all[at], value));
    let mut all: Vec<TermId> = literals.collect();
    all.extend(more);
    all
}

fn is_refuted(
    solver: &mut Solver,
    model: &mut Model,
    all: &[TermId],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    match solver.check(&mut model.terms, all, budget) {
        Answer::Sat => Ok(false),
        Answer::Unsat(_) => Ok(true),
        Answer::Unknown(limit) => Err(limit),
    }
}
