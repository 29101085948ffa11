//! Sets given by their largest or smallest states: is a state below, or above, one of a list?

use hardbop_evidence::threads::{Counted, SharedValues, ThreadState};
use rustc_hash::FxHashMap;

use super::is_below;

/// A list of states, found by their shared values and the holder of the flag: states that differ
/// there are neither below nor above each other.
pub struct Cover<'a> {
    states: FxHashMap<(SharedValues, Option<ThreadState>), Vec<Entry<'a>>>,
}

struct Entry<'a> {
    state: &'a Counted,
    support: u64,
}

/// A set of thread states seen through a sieve of 64 holes: quick to compare.
fn support(state: &Counted) -> u64 {
    state.counts.iter().fold(0, |all, (thread, _)| all | 1 << (thread.as_u32() % 64))
}

impl<'a> Cover<'a> {
    pub fn new(states: &'a [Counted]) -> Self {
        let mut cover = Cover { states: FxHashMap::default() };
        for state in states {
            let entries = cover.states.entry((state.shared, state.holder)).or_default();
            entries.push(Entry { state, support: support(state) });
        }
        cover
    }

    /// Whether one of the list has at least these threads.
    pub fn is_above(&self, low: &Counted) -> bool {
        let of_low = support(low);
        self.beside(low)
            .iter()
            .any(|high| of_low & !high.support == 0 && is_below(&low.counts, &high.state.counts))
    }

    /// Whether one of the list has at most these threads.
    pub fn is_below(&self, high: &Counted) -> bool {
        let of_high = support(high);
        self.beside(high)
            .iter()
            .any(|low| low.support & !of_high == 0 && is_below(&low.state.counts, &high.counts))
    }

    fn beside(&self, state: &Counted) -> &[Entry<'a>] {
        self.states.get(&(state.shared, state.holder)).map_or(&[], Vec::as_slice)
    }
}
