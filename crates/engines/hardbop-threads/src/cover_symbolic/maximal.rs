//! The maximal ones among states with ω, by their shared values.
//!
//! Only these are compared with (BOOM algorithm 10.2), latest first, because a state is most often
//! covered by one of its neighbours.

use hardbop_dd::{Dd, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::cover_symbolic::omega::{OmegaState, Order};
use crate::symbolic::sets::LocalSets;

/// See above. States are known by the caller's numbers.
#[derive(Debug, Default)]
pub struct Maximal {
    groups: Vec<(Dd, Vec<(u32, OmegaState)>)>,
    by_shared: FxHashMap<Dd, usize>,
}

impl Maximal {
    /// The shared values of a state that no single larger state has.
    pub fn uncovered(
        &self,
        dd: &Manager,
        sets: &mut LocalSets,
        order: &mut Order,
        state: &OmegaState,
    ) -> Result<Dd, OutOfNodes> {
        let mut left = state.shared.clone();
        // The group of the same values first: most often that is all.
        let same = self.by_shared.get(&state.shared).copied();
        let others = (0..self.groups.len()).rev().filter(|&at| Some(at) != same);
        for at in same.into_iter().chain(others) {
            let (shared, states) = &self.groups[at];
            if dd.disjoint(&left, shared) {
                continue;
            }
            for (_, larger) in states.iter().rev() {
                if order.beyond(dd, sets, larger, state)?.is_some() {
                    left = dd.minus(&left, shared)?;
                    break;
                }
            }
            if dd.is_false(&left) {
                break;
            }
        }
        Ok(left)
    }

    /// Adds a state; returns the numbers of those it makes redundant.
    pub fn insert(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
        order: &mut Order,
        state: OmegaState,
        number: u32,
    ) -> Result<Vec<u32>, OutOfNodes> {
        let mut redundant = Vec::new();
        for (shared, states) in &mut self.groups {
            if !dd.leq(shared, &state.shared) {
                continue;
            }
            let mut kept = Vec::with_capacity(states.len());
            for (other, smaller) in states.drain(..) {
                if order.beyond(dd, sets, &state, &smaller)?.is_some() {
                    redundant.push(other);
                } else {
                    kept.push((other, smaller));
                }
            }
            *states = kept;
        }
        let n_groups = self.groups.len();
        let at = *self.by_shared.entry(state.shared.clone()).or_insert(n_groups);
        if at == n_groups {
            self.groups.push((state.shared.clone(), Vec::new()));
        }
        self.groups[at].1.push((number, state));
        Ok(redundant)
    }

    pub fn iter(&self) -> impl Iterator<Item = &OmegaState> {
        self.groups.iter().flat_map(|(_, states)| states).map(|(_, state)| state)
    }
}
