//! Passes that make programs smaller and keep their verdicts, one file each.

pub mod callees;
pub mod constants;
pub mod slice;
pub mod unreachable;

use crate::check::Class;
use crate::program::{Op, Program};

pub use callees::resolve_calls;
pub use constants::propagate;
pub use slice::{Keep, slice};

/// Drops the checks of all other classes; the engine says what it then assumes.
pub fn keep_classes(program: &mut Program, classes: &[Class]) {
    let Program { funcs, checks, .. } = program;
    for block in funcs.as_mut_slice().iter_mut().flat_map(|func| func.blocks.as_mut_slice()) {
        block.insts.retain(|inst| match inst.op {
            Op::Check { check, .. } => classes.contains(&checks[check].class),
            _ => true,
        });
    }
}
