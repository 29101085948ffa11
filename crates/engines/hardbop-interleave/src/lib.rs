//! Engine `interleave` for C with threads: every interleaving, state by state, on the interpreter.
//!
//! ```text
//! World (threads between two steps) ─ each thread that matters ─► World ─► as bytes: new? ─► queue, fewest
//!        ▲                                                                                preemptions first
//!        └────────────────────────────────────────────────────────────────────────────────┘
//! ```
//! It proves programs whose loops do not end, as long as their states are few, and finds violations with
//! the fewest preemptions (Musuvathi, Qadeer 2007). Arbitrary values are tried one by one where few make a difference
//! ([`values`]); others are terms beside the numbers of an execution ([`symbols`]). Where states are
//! many, executions by chance look for violations that are far away ([`probes`]). Reading order: [`values`],
//! [`symbols`], [`search`].

mod probes;
mod races;
mod search;
mod symbols;
mod values;

pub use search::{Numbers, check};
