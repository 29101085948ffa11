//! Engine `cegar` for C: predicate abstraction and refinement over the engines of Boolean programs.
//!
//! ```text
//! Program ─► cuts, stretches between them as formulas ─► Boolean program ─► engine bdd ─► safe: re-check
//!              ▲                 ▲                                           │
//!              │ predicates      │ clauses        trace: is each step possible? the whole path?
//!              └── refine ◄──────┴───────────────────────────────────────────┘        └─► replay
//! ```
//! Reading order: [`engine`]; [`normal`], [`cuts`], [`predicates`], [`regions`], [`abstraction`],
//! [`boolean`]; [`walk`], [`simulate`], [`atoms`], [`candidates`], [`refine`]; [`recheck`], [`mod@print`].

pub mod abstraction;
pub mod atoms;
pub mod boolean;
pub mod candidates;
pub mod cuts;
pub mod engine;
pub mod normal;
pub mod predicates;
pub mod print;
pub mod recheck;
pub mod refine;
pub mod regions;
pub mod simulate;
pub mod walk;

pub use engine::{Stats, check, check_watched, check_with};
pub use print::Iteration;
