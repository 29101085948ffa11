//! A worklist that hands out the earliest node of a fixed order.
//!
//! A set of ranks as a tree of words: bit `i` of a level tells whether word `i` of the level below
//! is not empty. Taking the least rank looks at one word per level.

const WORD: usize = u64::BITS as usize;

/// Nodes `0..n`, taken in order of their rank; each waits at most once.
#[derive(Debug)]
pub(crate) struct Worklist<'a> {
    /// Nodes by rank.
    order: &'a [u32],
    /// Of each node.
    rank: Vec<u32>,
    /// The waiting ranks first, then level over level; the last has one word.
    levels: Vec<Vec<u64>>,
}

impl<'a> Worklist<'a> {
    /// All nodes wait in the beginning; `order` lists each once.
    pub(crate) fn full(order: &'a [u32]) -> Self {
        let mut rank = vec![0; order.len()];
        for (at, &node) in order.iter().enumerate() {
            rank[node as usize] = at as u32;
        }
        let mut levels = Vec::new();
        let mut n = order.len();
        loop {
            let mut words = vec![u64::MAX; n.div_ceil(WORD).max(1)];
            let n_words = words.len();
            words[n_words - 1] = match n % WORD {
                0 if n > 0 => u64::MAX,
                rest => (1 << rest) - 1,
            };
            levels.push(words);
            if n_words == 1 {
                break;
            }
            n = n_words;
        }
        Worklist { order, rank, levels }
    }

    pub(crate) fn push(&mut self, node: usize) {
        let mut at = self.rank[node] as usize;
        for words in &mut self.levels {
            let word = &mut words[at / WORD];
            let was_empty = *word == 0;
            *word |= 1 << (at % WORD);
            if !was_empty {
                break;
            }
            at /= WORD;
        }
    }

    pub(crate) fn pop(&mut self) -> Option<usize> {
        let mut at = 0;
        for words in self.levels.iter().rev() {
            let word = words[at];
            if word == 0 {
                return None;
            }
            at = at * WORD + word.trailing_zeros() as usize;
        }
        let node = self.order[at] as usize;
        for words in &mut self.levels {
            let word = &mut words[at / WORD];
            *word &= !(1 << (at % WORD));
            if *word != 0 {
                break;
            }
            at /= WORD;
        }
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::Worklist;

    #[test]
    fn nodes_come_in_order_and_once() {
        for n in [0, 1, 63, 64, 65, 4096, 4097, 5000] {
            let order: Vec<u32> = (0..n).rev().collect();
            let mut todo = Worklist::full(&order);
            for expect in (0..n).rev() {
                assert_eq!(todo.pop(), Some(expect as usize), "of {n}");
            }
            assert_eq!(todo.pop(), None);
        }
        let order: Vec<u32> = (0..9000).collect();
        let mut todo = Worklist::full(&order);
        while todo.pop().is_some() {}
        for node in [8000, 3, 70, 8000] {
            todo.push(node);
        }
        let popped: Vec<usize> = std::iter::from_fn(|| todo.pop()).collect();
        assert_eq!(popped, [3, 70, 8000]);
    }
}
