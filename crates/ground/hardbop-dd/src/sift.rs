//! A better order by sifting: each group of levels is moved through the whole order and left where
//! the functions are smallest (Rudell 1993; groups after Panda and Somenzi, *Who are the variables in your
//! neighborhood*, ICCAD 1995).

use crate::Forest;

impl Forest {
    /// Moves groups of neighbouring levels until that gains little or `most_work` nodes were looked at. `sizes` are the numbers of
    /// levels of the groups from the top. Returns the groups in their new order.
    pub fn sift(&mut self, sizes: &[usize], most_work: u64) -> Vec<usize> {
        let mut sifting = Sifting { order: (0..sizes.len()).collect(), sizes, forest: self };
        let limit = sifting.forest.work() + most_work;
        loop {
            let before = sifting.forest.n_nodes();
            sifting.pass(limit);
            let after = sifting.forest.n_nodes();
            if sifting.forest.work() >= limit || after * 50 > before * 49 {
                return sifting.order;
            }
        }
    }
}

struct Sifting<'a> {
    forest: &'a mut Forest,
    /// Levels of each group.
    sizes: &'a [usize],
    /// The group at each place.
    order: Vec<usize>,
}

impl Sifting<'_> {
    /// Each group once, those with most nodes first.
    fn pass(&mut self, limit: u64) {
        let mut start = 0;
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for &group in &self.order {
            let levels = start..start + self.sizes[group];
            start = levels.end;
            groups.push((levels.map(|place| self.forest.n_nodes_at(place)).sum(), group));
        }
        groups.retain(|&(nodes, _)| nodes > 0);
        groups.sort_unstable_by_key(|&(nodes, group)| (std::cmp::Reverse(nodes), group));
        for (_, group) in groups {
            if self.forest.work() >= limit {
                break;
            }
            self.place(group, limit);
        }
    }

    /// Leaves a group at its best place: first to the nearer end, then to the other one, then back to the best.
    fn place(&mut self, group: usize, limit: u64) {
        let at = self.order.iter().position(|&other| other == group).expect("each group is there");
        let last = self.order.len() - 1;
        let ends = if at * 2 <= last { [0, last] } else { [last, 0] };
        let (mut now, mut best, mut fewest) = (at, at, self.forest.n_nodes());
        for end in ends {
            while now != end {
                let further = if end > now { now + 1 } else { now - 1 };
                self.exchange(now.min(further));
                now = further;
                let n_nodes = self.forest.n_nodes();
                if n_nodes < fewest {
                    (best, fewest) = (now, n_nodes);
                }
                // Much larger than the best: nothing is to be found in this direction.
                if n_nodes > fewest + fewest / 5 + 10 || self.forest.work() >= limit {
                    break;
                }
            }
        }
        while now != best {
            let nearer = if best > now { now + 1 } else { now - 1 };
            self.exchange(now.min(nearer));
            now = nearer;
        }
    }

    /// Exchanges the groups at a place and the next one.
    fn exchange(&mut self, place: usize) {
        let first: usize = self.order[..place].iter().map(|&group| self.sizes[group]).sum();
        let (upper, lower) = (self.sizes[self.order[place]], self.sizes[self.order[place + 1]]);
        // Each level of the lower group rises through the upper one.
        for level in 0..lower {
            for above in (first + level..first + level + upper).rev() {
                self.forest.exchange(above);
            }
        }
        self.order.swap(place, place + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Level, Limits, Manager};

    /// x1 y1 + x2 y2 + … is linear if the pairs are neighbours, exponential if all x come first.
    #[test]
    fn pairs_find_each_other() {
        const N: u32 = 8;
        let m = Manager::new(2 * N as usize, Limits::SMALL);
        let var = |i: u32| m.var(Level::from_u32(i)).unwrap();
        let sum = (0..N).fold(m.zero().clone(), |sum, i| {
            m.or(&sum, &m.and(&var(i), &var(N + i)).unwrap()).unwrap()
        });
        let mut forest = m.forest(std::slice::from_ref(&sum));
        assert!(forest.n_nodes() > 1 << N);
        let order = forest.sift(&[1; 2 * N as usize], 1 << 24);
        assert_eq!(forest.n_nodes(), 2 * N as usize, "{order:?}");
        let levels: Vec<_> = forest.order().map(|level| level.as_u32() as usize).collect();
        assert_eq!(order, levels);
        // The same in a manager with that order.
        let better = Manager::new(2 * N as usize, Limits::SMALL);
        let place = |level: Level| {
            let at = levels.iter().position(|&other| other == level.as_u32() as usize);
            Level::from_u32(at.unwrap() as u32)
        };
        let moved = better.import(&m, &[sum], place).unwrap();
        assert_eq!(better.node_count(&moved[0]), 2 * N as usize);
    }

    /// Levels of a group stay together and in their order.
    #[test]
    fn groups_stay_together() {
        let m = Manager::new(12, Limits::SMALL);
        let var = |i: u32| m.var(Level::from_u32(i)).unwrap();
        // Groups of three; the first group is compared with the last, the second with the third.
        let mut all = m.one().clone();
        for (a, b) in [(0, 9), (1, 10), (2, 11), (3, 6), (4, 7), (5, 8)] {
            all = m.and(&all, &m.iff(&var(a), &var(b)).unwrap()).unwrap();
        }
        let mut forest = m.forest(&[all]);
        let before = forest.n_nodes();
        let order = forest.sift(&[3; 4], 1 << 20);
        assert!(forest.n_nodes() < before, "{order:?}");
        let levels: Vec<_> = forest.order().map(|level| level.as_u32() as usize).collect();
        let expected: Vec<_> = order.iter().flat_map(|&group| 3 * group..3 * group + 3).collect();
        assert_eq!(levels, expected);
        assert_eq!(
            order
                .iter()
                .position(|&g| g == 0)
                .unwrap()
                .abs_diff(order.iter().position(|&g| g == 3).unwrap()),
            1
        );
    }
}
