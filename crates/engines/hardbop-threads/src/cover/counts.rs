//! Multisets of local states, with ω for "any number" (BOOM section 8.1).

use hardbop_base::define_id;
use smallvec::SmallVec;

define_id!(
    /// A local state, or a place of a net.
    LocalId, "q"
);

/// A number of threads; [`OMEGA`] is larger than every other.
pub type Count = u32;

pub const OMEGA: Count = u32::MAX;

/// Counts of local states. Sorted by state; no count is 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Counts(SmallVec<[(LocalId, Count); 4]>);

impl Counts {
    pub fn new() -> Self {
        Counts::default()
    }

    pub fn one(local: LocalId) -> Self {
        Counts(SmallVec::from_slice(&[(local, 1)]))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LocalId, Count)> + '_ {
        self.0.iter().copied()
    }

    pub fn locals(&self) -> impl ExactSizeIterator<Item = LocalId> + '_ {
        self.0.iter().map(|&(local, _)| local)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of different states.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All threads; ω counts as many.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&(_, count)| u64::from(count)).sum()
    }

    pub fn get(&self, local: LocalId) -> Count {
        self.find(local).map_or(0, |at| self.0[at].1)
    }

    /// A count of 0 removes the state.
    pub fn set(&mut self, local: LocalId, count: Count) {
        match (self.find(local), count) {
            (Ok(at), 0) => _ = self.0.remove(at),
            (Ok(at), _) => self.0[at].1 = count,
            (Err(_), 0) => {}
            (Err(at), _) => self.0.insert(at, (local, count)),
        }
    }

    /// `n` more; ω stays ω, and nothing else becomes ω.
    pub fn add(&mut self, local: LocalId, n: Count) {
        let count = match (self.get(local), n) {
            (OMEGA, _) | (_, OMEGA) => OMEGA,
            (count, n) => count.saturating_add(n).min(OMEGA - 1),
        };
        self.set(local, count);
    }

    pub fn add_all(&mut self, other: &Counts) {
        other.iter().for_each(|(local, n)| self.add(local, n));
    }

    /// `n` less, or as many as there are; ω stays ω.
    pub fn subtract(&mut self, local: LocalId, n: Count) {
        if let Ok(at) = self.find(local)
            && self.0[at].1 != OMEGA
        {
            self.set(local, self.0[at].1.saturating_sub(n));
        }
    }

    pub fn subtract_all(&mut self, other: &Counts) {
        other.iter().for_each(|(local, n)| self.subtract(local, n));
    }

    /// The larger count of each state.
    pub fn raise_to(&mut self, other: &Counts) {
        for (local, n) in other.iter() {
            if n > self.get(local) {
                self.set(local, n);
            }
        }
    }

    /// Whether this has at least as many of each.
    pub fn covers(&self, other: &Counts) -> bool {
        if other.0.len() > self.0.len() {
            return false;
        }
        let mut mine = self.0.iter();
        other.0.iter().all(|&(local, n)| {
            mine.by_ref()
                .find(|&&(it, _)| it >= local)
                .is_some_and(|&(it, m)| it == local && m >= n)
        })
    }

    /// A set of bits that is a subset for what is covered: a cheap first test.
    pub fn signature(&self) -> u64 {
        self.locals().fold(0, |bits, local| bits | 1 << (local.as_u32() % 64))
    }

    fn find(&self, local: LocalId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&local, |&(local, _)| local)
    }
}

/// Every multiset with one more thread, in one of the options; each once.
pub fn one_more(all: &[Counts], options: &[LocalId]) -> Vec<Counts> {
    let mut more = Vec::with_capacity(all.len() * options.len());
    for counts in all {
        for &local in options {
            let mut counts = counts.clone();
            counts.add(local, 1);
            more.push(counts);
        }
    }
    more.sort_unstable();
    more.dedup();
    more
}

impl FromIterator<(LocalId, Count)> for Counts {
    fn from_iter<It: IntoIterator<Item = (LocalId, Count)>>(items: It) -> Self {
        let mut counts = Counts::new();
        items.into_iter().for_each(|(local, n)| counts.add(local, n));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, LocalId, OMEGA};

    fn counts(items: &[(u32, u32)]) -> Counts {
        items.iter().map(|&(local, n)| (LocalId::from_u32(local), n)).collect()
    }

    #[test]
    fn omega_absorbs_and_covers() {
        let mut it = counts(&[(3, 1), (1, OMEGA), (3, 1)]);
        assert_eq!(it, counts(&[(1, OMEGA), (3, 2)]));
        it.subtract_all(&counts(&[(1, 7), (3, 1), (9, 1)]));
        assert_eq!(it, counts(&[(1, OMEGA), (3, 1)]));
        it.subtract(LocalId::from_u32(3), 5);
        assert_eq!(it, counts(&[(1, OMEGA)]));
        assert!(it.covers(&counts(&[(1, 1000)])) && it.covers(&counts(&[])));
        assert!(!it.covers(&counts(&[(2, 1)])) && !counts(&[(1, 9)]).covers(&it));
        assert!(counts(&[(1, 1), (2, 2), (5, 1)]).covers(&counts(&[(2, 2), (5, 1)])));
        assert!(!counts(&[(1, 1), (2, 1), (5, 1)]).covers(&counts(&[(2, 2), (5, 1)])));
    }
}
