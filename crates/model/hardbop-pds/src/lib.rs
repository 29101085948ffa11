//! Concurrent pushdown systems, as CUBA reads them (P. Liu, T. Wahl, PLDI 2018), and the Boolean program that each of them is.
//!
//! Three files: the rules (`.pds`), where it begins (`.init`), and the state that must not be reached (`.spec`).

pub mod lower;
pub mod read;
pub mod search;
pub mod state;

pub use lower::lower;
pub use read::{Rule, Rules, System, parse};
pub use search::reaches;
pub use state::{State, parse as parse_state};
