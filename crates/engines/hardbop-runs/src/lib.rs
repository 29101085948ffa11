//! Engine `runs` for C: executes the program on chosen inputs and looks at its checks.
//!
//! ```text
//! Program ─► Search: Plan (where inputs come from) ─► interpreter ─► a check fails: replay ─► Report
//!              ▲                                          │
//!              └── Pool: inputs that came to new blocks ◄─┘
//! ```
//! It reaches what lies behind more rounds than anyone can unroll, and proves nothing, unless the
//! program has one run only. Reading order: [`values`], [`words`], [`plan`], [`coverage`], [`pool`],
//! [`search`], [`only`].

pub mod coverage;
mod feed;
pub mod only;
pub mod plan;
pub mod pool;
pub mod search;
pub mod values;
pub mod words;

pub use search::{Limits, Search, check};
