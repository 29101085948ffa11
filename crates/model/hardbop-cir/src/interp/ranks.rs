//! What is ordered in a state, as bytes: equal bytes, equal races to come.
//!
//! Clocks rise for ever; all that a clock says is which accesses it comes after. An access that all threads that live come after races
//! with nothing any more. Of the others by one thread only the order of their times counts, and an entry of a clock is how many
//! of these it has reached.

use rustc_hash::FxHashMap;

use super::race::{Clock, Mark, Order};

impl Order {
    /// `numbers` are those of the instances that can still be accessed.
    pub fn describe(
        &self,
        n_threads: usize,
        lives: impl Fn(usize) -> bool,
        numbers: &FxHashMap<u32, u32>,
        bytes: &mut Vec<u8>,
    ) {
        let knows = |thread: usize, mark: &Mark| {
            let clock = self.clocks.get(thread);
            let reached = clock.and_then(|it| it.get(mark.deed.thread as usize));
            reached.is_some_and(|&it| it >= mark.time)
        };
        let counts = |mark: &Mark| {
            let by = mark.deed.thread as usize;
            (0..n_threads).any(|it| it != by && lives(it) && !knows(it, mark))
        };
        let places = self
            .bytes
            .iter()
            .filter_map(|(&(instance, at), byte)| Some(((*numbers.get(&instance)?, at), byte)));
        let mut places: Vec<_> = places.collect();
        places.sort_by_key(|it| it.0);
        let mut times: Vec<Vec<u64>> = vec![Vec::new(); n_threads];
        for mark in places.iter().flat_map(|it| &it.1.marks).filter(|it| counts(it)) {
            times[mark.deed.thread as usize].push(mark.time);
        }
        for it in &mut times {
            it.sort_unstable();
            it.dedup();
        }
        let rank = |thread: usize, time: u64| times[thread].partition_point(|&it| it <= time);
        let ranks = |clock: &Clock| -> Vec<usize> {
            (0..n_threads).map(|at| rank(at, clock.get(at).copied().unwrap_or(0))).collect()
        };
        let mut put = |it: usize| bytes.extend((it as u32).to_le_bytes());
        for ((instance, at), byte) in &places {
            let marks = byte.marks.iter().filter(|it| counts(it));
            let mut marks: Vec<_> = marks
                .map(|it| {
                    let kind = usize::from(it.deed.is_write) << 1 | usize::from(it.is_atomic);
                    let by = it.deed.thread as usize;
                    (by, kind, rank(by, it.time))
                })
                .collect();
            marks.sort_unstable();
            // What says nothing of the accesses that count is as if it were not there.
            let left = byte.left.iter().map(|(by, clock)| (*by as usize, ranks(clock)));
            let left: Vec<_> = left.filter(|it| it.1.iter().any(|&it| it > 0)).collect();
            if marks.is_empty() && left.is_empty() {
                continue;
            }
            [*instance as usize, *at as usize, marks.len(), left.len()]
                .into_iter()
                .for_each(&mut put);
            marks.into_iter().flat_map(|(by, kind, rank)| [by, kind, rank]).for_each(&mut put);
            for (by, ranks) in left {
                put(by);
                ranks.into_iter().for_each(&mut put);
            }
        }
        put(u32::MAX as usize);
        let none = Clock::new();
        for at in 0..n_threads {
            let fences = self.fences.get(at);
            let clocks =
                [self.clocks.get(at), fences.map(|it| &it.read), fences.map(|it| &it.released)];
            for clock in clocks {
                ranks(clock.unwrap_or(&none)).into_iter().for_each(&mut put);
            }
        }
    }
}
