//! A user's mistake as a value: what is wrong, where, and what would help.
//!
//! Front ends build [`Diagnostic`]s; terminals, editors and machine formats render the same facts.

pub mod codes;
mod diagnostic;
pub mod render;
mod sink;
mod spelling;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use sink::Sink;
pub use spelling::{did_you_mean, nearest};
