//! Engine `cegar` for C: predicate abstraction and refinement over the engines of Boolean programs.
//!
//! ```text
//! Program ─► cuts, stretches between them as formulas ─► Boolean program ─► engine bdd ─► safe: re-check
//!              ▲                 ▲                                           │
//!              │ predicates      │ clauses        trace: is each step possible? the whole path?
//!              └── refine ◄──────┴───────────────────────────────────────────┘        └─► replay
//! ```
//! Reading order: [`engine`], [`asked`]; [`settings`], [`normal`], [`cuts`], [`bases`], [`predicates`], [`families`], [`regions`],
//! [`relations`], [`abstraction`], [`boolean`]; [`walk`], [`simulate`], [`atoms`], [`spread`], [`steps`], [`candidates`], [`refine`]; [`recheck`], [`mod@proof`], [`mod@print`], [`told`], [`saved`].

pub mod abstraction;
pub mod asked;
pub mod atoms;
pub mod bases;
pub mod boolean;
pub mod candidates;
pub mod cuts;
pub mod engine;
pub mod families;
pub mod normal;
pub mod predicates;
pub mod print;
pub mod proof;
pub mod recheck;
pub mod refine;
pub mod regions;
pub mod relations;
pub mod saved;
pub mod settings;
pub mod simulate;
pub mod spread;
pub mod steps;
pub mod told;
pub mod walk;

pub use engine::{Answer, Stats, check, check_watched, check_with};
pub use print::Iteration;
pub use saved::Saved;
pub use settings::Settings;
pub use told::{Event, Followed, Learned, Spot, Visit};
