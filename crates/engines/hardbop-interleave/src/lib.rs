//! Engine `interleave` for C with threads: every interleaving, state by state, on the interpreter.
//!
//! ```text
//! World (threads between two steps) ─ each thread that matters ─► World ─► as bytes: new? ─► queue, fewest
//!        ▲                                                                                preemptions first
//!        └────────────────────────────────────────────────────────────────────────────────┘
//! ```
//! It proves programs whose loops do not end, as long as their states are few, and finds violations with
//! the fewest preemptions (Musuvathi, Qadeer 2007). Arbitrary values are tried one by one: all that make a
//! difference where these are few ([`values`]), else some, and then nothing is proved. Where states are
//! many, executions by chance look for violations that are far away ([`probes`]). Reading order: [`values`], [`search`].

mod probes;
mod search;
mod values;

pub use search::{Numbers, check};
