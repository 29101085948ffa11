//! Recursion over a diagram goes as deep as there are levels, and so many frames may not fit the
//! stack a thread was born with. Every operation therefore asks how much is left, and moves to a
//! larger stack when it could be too little.
//!
//! The question costs a nanosecond, the move some microseconds. An engine whose manager has more
//! than a few thousand levels runs itself inside [`with_stack_for`], and no operation moves.

/// Bytes of stack a level may cost an operation, rounded up generously: measured are 220 for the
/// relational product, 410 for simplification, and 130 for a renaming on top of an if-then-else.
const STEP_BYTES: usize = 640;

/// For what happens around the recursion.
const BASE_BYTES: usize = 64 * 1024;

/// What an engine itself may want, so that operations inside find their own share untouched.
const ENGINE_BYTES: usize = 2 * 1024 * 1024;

/// Bytes of stack an operation over this many levels may need.
pub(crate) fn bytes_for(n_levels: usize) -> usize {
    BASE_BYTES + n_levels * STEP_BYTES
}

/// Runs `engine` where operations over `n_levels` levels find enough stack.
pub fn with_stack_for<T>(n_levels: usize, engine: impl FnOnce() -> T) -> T {
    let needed = bytes_for(n_levels) + ENGINE_BYTES;
    hardbop_base::stack::maybe_grow(needed, needed + ENGINE_BYTES, engine)
}

/// Runs an operation with at least `needed` bytes of stack.
#[inline]
pub(crate) fn with_bytes<T>(needed: usize, operation: impl FnOnce() -> T) -> T {
    hardbop_base::stack::maybe_grow(needed, needed + BASE_BYTES, operation)
}

/// Runs one step of a recursion of this crate that creates handles and has larger frames.
#[inline]
pub(crate) fn step<T>(recursion: impl FnOnce() -> T) -> T {
    hardbop_base::stack::maybe_grow(BASE_BYTES, 4 * 1024 * 1024, recursion)
}
