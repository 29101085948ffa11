//! Symbolic states and how each came about.
//!
//! SUM definition 5, BOOM definition 3.3: a state ⟨location, guard, valuation⟩ over *choice
//! variables* stands for the explicit states one gets by choosing. Each belongs to an activation
//! of a procedure whose values at entry are choice variables too: the same ones for all states of
//! the procedure. So a state is a path edge of SUM definition 6, and its pair of entry and current
//! values holds for any caller: applying it is substitution, where SUM needs equations.

use std::rc::Rc;

use hardbop_base::{IndexVec, define_id};
use hardbop_cfg::{EdgeId, Loc, ProcId};
use hardbop_sat::{Copy, Term};

define_id!(
    /// A symbolic state.
    StateId, "s"
);
define_id!(
    /// A way to reach a goal from the entry of a procedure.
    WayId, "w"
);

/// Values of the variables in scope.
pub type Values = Rc<[Term]>;

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct State {
    pub proc: ProcId,
    pub loc: Loc,
    /// Under which choices the state is reached.
    pub guard: Term,
    pub values: Values,
    pub origin: Origin,
}

/// The last step to a state.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It is the entry of the procedure.
    Entry,
    Step {
        from: StateId,
        edge: EdgeId,
    },
    /// The first of these whose term is true.
    Join(Vec<(Term, StateId)>),
    /// A call and all up to its return.
    Call {
        from: StateId,
        edge: EdgeId,
        through: Instance<StateId>,
    },
    /// A call of which nothing is known but that it may return like this.
    Unknown {
        from: StateId,
        edge: EdgeId,
    },
}

/// Something of a callee, in terms of a caller's choice variables.
#[derive(Clone, Debug)]
pub struct Instance<T> {
    pub what: T,
    /// From the callee's choice variables to the caller's.
    pub copy: Rc<Copy>,
}

/// A way to a goal.
#[derive(Clone, Debug)]
pub struct Way {
    /// Under which choices it is taken.
    pub guard: Term,
    pub how: How,
}

#[derive(Clone, Debug)]
pub enum How {
    /// At this state: the assertion on the edge fails, or the goal is its location.
    Here { state: StateId, edge: Option<EdgeId> },
    /// In the call on this edge.
    Inside { from: StateId, edge: EdgeId, through: Instance<WayId> },
    /// In a call of which nothing is known.
    Unknown { from: StateId, edge: EdgeId },
    /// The first of these whose guard is true.
    Any(Vec<WayId>),
}

/// All states and ways of a run.
#[derive(Default, Debug)]
pub struct Arena {
    pub states: IndexVec<StateId, State>,
    pub ways: IndexVec<WayId, Way>,
}
