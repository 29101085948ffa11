//! A set of short lists of words, each kept once, one behind the other in one long list.

/// The set; lists are numbered in order of insertion.
#[derive(Debug)]
pub struct WordTable {
    words: Vec<u32>,
    /// Where the words of each list end.
    ends: Vec<usize>,
    /// Open addressing: the number of a list plus one, or 0, and more bits of its hash, so that
    /// most others are told apart without a look at their words. A power of two, at most half full.
    slots: Vec<(u32, u32)>,
}

impl Default for WordTable {
    fn default() -> Self {
        WordTable { words: Vec::new(), ends: Vec::new(), slots: vec![(0, 0); 1024] }
    }
}

impl WordTable {
    /// The number of a list, and whether it is new.
    pub fn insert(&mut self, words: &[u32]) -> (u32, bool) {
        let hash = hash(words);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let (Some(known), more) = (self.slots[at].0.checked_sub(1), self.slots[at].1) {
            if more == (hash >> 32) as u32 && self.get(known) == words {
                return (known, false);
            }
            at = (at + 1) & mask;
        }
        let id = u32::try_from(self.ends.len()).expect("memory ends before 2^32 lists do");
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        self.slots[at] = (id + 1, (hash >> 32) as u32);
        if 2 * self.ends.len() > self.slots.len() {
            self.grow();
        }
        (id, true)
    }

    pub fn get(&self, id: u32) -> &[u32] {
        let index = id as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[index]]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots = vec![(0, 0); mask + 1];
        for id in 0..self.ends.len() as u32 {
            let hash = hash(self.get(id));
            let mut at = hash as usize & mask;
            while self.slots[at].0 != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = (id + 1, (hash >> 32) as u32);
        }
    }
}

/// Every bit of the words moves every bit of the hash: states differ in few bits.
fn hash(words: &[u32]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let mixed = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15_u128;
        ((mixed as u64) ^ (mixed >> 64) as u64).wrapping_add(0xD6E8_FEB8_6659_FD93)
    };
    let pairs = words.chunks_exact(2);
    let start = mix(words.len() as u64, pairs.remainder().first().copied().unwrap_or(0).into());
    pairs.fold(start, |hash, pair| mix(hash, u64::from(pair[0]) << 32 | u64::from(pair[1])))
}

#[cfg(test)]
mod tests {
    use super::WordTable;

    #[test]
    fn equal_lists_are_one_number() {
        let mut table = WordTable::default();
        assert!(table.is_empty());
        let lists: Vec<Vec<u32>> =
            (0..5000).map(|i| (0..i % 7).map(|k| i / 7 + k * 1000).collect()).collect();
        for list in &lists {
            table.insert(list);
        }
        for list in &lists {
            let (id, is_new) = table.insert(list);
            assert!(!is_new && table.get(id) == list);
        }
        let mut distinct = lists.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(table.len(), distinct.len());
    }
}
