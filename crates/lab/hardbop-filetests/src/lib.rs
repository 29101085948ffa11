//! Tests as data: the expectation is in the input, in comments the language already has.
//!
//! ```text
//! // expect: unsafe              safe | unsafe | unknown(REASON) | rejected | accepted
//! // engine: explicit, bdd       which engines must agree; without it, all that accept
//! // goal: label:R               without it, the file's default
//! // threads: 3                  a number or inf
//! // initial-threads: 2
//! // trace-steps: 17             length of the shortest trace, in statements
//! assert(g);                     //~ violated
//! x := 1;                        //~ bp0010
//! ```
//! `//~ CODE` at a line expects that diagnostic there, and `//~ violated` the violation. A message
//! or a violation nobody expected fails the test as much as one that is missing. Programs of the IR of C have
//! directives of their own, see `cir.rs`; C programs are asked of the command, see its test `c_files`.

mod cir;
mod directives;
mod run;

pub use cir::run_cir_file;
pub use directives::{Directives, Expect};
pub use run::{files_below, run_file};
