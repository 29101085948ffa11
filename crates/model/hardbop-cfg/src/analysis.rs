//! What can be known of a program before an engine runs, one analysis per file.
//!
//! All are deterministic, near-linear in the size of the program, and walk graphs with stacks of
//! their own: neither a call chain of 100,000 procedures nor as many statements in a row overflow.
//! They expect a program that `verify` accepts.
//!
//! Reading order: [`preds`], [`callgraph`], [`effects`], [`modref`], [`exposed`], [`live`];
//! [`footprint`], [`atomic`], [`future`] for partial-order reduction; [`dominators`], [`order`].

pub mod atomic;
mod backward;
pub mod callgraph;
mod dfs;
pub mod dominators;
pub mod effects;
pub mod exposed;
pub mod footprint;
pub mod future;
mod lists;
pub mod live;
pub mod locmap;
mod loops;
pub mod modref;
pub mod order;
pub mod preds;
mod scc;
#[cfg(test)]
mod testing;
mod worklist;

pub use atomic::AtomicFuture;
pub use callgraph::{CallGraph, Follow};
pub use dominators::Dominators;
pub use effects::{Effects, Reading};
pub use exposed::Exposed;
pub use footprint::Footprint;
pub use future::Future;
pub use live::{Live, Population};
pub use locmap::LocMap;
pub use modref::ModRef;
pub use order::{WeakOrder, reverse_postorder};
pub use preds::Preds;
