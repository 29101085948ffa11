//! What engines of C are asked and what they answer.
//!
//! An engine is given a program of the C IR and [`Options`] and makes a [`Report`]: a [`Finding`] for
//! each check. A violation is a [`Counterexample`], values for a run of the interpreter.
#![warn(missing_docs)]

mod counterexample;
mod report;
mod unset;

use hardbop_cir::pass::{self, Keep, Passes};
use hardbop_cir::{Class, Program};

pub use counterexample::{Counterexample, Replay, Values};
pub use report::{Finding, Report};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The properties.
    pub classes: Vec<Class>,
    /// A fixed bound instead of growing ones.
    pub unwind: Option<u32>,
    /// Whether the first violation is enough.
    pub stop_at_first: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { classes: Class::ALL.to_vec(), unwind: None, stop_at_first: false }
    }
}

/// The program cut to what the checks of the classes depend on, with calls resolved.
pub fn prepare(original: &Program, classes: &[Class], passes: Passes) -> Program {
    let mut program = original.clone();
    pass::keep_classes(&mut program, classes);
    pass::shrink(&mut program, Keep::Checks, passes);
    program
}
