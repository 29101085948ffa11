//! The reference meaning: runs a program step by step on given inputs.
//!
//! Slow and obvious. Arbitrary values come from the inputs, in order; when those are used up, and
//! for values that are arbitrary for other reasons, the value is 0. Values with floating point are
//! computed as the machine does.

mod machine;
pub mod memory;
mod print;
pub mod show;
pub mod value;
pub mod watch;

pub use machine::{Config, Ending, Run, run, run_watched};
pub use memory::{Base, Fault, Pointer};
pub use value::Value;
pub use watch::{Event, Step, Watch};
