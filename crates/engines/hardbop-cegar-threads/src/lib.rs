//! Engine `cegar` for C with threads: predicate abstraction into one concurrent Boolean program.
//!
//! ```text
//! Program ─► roles, cuts, steps between them as terms ─► Boolean program ─► karp-miller ─► safe, for any number
//!                                   ▲          ▲                              │
//!                        predicates │  clauses │         trace: is each step possible? the whole path?
//!                                   └─ refine ─┴──────────────────────────────┘        └─► replay
//! ```
//! Reading order: [`engine`]; [`model`], [`terms`], [`names`], [`steps`], `entries`, `insts`, `flow`, `values`, `reach`, `spawns`, [`build`](mod@build), [`exclusion`]; [`predicates`],
//! [`abstraction`], [`boolean`], [`path`], [`refine`](mod@refine), [`recheck`], [`print`](mod@print).

pub mod abstraction;
pub mod boolean;
pub mod build;
pub mod engine;
mod entries;
pub mod exclusion;
pub mod facts;
mod flow;
mod insts;
pub mod model;
pub mod names;
pub mod path;
pub mod predicates;
pub mod print;
mod reach;
pub mod recheck;
pub mod refine;
mod spawns;
pub mod steps;
pub mod terms;
mod values;

pub use engine::{Answer, Cover, Round, Stats, can_prove, check};
