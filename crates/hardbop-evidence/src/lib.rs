//! What a claim brings with it, so that other code can check it.
//!
//! A [`Trace`] names every step and every value; replaying it needs no search.

mod trace;

pub use trace::{Event, FrameUpdate, Initial, Step, ThreadIx, Trace};
