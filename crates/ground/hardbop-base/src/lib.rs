//! What every crate of Hardbop stands on and none of them owns: typed indices, bit sets, source
//! positions, budgets, the meters of memory and addresses, stacks, a source of chance, hashes, and mistakes that are made on
//! purpose.
//!
//! Reading order: [`index`], [`bits`], [`source`], [`budget`], [`turns`], [`progress`], [`memory`], [`address_space`], [`stack`],
//! [`rng`], [`sha256`], [`fault`].

pub mod address_space;
pub mod bits;
pub mod budget;
pub mod fault;
pub mod index;
pub mod memory;
pub mod progress;
pub mod rng;
pub mod sha256;
pub mod source;
pub mod stack;
pub mod turns;

pub use bits::Bits;
pub use budget::{Budget, CancelToken, Exhausted};
pub use index::{Idx, IndexVec};
pub use progress::Progress;
pub use source::{LineCol, SourceFile, Span};
pub use turns::Turn;

/// A name of the program text, cheap to clone and to share between threads.
pub type Name = std::sync::Arc<str>;
