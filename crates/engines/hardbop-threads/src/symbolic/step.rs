//! What a thread can do from a place, over diagrams: `crate::counted::moves` for sets of values.

use hardbop_cfg::{ExprId, May, ProcId, VarId};
use hardbop_dd::Dd;
use hardbop_evidence::Event;

use crate::symbolic::relation::Relation;
use crate::symbolic::template::Pc;

/// One way to go on from a place.
#[derive(Debug)]
pub struct Step {
    pub event: Event,
    /// What the thread itself does to the shared variables and its own.
    pub relation: Relation,
    pub effect: Effect,
}

/// What becomes of the threads.
#[derive(Debug)]
pub enum Effect {
    /// The thread goes on.
    Go(Pc),
    /// The thread goes on, and takes or gives back the atomic flag.
    Flag(Pc, bool),
    /// The thread ends, and gives back the atomic flag.
    End,
    /// The thread goes on. Below the bound on threads another one starts, related to the values
    /// before by `birth`; at the bound none.
    Start { to: Pc, new: Pc, birth: Vec<Dd> },
    /// The thread goes on, and in every other each frame of `proc` gets new values.
    Broadcast { to: Pc, proc: ProcId, values: Vec<Wave> },
    /// An assertion fails.
    Violate,
}

/// A value for a local of all other threads.
#[derive(Debug)]
pub struct Wave {
    pub var: VarId,
    pub value: ExprId,
    /// The values it may have, by those of the thread that moves.
    pub may: May<Dd>,
}

/// The states a program starts in.
#[derive(Debug)]
pub struct Initial {
    /// All shared variables, now.
    pub every_shared: Dd,
    /// Those that can matter.
    pub shared: Dd,
    pub pc: Pc,
    /// What relates the first locals of a thread to the shared variables.
    pub locals: Dd,
}
