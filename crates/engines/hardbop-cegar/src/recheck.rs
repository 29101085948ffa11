//! A proof is believed after it was checked again, in two halves that know nothing of how it was
//! found. The invariants of the Boolean program are certified by `hardbop-certify`. That the Boolean
//! program covers the C program is asked of fresh formulas and fresh solvers: each clause of each
//! stretch, each list of values, each predicate that is said to keep or have a value, each end that is
//! left out.

use std::collections::BTreeMap;

use hardbop_base::Exhausted;
use hardbop_certify::certify;
use hardbop_cir::{ExprId, ExprPool};
use hardbop_evidence::Certificate;
use hardbop_smt::TermId;

use crate::abstraction::{Clause, Update};
use crate::boolean::{BooleanProgram, Parts};
use crate::cuts::Place;
use crate::regions::{Exit, Region, Source};
use crate::relations::violated;

pub fn recheck(
    source: Source<'_>,
    parts: &Parts<'_>,
    pool: &ExprPool,
    boolean: &BooleanProgram,
    certificate: &Certificate,
    close: impl Fn(&mut Region),
) -> Result<bool, Exhausted> {
    if certify(&boolean.program, certificate, source.budget).is_err() {
        source.budget.check()?;
        return Ok(false);
    }
    let mut regions: BTreeMap<Place, Region> = BTreeMap::new();
    for place in parts.shape.tracked.keys().filter(|it| it.start().is_some()) {
        let mut region = Region::new(source, *place)?;
        close(&mut region);
        regions.insert(*place, region);
    }
    for (place, region) in &mut regions {
        for exit in region.exits() {
            if !covers(region, parts, pool, *place, exit)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether the Boolean program has every execution of a stretch to one of its ends.
fn covers(
    region: &mut Region,
    parts: &Parts<'_>,
    pool: &ExprPool,
    place: Place,
    exit: Exit,
) -> Result<bool, Exhausted> {
    let guard = region.guard(exit);
    let Some(updates) = parts.shape.arrows.get(&(place, exit)) else {
        return Ok(region.refute(&[guard])?.is_some());
    };
    for clause in parts.abstraction.clauses((place, exit)) {
        let mut assumed = vec![guard];
        assumed.extend(negation(region, pool, exit, clause));
        if region.refute(&assumed)?.is_none() {
            return Ok(false);
        }
    }
    for relation in parts.abstraction.relations((place, exit)) {
        let violated = violated(region, pool, exit, relation);
        if region.refute(&[guard, violated])?.is_none() {
            return Ok(false);
        }
    }
    let Exit::To(end) = exit else { return Ok(true) };
    for (&predicate, &update) in updates {
        let after = region.after(pool, end, predicate);
        let differs = match update {
            Update::Open => continue,
            Update::Always(true) => region.executor.terms.not(after),
            Update::Always(false) => after,
            Update::Same => {
                let before = region.before(pool, predicate);
                region.executor.terms.xor(before, after)
            }
        };
        if region.refute(&[guard, differs])?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn negation(region: &mut Region, pool: &ExprPool, exit: Exit, clause: &Clause) -> Vec<TermId> {
    let mut terms: Vec<(TermId, bool)> = Vec::new();
    let before: Vec<(ExprId, bool)> = clause.before.clone();
    terms.extend(before.into_iter().map(|(it, value)| (region.before(pool, it), value)));
    if let Exit::To(end) = exit {
        terms.extend(clause.after.iter().map(|&(it, value)| (region.after(pool, end, it), value)));
    }
    let negate = |(term, value)| if value { region.executor.terms.not(term) } else { term };
    terms.into_iter().map(negate).collect()
}
