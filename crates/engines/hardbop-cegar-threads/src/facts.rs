//! What one pass over the program finds out for the next.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{BlockId, ObjId};
use hardbop_smt::TermId;

use crate::model::{FrameId, RoleId, Var};

/// What earlier passes have found out. Each is checked again by the last pass.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Registers that are only ever given one constant.
    pub constants: BTreeMap<Var, TermId>,
    /// Who accesses a cell.
    pub accesses: BTreeMap<Var, BTreeSet<RoleId>>,
    /// Instructions that start a thread and may do so again.
    pub again: BTreeSet<(FrameId, BlockId, usize)>,
    /// Numbers of threads, where all are started once and in one order.
    pub numbers: BTreeMap<RoleId, u128>,
    /// Those that there are.
    pub roles: BTreeSet<RoleId>,
    /// Objects whose contents are not followed: what is read from them is arbitrary.
    pub vague: BTreeSet<ObjId>,
    /// Constants are known as far as they will be. Before that, where an access goes is not asked.
    pub is_settled: bool,
}

/// What a pass sees.
#[derive(Default)]
pub struct Seen {
    /// `None` if different values, or no constants.
    pub assigned: BTreeMap<Var, Option<TermId>>,
    pub accesses: BTreeMap<Var, BTreeSet<RoleId>>,
    pub starts: BTreeSet<(FrameId, BlockId, usize)>,
    pub roles: BTreeSet<RoleId>,
    pub vague: BTreeSet<ObjId>,
}
