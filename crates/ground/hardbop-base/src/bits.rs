//! A bit per index: the one representation of variable sets and of valuations.
//!
//! Invariant: no trailing zero word is stored, so that equality, order and hash do not depend on
//! how a set came about. Up to 128 indices live inline.

use smallvec::SmallVec;

const WORD: usize = u64::BITS as usize;

/// A finite set of small indices, or a valuation (the set of indices that are true).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Bits {
    words: SmallVec<[u64; 2]>,
}

impl Bits {
    pub fn new() -> Self {
        Bits { words: SmallVec::new() }
    }

    /// The set `{0, …, n-1}`.
    pub fn full(n: usize) -> Self {
        (0..n).collect()
    }

    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / WORD).is_some_and(|word| word >> (index % WORD) & 1 == 1)
    }

    /// Returns whether the set changed.
    pub fn insert(&mut self, index: usize) -> bool {
        let at = index / WORD;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (index % WORD);
        let changed = self.words[at] & bit == 0;
        self.words[at] |= bit;
        changed
    }

    /// Returns whether the set changed.
    pub fn remove(&mut self, index: usize) -> bool {
        let changed = self.contains(index);
        if changed {
            self.words[index / WORD] &= !(1 << (index % WORD));
            self.trim();
        }
        changed
    }

    pub fn set(&mut self, index: usize, value: bool) {
        if value {
            self.insert(index);
        } else {
            self.remove(index);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// In increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| at * WORD + rest.trailing_zeros() as usize)
        })
    }

    /// Returns whether `self` grew.
    pub fn union_with(&mut self, other: &Bits) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            grew |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    pub fn intersect_with(&mut self, other: &Bits) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
        self.trim();
    }

    pub fn subtract(&mut self, other: &Bits) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
        self.trim();
    }

    pub fn is_subset(&self, other: &Bits) -> bool {
        self.words.len() <= other.words.len()
            && self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & !theirs == 0)
    }

    pub fn intersects(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The indices below `n`.
    pub fn below(&self, n: usize) -> Bits {
        let mut low = self.clone();
        low.words.truncate(n.div_ceil(WORD));
        if !n.is_multiple_of(WORD)
            && let Some(last) = low.words.get_mut(n / WORD)
        {
            *last &= (1 << (n % WORD)) - 1;
        }
        low.trim();
        low
    }

    /// The indices from `n` on.
    pub fn from(&self, n: usize) -> Bits {
        let mut high = self.clone();
        high.subtract(&self.below(n));
        high
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<It: IntoIterator<Item = usize>>(indices: It) -> Self {
        let mut bits = Bits::new();
        bits.extend(indices);
        bits
    }
}

impl Extend<usize> for Bits {
    fn extend<It: IntoIterator<Item = usize>>(&mut self, indices: It) {
        for index in indices {
            self.insert(index);
        }
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn equal_sets_are_equal_however_they_came_about() {
        let mut grown: Bits = [3, 200].into_iter().collect();
        assert!(grown.remove(200));
        assert_eq!(grown, [3].into_iter().collect());
        grown.intersect_with(&Bits::full(2));
        assert_eq!(grown, Bits::new());
    }

    #[test]
    fn below_and_from_split_a_set() {
        let all: Bits = [0, 63, 64, 65, 127, 128, 300].into_iter().collect();
        for n in [0, 1, 63, 64, 65, 100, 128, 129, 300, 301, 1000] {
            let mut joined = all.below(n);
            assert!(joined.iter().all(|i| i < n));
            assert!(all.from(n).iter().all(|i| i >= n));
            joined.union_with(&all.from(n));
            assert_eq!(joined, all);
        }
    }

    #[test]
    fn iteration_is_in_order() {
        let set: Bits = [300, 0, 64, 63].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 300]);
        assert_eq!(set.len(), 4);
    }
}
