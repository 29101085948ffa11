//! The product states reached so far, and those still to be expanded.
//!
//! A state is a [`Counters`] whose thread states are *sets* ([`LocalSets`]), together with a set of
//! shared values. States with the same threads are one entry, with the union of their shared values:
//! BOOM's first merging rule (section 7.5.1) by construction. The second, states that differ in one
//! thread only, is applied to each ring before it is expanded. Subsumption is definition 7.5 with any
//! matching of threads, made sharper: what *one* larger entry has of the shared values is subtracted.
//!
//! **Termination.** Each entry or growth of one adds a pair (shared value, threads) that no single
//! entry covered; there are finitely many.

use crate::counted::counters::{Counters, LocalId, SharedId, StateId, StateTable};
use hardbop_base::Idx;
use hardbop_dd::{Dd, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::symbolic::sets::{LocalSets, ShapeId};

/// See above.
#[derive(Debug, Default)]
pub struct History {
    /// The threads of each entry; its shared values are in `reached`, not in the table.
    table: StateTable,
    reached: Vec<Dd>,
    /// New shared values, for the next ring; false if there are none.
    pending: Vec<Dd>,
    /// Entries with new shared values, in order of discovery; some may have lost them by merging.
    next: Vec<StateId>,
    /// The entries with each multiset of places.
    by_places: FxHashMap<PlaceKey, Vec<StateId>>,
    /// stats
    pub n_subsumed: u64,
    pub n_merged: u64,
}

/// A multiset of places: the holder's, then the others' with their counts, sorted.
type PlaceKey = (Option<ShapeId>, Vec<(ShapeId, u32)>);

/// Stands for the shared values in the table.
const NO_SHARED: SharedId = SharedId::from_u32(0);

/// Threads without shared values.
pub fn threads(holder: Option<LocalId>, counts: Vec<(LocalId, u32)>) -> Counters {
    Counters { shared: NO_SHARED, holder, counts }
}

impl History {
    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    pub fn threads(&self, id: StateId) -> Counters {
        self.table.get(id)
    }

    /// A state was reached: work as far as it is new.
    pub fn meet(
        &mut self,
        dd: &Manager,
        sets: &LocalSets,
        state: &Counters,
        shared: &Dd,
    ) -> Result<(), OutOfNodes> {
        let (id, is_new) = self.table.insert(state);
        if is_new {
            self.reached.push(dd.zero().clone());
            self.pending.push(dd.zero().clone());
            self.by_places.entry(places(sets, state)).or_default().push(id);
        }
        let reached = &self.reached[id.index()];
        if shared == reached || dd.leq(shared, reached) {
            return Ok(());
        }
        let mut new = dd.minus(shared, reached)?;
        if state.counts.iter().any(|&(local, _)| sets.has_larger(local))
            || state.holder.is_some_and(|holder| sets.has_larger(holder))
        {
            new = self.not_subsumed(dd, sets, id, state, new)?;
            if dd.is_false(&new) {
                self.n_subsumed += 1;
                return Ok(());
            }
        }
        self.add(dd, id, &new)
    }

    fn add(&mut self, dd: &Manager, id: StateId, new: &Dd) -> Result<(), OutOfNodes> {
        let at = id.index();
        self.reached[at] = dd.or(&self.reached[at], new)?;
        if dd.is_false(&self.pending[at]) {
            self.next.push(id);
        }
        self.pending[at] = dd.or(&self.pending[at], new)?;
        Ok(())
    }

    /// What no larger entry has of the shared values.
    fn not_subsumed(
        &self,
        dd: &Manager,
        sets: &LocalSets,
        id: StateId,
        state: &Counters,
        mut new: Dd,
    ) -> Result<Dd, OutOfNodes> {
        for &other in &self.by_places[&places(sets, state)] {
            if other == id || dd.disjoint(&new, &self.reached[other.index()]) {
                continue;
            }
            let larger = self.table.get(other);
            let holders = match (state.holder, larger.holder) {
                (Some(small), Some(large)) => sets.leq(small, large),
                (small, large) => small == large,
            };
            if holders && sets.all_leq(&state.counts, &larger.counts) {
                new = dd.minus(&new, &self.reached[other.index()])?;
                if dd.is_false(&new) {
                    break;
                }
            }
        }
        Ok(new)
    }

    /// The next ring: entries with the shared values that are new in them. Empty at the end.
    pub fn next_ring(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
    ) -> Result<Vec<(StateId, Dd)>, OutOfNodes> {
        self.merge(dd, sets)?;
        let mut ring = Vec::with_capacity(self.next.len());
        for id in std::mem::take(&mut self.next) {
            let new = std::mem::replace(&mut self.pending[id.index()], dd.zero().clone());
            if !dd.is_false(&new) {
                ring.push((id, new));
            }
        }
        Ok(ring)
    }

    /// Joins states of the next ring that differ in one thread only.
    fn merge(&mut self, dd: &Manager, sets: &mut LocalSets) -> Result<(), OutOfNodes> {
        // The state that lacks one thread at a place, and the one that has been there.
        let mut lacking: FxHashMap<(Counters, ShapeId, Dd), (StateId, LocalId)> =
            FxHashMap::default();
        let mut at = 0;
        while let Some(&id) = self.next.get(at) {
            at += 1;
            let new = self.pending[id.index()].clone();
            if dd.is_false(&new) {
                continue;
            }
            let state = self.table.get(id);
            for &(local, _) in &state.counts {
                if !sets.has_siblings(local) {
                    continue;
                }
                let mut rest = state.clone();
                rest.take(local);
                let key = (rest, sets.shape(local), new.clone());
                match lacking.get(&key) {
                    Some(&(other, twin))
                        if other != id && twin != local && self.pending[other.index()] == new =>
                    {
                        let both = sets.union(dd, local, twin)?;
                        self.n_merged += 1;
                        // Soundness: if one includes the other, the larger stays what it is.
                        if both != twin {
                            self.pending[other.index()] = dd.zero().clone();
                        }
                        if both == local {
                            continue;
                        }
                        self.pending[id.index()] = dd.zero().clone();
                        if both != twin {
                            let mut merged = key.0;
                            merged.add(both, 1);
                            self.meet(dd, sets, &merged, &new)?;
                        }
                        break;
                    }
                    _ => {
                        lacking.insert(key, (id, local));
                    }
                }
            }
        }
        Ok(())
    }
}

fn places(sets: &LocalSets, state: &Counters) -> PlaceKey {
    let mut places: Vec<(ShapeId, u32)> =
        state.counts.iter().map(|&(local, count)| (sets.shape(local), count)).collect();
    places.sort_unstable();
    places.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    (state.holder.map(|holder| sets.shape(holder)), places)
}
