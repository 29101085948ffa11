//! Upper bounds of differences of two registers, read as numbers with a sign.

use std::collections::BTreeMap;

use crate::program::VarId;

/// More bounds than this are not kept: the oldest registers have theirs first.
const MAX_BOUNDS: usize = 256;

/// `x - y <= bound` for some pairs of registers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Differences {
    bounds: BTreeMap<(VarId, VarId), i128>,
}

impl Differences {
    pub fn iter(&self) -> impl Iterator<Item = (VarId, VarId, i128)> + '_ {
        self.bounds.iter().map(|(&(x, y), &bound)| (x, y, bound))
    }

    pub fn get(&self, x: VarId, y: VarId) -> Option<i128> {
        if x == y { Some(0) } else { self.bounds.get(&(x, y)).copied() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    pub(super) fn forget(&mut self, var: VarId) {
        self.bounds.retain(|&(x, y), _| x != var && y != var);
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(VarId) -> bool) {
        self.bounds.retain(|&(x, y), _| keep(x) && keep(y));
    }

    /// `x := y + by`, without overflow.
    pub(super) fn assign(&mut self, x: VarId, y: VarId, by: i128) {
        if x == y {
            for (&(a, b), bound) in &mut self.bounds {
                *bound += if a == x { by } else { 0 } - if b == x { by } else { 0 };
            }
            return;
        }
        self.forget(x);
        let of_y: Vec<(VarId, VarId, i128)> =
            self.iter().filter(|&(a, b, _)| a == y || b == y).collect();
        self.put(x, y, by);
        self.put(y, x, -by);
        for (a, b, bound) in of_y {
            match a == y {
                true => self.put(x, b, bound + by),
                false => self.put(a, x, bound - by),
            }
        }
    }

    /// Learns `x - y <= bound` with what follows in one step on each side; `false` if that cannot
    /// be.
    pub(super) fn add(&mut self, x: VarId, y: VarId, bound: i128) -> bool {
        if x == y || self.get(y, x).is_some_and(|back| bound + back < 0) {
            return bound >= 0 && x == y;
        }
        if self.get(x, y).is_some_and(|old| old <= bound) {
            return true;
        }
        let into_x: Vec<(VarId, i128)> =
            self.iter().filter(|it| it.1 == x && it.0 != y).map(|it| (it.0, it.2)).collect();
        let from_y: Vec<(VarId, i128)> =
            self.iter().filter(|it| it.0 == y && it.1 != x).map(|it| (it.1, it.2)).collect();
        self.put(x, y, bound);
        for &(a, before) in &into_x {
            self.put(a, y, before + bound);
        }
        for &(b, behind) in &from_y {
            self.put(x, b, bound + behind);
            for &(a, before) in into_x.iter().filter(|it| it.0 != b) {
                self.put(a, b, before + bound + behind);
            }
        }
        true
    }

    fn put(&mut self, x: VarId, y: VarId, bound: i128) {
        let has_room = self.bounds.len() < MAX_BOUNDS;
        match self.bounds.get_mut(&(x, y)) {
            Some(old) => *old = (*old).min(bound),
            None if has_room => drop(self.bounds.insert((x, y), bound)),
            None => {}
        }
    }

    /// What holds in both; each side may know a bound otherwise.
    pub(super) fn join(
        &self,
        other: &Differences,
        known_here: impl Fn(VarId, VarId) -> Option<i128>,
        known_there: impl Fn(VarId, VarId) -> Option<i128>,
    ) -> Differences {
        let here = |x, y| self.get(x, y).or_else(|| known_here(x, y));
        let there = |x, y| other.get(x, y).or_else(|| known_there(x, y));
        let pairs = self.bounds.keys().chain(other.bounds.keys());
        let both = pairs.filter_map(|&(x, y)| Some(((x, y), here(x, y)?.max(there(x, y)?))));
        Differences { bounds: both.collect() }
    }

    /// Drops the bounds that grew since `old`.
    pub(super) fn keep_stable(&mut self, old: &Differences) {
        self.bounds.retain(|pair, bound| old.bounds.get(pair).is_some_and(|old| *bound <= *old));
    }
}
