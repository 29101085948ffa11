//! A small source of chance: SplitMix64, which needs no warm-up and has no bad seeds.

/// Pseudo-random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0. The bias of the remainder is below 2^-32 for our sizes.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % (n.max(1) as u64)) as usize
    }

    /// A number of the range, both ends included.
    pub fn within(&mut self, range: (usize, usize)) -> usize {
        range.0 + self.below(range.1.saturating_sub(range.0) + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// `None` if there is nothing to pick from.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// An item, each as often as its weight says; `None` if all weights are 0.
    pub fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> Option<T> {
        let total: u32 = items.iter().map(|&(weight, _)| weight).sum();
        let mut at = self.below(total as usize) as u32;
        items.iter().find_map(|&(weight, item)| {
            if at < weight {
                Some(item)
            } else {
                at -= weight;
                None
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        assert!((0..100).all(|_| a.next_u64() == b.next_u64()));
        assert_ne!(Rng::new(7).next_u64(), Rng::new(8).next_u64());
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut rng = Rng::new(1);
        assert_eq!(rng.weighted(&[(0, 'a')]), None);
        assert!((0..200).all(|_| rng.weighted(&[(0, 'a'), (3, 'b'), (0, 'c')]) == Some('b')));
    }
}
