//! The engine `qbf`: symbolic simulation with a fixpoint decided by QBF (SUM section 3).

use hardbop_base::IndexVec;
use hardbop_engine::{Claim, Engine, RunCtx, Task};

use crate::sat::accept::sequential;
use crate::sat::facts::Facts;
use crate::sat::outcome::Outcome;
use crate::sat::proof;
use crate::sat::sim::Sim;
use crate::sat::tabulate::Tabulation;
use crate::sat::unroll::Known;

/// The engine; the work is in [`tabulate`](crate::sat::tabulate).
#[derive(Clone, Copy, Default, Debug)]
pub struct QbfSummaries;

impl Engine for QbfSummaries {
    fn name(&self) -> &'static str {
        "qbf"
    }

    fn about(&self) -> &'static str {
        "sequential programs with recursion: SAT-based symbolic simulation, fixpoint by QBF"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        sequential(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let facts = Facts::of(task);
        let mut sim = Sim::new(&facts, &ctx.budget);
        let mut outcome = Outcome::new(task);
        let known = IndexVec::from_elem(Known::Nothing, task.program.procs.len());
        let mut tabulation = Tabulation::new(&mut sim, ctx, known);
        let result = tabulation.run(&mut outcome);
        let (n_calls, n_rounds) = (tabulation.n_qbf_calls(), tabulation.n_qbf_rounds());
        let explored = tabulation.explored();
        let mut claim = outcome.claim(task, result);
        proof::certify(&mut claim, task, ctx, &mut sim, Some(explored));
        claim.stats.set("qbf_calls", n_calls);
        claim.stats.set("qbf_rounds", n_rounds);
        claim.stats.set("sat_calls", sim.oracle.n_calls());
        claim.stats.set("formula_nodes", sim.aig.n_nodes() as u64);
        claim
    }
}
