//! What the engine says, and how it came to it.

use std::time::Duration;

use hardbop_engine_c::Report;
use hardbop_kind::Proof;

/// How far the refinement came.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    pub n_rounds: u32,
    pub n_refinements: u32,
    pub n_predicates: usize,
    /// Of them, the most that are followed at one place, in the last round.
    pub n_at_once: usize,
    /// Variables of the widest scope of the last Boolean program.
    pub n_variables: usize,
    /// Lines of a saved precision that mean something here.
    pub n_found_again: usize,
    pub n_clauses: usize,
    pub n_queries: u64,
    /// Where the time went: formulas and abstraction, checking Boolean programs, traces.
    pub abstracting: Duration,
    pub checking: Duration,
    pub refining: Duration,
}

/// What the engine says.
pub struct Answer {
    pub report: Report,
    /// Why all is safe, where invariants of loops alone say it.
    pub proof: Option<Proof>,
    pub stats: Stats,
}
