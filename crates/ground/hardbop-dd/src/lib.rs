//! Decision diagrams: Boolean functions over numbered levels, with exhaustion as a value.
//!
//! A [`Manager`] owns the nodes; a [`Dd`] is a counted handle to one function. Functions are
//! canonical, so equality and hash take constant time. Every operation that may create nodes
//! answers `Result<Dd, OutOfNodes>`. The library underneath is `oxidd` (binary diagrams with
//! complement edges); nothing of it is visible outside this crate.
//!
//! What is ours: renaming whose cost does not depend on the number of levels, inclusion and
//! disjointness tests that create no node, simplification by a care set, irredundant sums of
//! products, moving functions between managers, and the policy for garbage and deep recursion.
//!
//! The order of levels is the order of variables and never changes inside a manager;
//! [`Manager::import`] takes functions to a manager with another order or another size, and
//! [`Forest::sift`] finds a better one.
//!
//! Reading order: [`level`], [`limits`], [`manager`], [`ops`], [`quantify`], [`rename`],
//! [`disjoint`], [`simplify`], [`query`], [`paths`], [`isop`], [`import`], [`forest`], [`sift`]; `edge` and `stack`
//! are for those who change the crate.

mod edge;
mod stack;

pub mod disjoint;
pub mod forest;
pub mod import;
pub mod isop;
pub mod level;
pub mod limits;
pub mod manager;
pub mod ops;
pub mod paths;
pub mod quantify;
pub mod query;
pub mod rename;
pub mod sift;
pub mod simplify;

pub use forest::Forest;
pub use level::{Level, Product};
pub use limits::{Limits, OutOfNodes};
pub use manager::{Dd, Manager};
pub use paths::Paths;
pub use quantify::Cube;
pub use rename::Renaming;
pub use stack::with_stack_for;
