//! Engine `cegar` for C: predicate abstraction and refinement over the engines of Boolean programs.
//!
//! ```text
//! Program ─► cuts, stretches between them as formulas ─► Boolean program ─► engine bdd ─► safe: re-check
//!              ▲                 ▲                                           │
//!              │ predicates      │ clauses        trace: is each step possible? the whole path?
//!              └── refine ◄──────┴───────────────────────────────────────────┘        └─► replay
//! ```
//! Reading order: [`engine`], [`asked`], [`answer`]; [`settings`], [`normal`], [`cuts`], [`bases`], [`predicates`], [`families`], [`regions`],
//! [`relations`], [`abstraction`], [`registers`], [`boolean`], [`lift`], [`kept`]; [`path`], [`walk`], [`simulate`], [`atoms`], [`spread`], [`steps`], [`candidates`], [`pieces`], [`question`], [`refine`]; [`recheck`], [`mod@proof`], [`mod@print`], [`told`], [`saved`].

pub mod abstraction;
pub mod answer;
pub mod asked;
pub mod atoms;
pub mod bases;
pub mod boolean;
pub mod candidates;
pub mod cuts;
pub mod engine;
pub mod families;
pub mod kept;
pub mod lift;
pub mod normal;
pub mod path;
pub mod pieces;
pub mod predicates;
pub mod print;
pub mod proof;
pub mod question;
pub mod recheck;
pub mod refine;
pub mod regions;
pub mod registers;
pub mod relations;
pub mod saved;
pub mod settings;
pub mod simulate;
pub mod spread;
pub mod steps;
pub mod told;
pub mod walk;

pub use answer::{Answer, Stats};
pub use engine::{check, check_watched, check_with};
pub use print::Iteration;
pub use saved::Saved;
pub use settings::{Checker, Cutting, Following, Settings};
pub use told::{Event, Followed, Learned, Spot, Visit};
