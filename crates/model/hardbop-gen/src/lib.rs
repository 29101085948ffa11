//! Programs made by machine: families whose verdict is known by construction, random
//! programs for comparing engines, Boolean ones and small ones in C ([`c`], [`lists`]), pushdown systems ([`pushdown`]), and the shrinker that makes a failing one small.
//!
//! Reading order: [`families`], [`random`], [`mod@shrink`]; [`rng`] is the one source of chance. All of
//! it is deterministic: the same arguments or the same seed give the same bytes.

pub mod c;
pub mod families;
pub mod lists;
pub mod pushdown;
pub mod random;
pub mod shrink;
mod walk;

pub use hardbop_base::rng;
pub use shrink::shrink;
pub use walk::erase_spans;
