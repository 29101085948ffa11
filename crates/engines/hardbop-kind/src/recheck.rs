//! A proof is believed after it was checked again: a fresh unrolling with a fresh solver, in which
//! the invariants are simply assumed, and one query for each obligation and each check.

use hardbop_base::{Budget, Exhausted};
use hardbop_cir::Class;
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::{Executor, Knowledge, Walk};

use crate::engine::{Proof, problems};
use crate::induct::{Candidate, Induction};
use crate::loops::Loops;

/// Whether the proof holds.
pub fn recheck(proof: &Proof, classes: &[Class], budget: &Budget) -> Result<bool, Exhausted> {
    let loops = Loops::of(&proof.program);
    let mut executor = Executor::new(&proof.program, classes, Knowledge::Partial, budget);
    let selector = executor.terms.bool(true);
    let candidates = proof.invariants.iter().map(|(&head, exprs)| {
        (head, exprs.iter().map(|&expr| Candidate { expr, selector }).collect())
    });
    let induction = Induction::new(proof.k, candidates.collect(), &loops.changes);
    let mut walk = Walk::new(executor, induction);
    walk.run()?;
    let obligations = walk.policy.obligations.iter().map(|it| it.fails);
    let queries: Vec<TermId> =
        obligations.chain(problems(&walk).into_iter().map(|it| it.1)).collect();
    let mut executor = walk.executor;
    for query in queries {
        match executor.solver.check(&mut executor.terms, &[query], budget) {
            Answer::Unsat(_) => {}
            Answer::Sat => return Ok(false),
            Answer::Unknown(exhausted) => return Err(exhausted),
        }
    }
    Ok(loops.irreducible.is_none())
}
