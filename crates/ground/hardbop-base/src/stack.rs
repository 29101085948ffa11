//! Stacks for recursion over what a user can make deep: large, but not larger than the system gives.
//!
//! Pages of a stack are touched only when used, so a large one costs nothing but addresses. Where these
//! are limited (`ulimit -v`) a stack is a share of them, and recursion that needs more ends the process
//! as out of memory (`last_words.rs` of the command).

use crate::address_space;

/// One stack takes this part of the addresses at most: an engine has several, and data.
const SHARE: u64 = 16;

/// Smaller stacks are not worth moving to.
const LEAST: usize = 1 << 20;

/// As large as wanted, or what the addresses allow.
pub fn affordable(wanted: usize) -> usize {
    let Some(limit) = address_space::limit() else { return wanted };
    let left = address_space::left().unwrap_or(limit);
    let share = (limit / SHARE).min(left / 4);
    wanted.min((usize::try_from(share).unwrap_or(usize::MAX)).max(LEAST))
}

/// Runs `work` on a stack of its own.
pub fn grow<T>(wanted: usize, work: impl FnOnce() -> T) -> T {
    let bytes = affordable(wanted);
    let here = stacker::remaining_stack().unwrap_or(0);
    let is_refused = || address_space::left().is_some_and(|left| left < 2 * bytes as u64);
    if bytes < wanted && (bytes <= here || is_refused()) {
        return work();
    }
    stacker::grow(bytes, work)
}

/// Runs `work` here if `needed` bytes are left, else on a stack of `wanted` bytes.
#[inline]
pub fn maybe_grow<T>(needed: usize, wanted: usize, work: impl FnOnce() -> T) -> T {
    match stacker::remaining_stack() {
        Some(left) if left >= needed => work(),
        _ => grow(wanted, work),
    }
}

#[cfg(test)]
mod tests {
    /// Uses about `depth` kilobytes.
    fn deep(depth: usize) -> usize {
        let frame = std::hint::black_box([1u8; 1024]);
        if depth == 0 {
            return 0;
        }
        super::maybe_grow(128 << 10, 4 << 20, || deep(depth - 1) + usize::from(frame[depth % 1024]))
    }

    #[test]
    fn recursion_goes_deeper_than_the_stack_it_began_on() {
        assert_eq!(deep(100_000), 100_000);
        assert_eq!(super::grow(256 << 20, || deep(10)), 10);
    }
}
