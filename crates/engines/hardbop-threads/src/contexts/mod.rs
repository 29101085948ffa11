//! Threads with recursion, up to a number of context switches.
//!
//! Reading order: [`translate`] for the idea, [`layout`] and [`exprs`] for the variables, [`sites`] for
//! where threads start, [`procedure`] and [`control`] for the code, [`lift`] for the way back,
//! [`engine`] for the loop around it.

mod body;
pub(crate) mod bound;
mod control;
pub mod engine;
mod exprs;
mod layout;
mod lift;
mod procedure;
mod sites;
pub mod translate;

pub use engine::Contexts;
