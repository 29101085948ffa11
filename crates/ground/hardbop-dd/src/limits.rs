//! How large a manager may become, and what it says when it is full.

use hardbop_base::Exhausted;

/// Capacities of a manager, fixed for its life. Memory for nodes is touched only as they are
/// created; the cache is written at creation (about 5 ns an entry).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes that may exist at once, garbage included.
    pub nodes: usize,
    /// Entries of the operation cache; rounded up to a power of two.
    pub cache_entries: usize,
}

/// Bytes of memory a node takes at most: 16 for itself, the rest for its share of the hash table
/// of its level. `hardbop-bench diagrams` measures 35 to 46, by how full the tables happen to be.
pub const NODE_BYTES: usize = 48;

/// Bytes of memory a cache entry takes.
pub const CACHE_ENTRY_BYTES: usize = 20;

/// The library numbers nodes with 31 bits; half of that keeps every reservation below 16 GiB.
const MAX_NODES: usize = 1 << 30;
const MIN_NODES: usize = 1 << 10;
const MAX_CACHE: usize = 1 << 22;
const MIN_CACHE: usize = 1 << 10;
/// Made in 4 ms; more is for those who know that a run will be long.
const QUICK_CACHE: usize = 1 << 20;

impl Limits {
    /// For the many small programs of a test campaign: creating such a manager costs hardly more
    /// than starting the library's two threads.
    pub const SMALL: Limits = Limits { nodes: 1 << 20, cache_entries: 1 << 12 };

    /// For one ordinary run: about 3 GB if it grows to the limit, 5 MB at the start.
    pub const NORMAL: Limits = Limits { nodes: 1 << 26, cache_entries: 1 << 18 };

    /// Capacities such that a full manager stays within `bytes`: up to an eighth for the cache,
    /// which is kept small enough to be made in a few milliseconds, the rest for nodes. The caller
    /// subtracts what the rest of the process needs.
    pub fn of_memory(bytes: u64) -> Limits {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let entries = (bytes / 8 / CACHE_ENTRY_BYTES).clamp(MIN_CACHE, QUICK_CACHE);
        // A power of two that is not above the share.
        let cache_entries = 1 << entries.ilog2();
        let for_nodes = bytes.saturating_sub(cache_entries * CACHE_ENTRY_BYTES);
        Limits { nodes: (for_nodes / NODE_BYTES).clamp(MIN_NODES, MAX_NODES), cache_entries }
    }

    /// The same with at most `nodes` nodes.
    pub fn with_nodes(self, nodes: usize) -> Limits {
        Limits { nodes: nodes.clamp(1, MAX_NODES), ..self }
    }

    /// The same, reduced to what the system is willing to reserve now. The library would end the
    /// process where a reservation fails, so ask first.
    pub(crate) fn reservable(self) -> Limits {
        const NOT_WORTH_ASKING: usize = 1 << 20;
        const RESERVED_PER_NODE: usize = 16;
        let mut nodes = self.nodes.clamp(1, MAX_NODES);
        while nodes > NOT_WORTH_ASKING
            && Vec::<u8>::new().try_reserve_exact(nodes * RESERVED_PER_NODE).is_err()
        {
            nodes /= 2;
        }
        Limits { nodes, cache_entries: self.cache_entries.clamp(MIN_CACHE, MAX_CACHE) }
    }
}

/// The manager is full, even after garbage was collected. All functions stay valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfNodes {
    /// The manager's capacity.
    pub limit: usize,
}

impl std::fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Exhausted::from(*self).fmt(f)
    }
}

impl std::error::Error for OutOfNodes {}

impl From<OutOfNodes> for Exhausted {
    fn from(full: OutOfNodes) -> Exhausted {
        Exhausted::Nodes(full.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::{CACHE_ENTRY_BYTES, Limits, NODE_BYTES};

    #[test]
    fn limits_stay_within_their_memory() {
        for megabytes in [1, 16, 64, 1_000, 30_000] {
            let bytes = megabytes * 1_000_000;
            let limits = Limits::of_memory(bytes);
            let used = limits.nodes * NODE_BYTES + limits.cache_entries * CACHE_ENTRY_BYTES;
            assert!(used as u64 <= bytes, "{limits:?} in {bytes}");
            assert!(limits.cache_entries.is_power_of_two());
        }
        assert!(Limits::of_memory(0).nodes > 0);
        assert!(Limits::of_memory(u64::MAX).nodes < 1 << 31);
    }
}
