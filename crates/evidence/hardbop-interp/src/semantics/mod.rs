//! What a program does: design section 2.
//!
//! * [`live`]: which values can still matter, so that others need not be enumerated.
//! * [`product`]: all combinations of independent choices.
//! * [`scope`]: what an action does to the variables in scope; enough for one thread.
//! * [`config`]: threads, stacks and the atomic flag.
//! * [`step`]: the steps of one thread of a configuration.

pub mod config;
pub mod live;
pub mod product;
pub mod scope;
pub mod step;

use hardbop_cfg::Program;

pub use config::{At, Config, Frame, Thread};
pub use step::{Bound, Steps, Successor};

use live::Live;

/// A program with what is computed once to run it.
#[derive(Debug)]
pub struct Semantics<'a> {
    pub program: &'a Program,
    live: Live,
}

impl<'a> Semantics<'a> {
    pub fn new(program: &'a Program) -> Self {
        Semantics { program, live: Live::new(program) }
    }
}
