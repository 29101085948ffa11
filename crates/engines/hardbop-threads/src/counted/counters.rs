//! Global states up to the order of threads: how many threads are in which state (BOOM section 7.1),
//! and a table of them.

use hardbop_base::define_id;

use crate::counted::table::WordTable;

define_id!(
    /// A valuation of the shared variables.
    SharedId, "s"
);
define_id!(
    /// A state of a thread.
    LocalId, "q"
);
define_id!(
    /// A state of the table.
    StateId, "state"
);

/// A global state. The holder of the atomic flag is like no other thread and kept apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Counters {
    pub shared: SharedId,
    pub holder: Option<LocalId>,
    /// Sorted by state; no count is 0.
    pub counts: Vec<(LocalId, u32)>,
}

impl Counters {
    /// All threads, the holder included.
    pub fn n_threads(&self) -> u64 {
        let counted: u64 = self.counts.iter().map(|&(_, count)| u64::from(count)).sum();
        counted + u64::from(self.holder.is_some())
    }

    /// The state of each thread but the holder.
    pub fn copies(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.counts.iter().flat_map(|&(local, n)| std::iter::repeat_n(local, n as usize))
    }

    /// `n` more threads in this state.
    pub fn add(&mut self, local: LocalId, n: u32) {
        match self.counts.binary_search_by_key(&local, |&(local, _)| local) {
            Ok(at) => self.counts[at].1 += n,
            Err(at) => self.counts.insert(at, (local, n)),
        }
    }

    /// One more thread, which may be the holder of the flag.
    pub fn place(&mut self, local: LocalId, holds: bool) {
        if holds {
            self.holder = Some(local);
        } else {
            self.add(local, 1);
        }
    }

    /// One thread less in this state; false if there is none.
    pub fn take(&mut self, local: LocalId) -> bool {
        let Ok(at) = self.counts.binary_search_by_key(&local, |&(local, _)| local) else {
            return false;
        };
        self.counts[at].1 -= 1;
        if self.counts[at].1 == 0 {
            self.counts.remove(at);
        }
        true
    }

    fn pack(&self, words: &mut Vec<u32>) {
        words.push(self.shared.as_u32());
        words.push(self.holder.map_or(0, |holder| holder.as_u32() + 1));
        words.extend(self.counts.iter().flat_map(|&(local, count)| [local.as_u32(), count]));
    }

    fn unpack(words: &[u32]) -> Self {
        let counts = words[2..].chunks_exact(2);
        Counters {
            shared: SharedId::from_u32(words[0]),
            holder: words[1].checked_sub(1).map(LocalId::from_u32),
            counts: counts.map(|pair| (LocalId::from_u32(pair[0]), pair[1])).collect(),
        }
    }
}

/// A set of states, numbered in order of insertion.
#[derive(Debug, Default)]
pub struct StateTable {
    table: WordTable,
    /// Of the state at hand, kept for its memory.
    words: Vec<u32>,
}

impl StateTable {
    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &Counters) -> (StateId, bool) {
        self.words.clear();
        state.pack(&mut self.words);
        let (id, is_new) = self.table.insert(&self.words);
        (StateId::from_u32(id), is_new)
    }

    pub fn get(&self, id: StateId) -> Counters {
        Counters::unpack(self.table.get(id.as_u32()))
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
}

/// Calls `each` with every way to give each of `n` equal threads one of the options, as counts.
pub fn multisets<E>(
    options: &[LocalId],
    n: u32,
    each: &mut impl FnMut(&[(LocalId, u32)]) -> Result<(), E>,
) -> Result<(), E> {
    let Some(last) = options.len().checked_sub(1) else {
        return if n == 0 { each(&[]) } else { Ok(()) };
    };
    // How many take each option; the last takes what is left. Counted up like an odometer.
    let mut taken = vec![0; last];
    let mut rest = n;
    loop {
        let counts = options.iter().copied().zip(taken.iter().copied().chain([rest]));
        each(&counts.filter(|&(_, count)| count > 0).collect::<Vec<_>>())?;
        let mut at = 0;
        loop {
            if at == last {
                return Ok(());
            }
            if rest > 0 {
                taken[at] += 1;
                rest -= 1;
                break;
            }
            rest += std::mem::take(&mut taken[at]);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::{Counters, LocalId, SharedId, StateTable, multisets};

    fn state(shared: u32, holder: Option<u32>, counts: &[(u32, u32)]) -> Counters {
        let counts = counts.iter().map(|&(local, n)| (LocalId::from_u32(local), n)).collect();
        let holder = holder.map(LocalId::from_u32);
        Counters { shared: SharedId::from_u32(shared), holder, counts }
    }

    #[test]
    fn the_table_keeps_each_state_once() {
        let mut table = StateTable::default();
        let mut states = Vec::new();
        for shared in 0..40 {
            for local in 0..20 {
                states.push(state(shared, None, &[(local, 1), (local + 1, 2)]));
                states.push(state(shared, Some(local), &[]));
                states.push(state(shared, Some(local), &[(local, 1)]));
            }
        }
        for (index, it) in states.iter().enumerate() {
            assert_eq!(table.insert(it).0.as_u32() as usize, index);
        }
        for (index, it) in states.iter().enumerate() {
            let (id, is_new) = table.insert(it);
            assert!(!is_new && id.as_u32() as usize == index && table.get(id) == *it);
        }
        assert_eq!(table.len(), states.len());
    }

    #[test]
    fn counts_stay_sorted_and_positive() {
        let mut it = state(0, Some(9), &[(3, 1)]);
        it.add(LocalId::from_u32(1), 2);
        it.add(LocalId::from_u32(3), 1);
        assert_eq!(it, state(0, Some(9), &[(1, 2), (3, 2)]));
        assert_eq!(it.n_threads(), 5);
        assert!(it.take(LocalId::from_u32(3)) && it.take(LocalId::from_u32(3)));
        assert!(!it.take(LocalId::from_u32(3)));
        assert_eq!(it, state(0, Some(9), &[(1, 2)]));
    }

    #[test]
    fn every_multiset_comes_once() {
        for (n_options, n, expected) in [(0, 0, 1), (0, 2, 0), (1, 5, 1), (2, 3, 4), (3, 4, 15)] {
            let options: Vec<_> = (0..n_options).map(LocalId::from_u32).collect();
            let mut all = Vec::new();
            let Ok(()) = multisets::<Infallible>(&options, n, &mut |counts| {
                assert_eq!(counts.iter().map(|&(_, count)| count).sum::<u32>(), n);
                all.push(counts.to_vec());
                Ok(())
            });
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), expected, "{n_options} options, {n} threads");
        }
    }
}
