//! Product states in which any number of threads may be, and their order.
//!
//! ⟨S, (L₁, n₁), …, Ω⟩ stands for every global state whose shared values are in S, with any number of
//! threads in Ω and, beside them, at most nᵢ in Lᵢ: a downward-closed set. One Ω is enough, because any
//! number in L and any number in L' is any number in L ∪ L'. A thread that may be in Ω is nothing beside
//! it, so the normal form keeps Lᵢ without Ω, and no empty ones: counters are there only for what occurs
//! a limited number of times (BOOM section 8.4.1 calls them volatile).
//!
//! **The order** is inclusion, tested by BOOM definition 7.5: each set of the smaller state, as far as it
//! is not in the Ω of the larger, is given a thread of its own in a set that includes it. What it says is
//! true; two states may include each other without such a matching.

use crate::counted::counters::{Counters, LocalId};
use crate::counted::identify::perfect_matching;
use hardbop_base::{Bits, Idx};
use hardbop_dd::{Dd, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::symbolic::history::threads;
use crate::symbolic::sets::{LocalSets, includes};

/// See above.
#[derive(Clone, Debug)]
pub struct OmegaState {
    pub shared: Dd,
    /// Those that occur a limited number of times, and the holder of the flag.
    pub threads: Counters,
    /// Any number of threads is here.
    pub omega: LocalId,
    /// Where threads are: a smaller state has a subset, which is quickly tested (BOOM section 10.7.1).
    places: Bits,
}

impl OmegaState {
    /// A cheap test; if not, the other state is not smaller.
    pub fn may_include(&self, small: &OmegaState) -> bool {
        small.places.is_subset(&self.places)
    }
}

/// Sets of threads by number and count; sorted.
type Counts = Vec<(LocalId, u32)>;

/// Which sets include each other, and what they have beyond each other, computed once.
#[derive(Debug, Default)]
pub struct Order {
    within: FxHashMap<(LocalId, LocalId), bool>,
    without: FxHashMap<(LocalId, LocalId), LocalId>,
    union: FxHashMap<(LocalId, LocalId), LocalId>,
}

impl Order {
    /// The normal form.
    pub fn state(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
        shared: Dd,
        from: &Counters,
        omega: LocalId,
    ) -> Result<OmegaState, OutOfNodes> {
        let mut kept = threads(from.holder, Vec::new());
        for &(local, n) in &from.counts {
            let rest = self.without(dd, sets, local, omega)?;
            if !sets.get(rest).is_empty() {
                kept.add(rest, n);
            }
        }
        let mut places = Bits::new();
        let locals = kept.counts.iter().map(|it| it.0).chain(kept.holder).chain([omega]);
        for local in locals {
            sets.get(local).iter().for_each(|(pc, _)| _ = places.insert(pc.index()));
        }
        Ok(OmegaState { shared, threads: kept, omega, places })
    }

    /// Whether the threads of `small` are among those of `large`, whatever the shared values: then what
    /// `large` has beyond them.
    pub fn beyond(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
        large: &OmegaState,
        small: &OmegaState,
    ) -> Result<Option<Counts>, OutOfNodes> {
        if !large.may_include(small) {
            return Ok(None);
        }
        let holders = match (small.threads.holder, large.threads.holder) {
            (Some(small), Some(large)) => self.within(dd, sets, small, large),
            (small, large) => small == large,
        };
        if !holders || !self.within(dd, sets, small.omega, large.omega) {
            return Ok(None);
        }
        let mut free = large.threads.clone();
        let mut open = Vec::new();
        for &(local, n) in &small.threads.counts {
            let rest = self.without(dd, sets, local, large.omega)?;
            if sets.get(rest).is_empty() {
                continue;
            }
            // Equal ones can always be given to each other.
            let mut left = n;
            while left > 0 && free.take(rest) {
                left -= 1;
            }
            open.extend(std::iter::repeat_n(rest, left as usize));
        }
        if !open.is_empty() && !self.give(dd, sets, &open, &mut free) {
            return Ok(None);
        }
        Ok(Some(free.counts))
    }

    /// Gives each of these threads one of the free ones that includes it, if that is possible.
    fn give(
        &mut self,
        dd: &Manager,
        sets: &LocalSets,
        open: &[LocalId],
        free: &mut Counters,
    ) -> bool {
        let copies: Vec<LocalId> = free.copies().collect();
        if open.len() > copies.len() {
            return false;
        }
        let mut fits = Vec::with_capacity(open.len());
        for &small in open {
            let row = copies.iter().map(|&large| self.within(dd, sets, small, large));
            let row: Vec<bool> = row.collect();
            if !row.contains(&true) {
                return false;
            }
            fits.push(row);
        }
        // Nobody's threads take the places that are left.
        let given = perfect_matching(copies.len(), |small, large| {
            fits.get(small).is_none_or(|row| row[large])
        });
        let Some(given) = given else { return false };
        given[..open.len()].iter().for_each(|&large| _ = free.take(copies[large]));
        true
    }

    fn within(&mut self, dd: &Manager, sets: &LocalSets, small: LocalId, large: LocalId) -> bool {
        let test = || includes(dd, &sets.get(large), &sets.get(small));
        small == large || *self.within.entry((small, large)).or_insert_with(test)
    }

    /// The thread states of `local` that are not in `other`.
    fn without(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
        local: LocalId,
        other: LocalId,
    ) -> Result<LocalId, OutOfNodes> {
        if let Some(&known) = self.without.get(&(local, other)) {
            return Ok(known);
        }
        let rest = sets.minus(dd, local, other)?;
        self.without.insert((local, other), rest);
        Ok(rest)
    }

    pub fn union(
        &mut self,
        dd: &Manager,
        sets: &mut LocalSets,
        a: LocalId,
        b: LocalId,
    ) -> Result<LocalId, OutOfNodes> {
        if let Some(&known) = self.union.get(&(a, b)) {
            return Ok(known);
        }
        let both = sets.union(dd, a, b)?;
        self.union.insert((a, b), both);
        Ok(both)
    }
}
