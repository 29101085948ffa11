//! Passes that make programs smaller and keep their verdicts, one file each.

pub mod callees;
pub mod constants;
pub mod copy;
pub mod dead;
pub mod inline;
pub mod outside;
pub mod promote;
pub mod slice;
pub mod tail;
pub mod unreachable;

use crate::analysis::PointsTo;
use crate::check::Class;
use crate::program::{Op, Program};
use crate::verify::expect_verified;

pub use callees::resolve_calls;
pub use constants::propagate;
pub use copy::{copy_func, drop_unasked};
pub use dead::drop_dead;
pub use inline::inline;
pub use promote::promote;
pub use slice::{Keep, slice};
pub use tail::drop_tails;
pub use unreachable::drop_uncalled;

/// Which passes [`shrink`] runs; all keep verdicts, so switching one off is for tests and measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    pub propagate: bool,
    pub inline: bool,
    pub promote: bool,
    pub slice: bool,
}

impl Passes {
    pub const ALL: Passes = Passes { propagate: true, inline: true, promote: true, slice: true };
    pub const NONE: Passes =
        Passes { propagate: false, inline: false, promote: false, slice: false };
}

impl Default for Passes {
    fn default() -> Self {
        Passes::ALL
    }
}

/// Cuts a program to what its checks depend on, with calls through pointers resolved. What each pass leaves is
/// verified.
pub fn shrink(program: &mut Program, keep: Keep, passes: Passes) {
    let points_to = PointsTo::of(program);
    resolve_calls(program, &points_to);
    expect_verified(program, "pass callees");
    drop_uncalled(program);
    expect_verified(program, "pass unreachable");
    tidy(program, passes);
    if passes.inline && inline(program) > 0 {
        expect_verified(program, "pass inline");
        tidy(program, passes);
    }
    // Constant arguments make places constant, registers make further constants.
    if passes.promote && promote(program) > 0 {
        expect_verified(program, "pass promote");
        tidy(program, passes);
    }
    if passes.slice {
        if keep == Keep::Checks && drop_tails(program) > 0 {
            expect_verified(program, "pass tail");
        }
        let points_to = PointsTo::of(program);
        slice(program, &points_to, keep);
        expect_verified(program, "pass slice");
    }
}

fn tidy(program: &mut Program, passes: Passes) {
    if passes.propagate {
        propagate(program);
        expect_verified(program, "pass constants");
        drop_dead(program);
        expect_verified(program, "pass dead");
    }
}

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
