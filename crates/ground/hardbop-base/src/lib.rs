//! What every crate of Hardbop stands on and none of them owns: typed indices, bit sets, source
//! positions, budgets, the meters of memory and addresses, stacks and a source of chance.
//!
//! Reading order: [`index`], [`bits`], [`source`], [`budget`], [`memory`], [`address_space`], [`stack`],
//! [`rng`].

pub mod address_space;
pub mod bits;
pub mod budget;
pub mod index;
pub mod memory;
pub mod rng;
pub mod source;
pub mod stack;

pub use bits::Bits;
pub use budget::{Budget, CancelToken, Exhausted};
pub use index::{Idx, IndexVec};
pub use source::{LineCol, SourceFile, Span};

/// A name of the program text, cheap to clone and to share between threads.
pub type Name = std::sync::Arc<str>;
