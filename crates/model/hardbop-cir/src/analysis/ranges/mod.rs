//! The range of every register, and how far apart two registers are (FS section VI-A).
//!
//! F-SOFT finds symbolic bounds by linear programming. Here intervals (Cousot 1977) carry the bit
//! widths and differences `x - y <= c` the relations, in the manner of pentagons (Logozzo and
//! Fähndrich 2008) and zones (Miné 2001), closed by one step only; why, is in docs/adr.
//! Both need no solver and take part in loops through widening.
//!
//! Values are read as two's complement, truth values as 0 and 1. Inside a function the analysis
//! follows the flow and uses the conditions of branches; between functions each parameter, result
//! and global register has one range for the whole program, the join over all places that write
//! it. Memory is not tracked: a load gives any value. Widening goes to the next constant of the
//! program (thresholds), then to the bounds of the type; a difference that grows is dropped.
//!
//! Invariant: at the fixpoint every value a register takes in any execution lies in its range, and
//! at the start of a block its differences hold.

mod differences;
mod fixpoint;
mod interval;
mod transfer;

use hardbop_base::IndexVec;
use rustc_hash::FxHashMap;

use crate::program::{BlockId, FuncId, Program, VarId};
use crate::ty::Ty;

pub use differences::Differences;
pub use interval::Interval;

#[derive(Clone, Debug)]
pub struct Ranges {
    /// Over all of the program; `None` for registers that are never written.
    pub vars: IndexVec<VarId, Option<Interval>>,
    /// What is known at the start of each block that can be reached; registers not named have
    /// any value, or are not read any more.
    pub entry: IndexVec<FuncId, IndexVec<BlockId, Option<State>>>,
    /// Differences of the function's registers at the start of each block.
    pub differences: IndexVec<FuncId, IndexVec<BlockId, Differences>>,
}

/// Ranges of registers of one function.
pub type State = FxHashMap<VarId, Interval>;

impl Ranges {
    pub fn of(program: &Program) -> Ranges {
        fixpoint::analyse(program)
    }

    /// Bits of all registers with a known range, before and after.
    pub fn saved_bits(&self, program: &Program) -> (u64, u64) {
        let (mut before, mut after) = (0, 0);
        for (id, var) in program.vars.iter_enumerated() {
            if let (Ty::Int(width), Some(range)) = (var.ty, self.vars[id]) {
                before += u64::from(width);
                after += u64::from(range.bits().min(u32::from(width)));
            }
        }
        (before, after)
    }
}
