//! An outcome as text: for people, and for machines.

mod human;
mod invariants;
pub(crate) mod json;
mod lanes;
mod properties;
mod run;
mod told;
mod values;

pub use human::human;
pub use invariants::invariants;
pub use json::{engines, json, run, trace};

use crate::outcome::Outcome;

/// An outcome together with the file it is about.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    /// What was found.
    pub outcome: &'a Outcome,
}
