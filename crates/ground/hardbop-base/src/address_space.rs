//! The addresses this process may use (`ulimit -v`): where they are few, memory is refused long before
//! the machine has none left.
//!
//! Libraries reserve more addresses than they use and fail in their own ways when they are refused:
//! abort, panic, an error. What they have in common is that few addresses are left at that moment.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many addresses one reservation of a library may want; with fewer left, a failure is put down to
/// their lack.
const SCARCE: u64 = 64 << 20;

/// The limit in bytes, or `None` without one.
pub fn limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    })
}

/// Bytes that can still be reserved, or `None` without a limit.
pub fn left() -> Option<u64> {
    let limit = limit()?;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * crate::memory::PAGE))
}

/// Whether there is a limit and it is nearly reached.
pub fn is_scarce() -> bool {
    left().is_some_and(|left| left < SCARCE)
}

static REFUSED: AtomicBool = AtomicBool::new(false);

/// Notes that something failed for want of addresses.
pub fn note_refusal() {
    REFUSED.store(true, Ordering::Relaxed);
}

/// Whether something has failed for want of addresses: what fails afterwards may be its consequence.
pub fn was_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_left_is_less_than_the_limit() {
        assert_eq!(super::limit().is_some(), super::left().is_some());
        assert!(super::left() < super::limit() || super::limit().is_none());
    }
}
