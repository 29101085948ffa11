//! The reference meaning: runs a program step by step on given inputs.
//!
//! Slow and obvious. Arbitrary values come from the inputs, in order; when those are used up, and
//! for values that are arbitrary for other reasons, the value is 0. Values with floating point are
//! computed as the machine does.

mod access;
pub mod all_runs;
mod encode;
mod environment;
mod follow;
mod layout;
mod machine;
pub mod memory;
mod print;
mod race;
mod ranks;
mod run;
mod schedule;
pub mod show;
mod took;
pub mod value;
pub mod watch;
mod world;

pub use encode::Live;
pub use environment::Environment;
pub use follow::{Follow, Next, Sight, Slot};
pub use layout::Layout;
pub use machine::{run, run_laid_out, run_watched};
pub use memory::{Addresses, Base, Fault, Placed, Pointer};
pub use race::{Deed, Race};
pub use run::{Config, Ending, EndsAt, Run};
pub use schedule::{Schedule, Turn};
pub use took::Took;
pub use value::Value;
pub use watch::{Event, Moment, Step, Watch};
pub use world::{Moved, Pending, World};
