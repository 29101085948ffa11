//! Sets of incomparable states by control state: only the largest, or only the smallest ones are kept.
//!
//! Whether a state is redundant is asked for every step of a search. A state with the same ω and as many
//! other threads is comparable only if it is equal, so equal states are looked up first, and states are kept
//! in buckets by the number of ω and of other threads: most buckets need not be opened. In a bucket a
//! signature of 64 bits goes before every comparison.

use rustc_hash::FxHashMap;

use crate::cover::counts::{Counts, OMEGA};
use crate::cover::system::ControlId;

/// Which states a set keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// A state is redundant if a larger or equal one is in the set.
    Largest,
    /// A state is redundant if a smaller or equal one is in the set.
    Smallest,
}

/// A set of states, each with a number of the caller's.
#[derive(Debug)]
pub struct Antichain {
    keep: Keep,
    by_control: FxHashMap<ControlId, Level>,
    len: usize,
}

/// The states of one control state.
#[derive(Debug, Default)]
struct Level {
    exact: FxHashMap<Counts, u32>,
    buckets: Vec<(Weight, Vec<Entry>)>,
}

/// A larger state has a larger weight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Weight {
    n_omega: usize,
    /// Of the states that are not ω; only for as many ω is a larger state's larger.
    n_threads: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    signature: u64,
    counts: Counts,
    number: u32,
}

impl Weight {
    fn of(counts: &Counts) -> Self {
        let mut weight = Weight { n_omega: 0, n_threads: 0 };
        for (_, n) in counts.iter() {
            match n {
                OMEGA => weight.n_omega += 1,
                n => weight.n_threads += u64::from(n),
            }
        }
        weight
    }
}

impl Antichain {
    pub fn new(keep: Keep) -> Self {
        Antichain { keep, by_control: FxHashMap::default(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a state that makes this one redundant.
    pub fn find(&self, control: ControlId, counts: &Counts) -> Option<u32> {
        let level = self.by_control.get(&control)?;
        if let Some(&equal) = level.exact.get(counts) {
            return Some(equal);
        }
        let (weight, signature) = (Weight::of(counts), counts.signature());
        let keep = self.keep;
        let buckets = level.buckets.iter().filter(|(other, _)| match keep {
            Keep::Largest => *other > weight,
            Keep::Smallest => *other < weight,
        });
        let redundant = |it: &&Entry| match keep {
            Keep::Largest => signature & !it.signature == 0 && it.counts.covers(counts),
            Keep::Smallest => it.signature & !signature == 0 && counts.covers(&it.counts),
        };
        buckets.flat_map(|(_, entries)| entries).find(redundant).map(|it| it.number)
    }

    /// Adds a state that is not redundant; returns the numbers of those it makes redundant.
    pub fn insert(&mut self, control: ControlId, counts: &Counts, number: u32) -> Vec<u32> {
        let (weight, signature) = (Weight::of(counts), counts.signature());
        let keep = self.keep;
        let Level { exact, buckets } = self.by_control.entry(control).or_default();
        let mut redundant = Vec::new();
        for (other, entries) in buckets.iter_mut() {
            let comparable = match keep {
                Keep::Largest => *other < weight,
                Keep::Smallest => *other > weight,
            };
            if !comparable {
                continue;
            }
            entries.retain(|it| {
                let out = match keep {
                    Keep::Largest => it.signature & !signature == 0 && counts.covers(&it.counts),
                    Keep::Smallest => signature & !it.signature == 0 && it.counts.covers(counts),
                };
                if out {
                    redundant.push(it.number);
                    exact.remove(&it.counts);
                }
                !out
            });
        }
        exact.insert(counts.clone(), number);
        let entry = Entry { signature, counts: counts.clone(), number };
        match buckets.iter_mut().find(|(known, _)| *known == weight) {
            Some((_, entries)) => entries.push(entry),
            None => buckets.push((weight, vec![entry])),
        }
        self.len = self.len + 1 - redundant.len();
        redundant
    }

    /// The numbers of all states, in order.
    pub fn numbers(&self) -> Vec<u32> {
        let levels = self.by_control.values();
        let mut all: Vec<_> = levels.flat_map(|level| level.exact.values().copied()).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Antichain, Keep};
    use crate::cover::counts::{Counts, LocalId};
    use crate::cover::system::ControlId;

    fn counts(items: &[(u32, u32)]) -> Counts {
        items.iter().map(|&(local, n)| (LocalId::from_u32(local), n)).collect()
    }

    #[test]
    fn only_the_wanted_ends_of_the_order_are_kept() {
        let control = ControlId::from_u32(0);
        let (small, large) = (counts(&[(1, 1)]), counts(&[(1, 2), (65, 1)]));
        let mut up = Antichain::new(Keep::Largest);
        up.insert(control, &small, 0);
        assert_eq!(up.find(control, &large), None);
        assert_eq!(up.insert(control, &large, 1), [0]);
        assert_eq!(up.find(control, &small), Some(1));
        assert_eq!(up.find(ControlId::from_u32(1), &small), None);
        let mut down = Antichain::new(Keep::Smallest);
        down.insert(control, &large, 0);
        assert_eq!(down.insert(control, &small, 1), [0]);
        assert_eq!(down.find(control, &large), Some(1));
        assert_eq!((down.len(), down.numbers()), (1, vec![1]));
    }
}
