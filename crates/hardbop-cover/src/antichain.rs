//! Sets of incomparable states by control state: only the largest, or only the smallest ones are kept.
//!
//! A signature of 64 bits and the number of different local states go before every comparison.

use rustc_hash::FxHashMap;

use crate::counts::Counts;
use crate::system::ControlId;

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
    by_control: FxHashMap<ControlId, Vec<Entry>>,
    len: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    signature: u64,
    counts: Counts,
    number: u32,
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
        let entries = self.by_control.get(&control)?;
        let signature = counts.signature();
        let found = match self.keep {
            Keep::Largest => entries
                .iter()
                .rev()
                .find(|it| signature & !it.signature == 0 && it.counts.covers(counts)),
            Keep::Smallest => entries
                .iter()
                .find(|it| it.signature & !signature == 0 && counts.covers(&it.counts)),
        };
        found.map(|it| it.number)
    }

    /// Adds a state that is not redundant; returns the numbers of those it makes redundant.
    pub fn insert(&mut self, control: ControlId, counts: &Counts, number: u32) -> Vec<u32> {
        let signature = counts.signature();
        let keep = self.keep;
        let entries = self.by_control.entry(control).or_default();
        let mut redundant = Vec::new();
        entries.retain(|it| {
            let out = match keep {
                Keep::Largest => it.signature & !signature == 0 && counts.covers(&it.counts),
                Keep::Smallest => signature & !it.signature == 0 && it.counts.covers(counts),
            };
            if out {
                redundant.push(it.number);
            }
            !out
        });
        entries.push(Entry { signature, counts: counts.clone(), number });
        self.len = self.len + 1 - redundant.len();
        redundant
    }

    /// The numbers of all states, in order.
    pub fn numbers(&self) -> Vec<u32> {
        let mut all: Vec<_> = self.by_control.values().flatten().map(|it| it.number).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Antichain, Keep};
    use crate::counts::{Counts, LocalId};
    use crate::system::ControlId;

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
