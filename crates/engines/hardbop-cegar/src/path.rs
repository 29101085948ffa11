//! What may go wrong at the end of a path of the abstraction.

use std::collections::BTreeMap;

use hardbop_base::Exhausted;
use hardbop_cir::{CheckId, ExprPool};

use crate::boolean::Move;
use crate::cuts::Place;
use crate::regions::{Goal, Region};

/// What is asked about at the end of a path.
pub fn goals(regions: &BTreeMap<Place, Region>, moves: &[Move]) -> Vec<Goal> {
    let region = match moves.last() {
        Some(Move::Along { arrow, .. }) => regions.get(&arrow.0),
        _ => None,
    };
    region.map_or(Vec::new(), |it| it.open().iter().map(|it| it.0.clone()).collect())
}

/// The checks that can fail where a path ends, given the predicates there.
pub fn blamed(
    regions: &mut BTreeMap<Place, Region>,
    pool: &ExprPool,
    moves: &[Move],
) -> Result<Vec<CheckId>, Exhausted> {
    let Some(Move::Along { arrow: (place, _), before, .. }) = moves.last() else {
        return Ok(Vec::new());
    };
    let Some(region) = regions.get_mut(place) else { return Ok(Vec::new()) };
    let mut known = Vec::new();
    for &(predicate, value) in before {
        let term = region.before(pool, predicate);
        known.push(if value { term } else { region.executor.terms.not(term) });
    }
    let mut blamed = Vec::new();
    for (goal, term) in region.open().to_vec() {
        let Goal::Check(check) = goal else { continue };
        let mut assumed = known.clone();
        assumed.push(term);
        if !blamed.contains(&check) && region.refute(&assumed)?.is_none() {
            blamed.push(check);
        }
    }
    Ok(blamed)
}
