//! A proof is believed after it was checked again: a fresh unrolling with a fresh solver, in which
//! the invariants are simply assumed, and one query for each obligation and each check.

use std::collections::BTreeMap;

use hardbop_base::{Budget, Exhausted};
use hardbop_bmc::induct::{Candidate, Induction};
use hardbop_bmc::{Bounds, Unroller};
use hardbop_cir::Class;
use hardbop_smt::{Answer, TermId};

use crate::engine::{Proof, RECURSION, problems};
use crate::loops::Loops;

/// Whether the proof holds.
pub fn recheck(proof: &Proof, classes: &[Class], budget: &Budget) -> Result<bool, Exhausted> {
    let loops = Loops::of(&proof.program);
    let bounds = Bounds { least: RECURSION, more: BTreeMap::new() };
    let mut unroller = Unroller::new(&proof.program, classes, &bounds, budget);
    let selector = unroller.terms.bool(true);
    let candidates = proof.invariants.iter().map(|(&head, exprs)| {
        (head, exprs.iter().map(|&expr| Candidate { expr, selector }).collect())
    });
    let induction =
        Induction { k: proof.k, candidates: candidates.collect(), changes: &loops.changes };
    let mut unroller = unroller.with_induction(induction);
    unroller.run()?;
    let obligations = unroller.obligations.iter().map(|it| it.fails);
    let queries: Vec<TermId> =
        obligations.chain(problems(&unroller).into_iter().map(|it| it.1)).collect();
    for query in queries {
        match unroller.solver.check(&mut unroller.terms, &[query], budget) {
            Answer::Unsat(_) => {}
            Answer::Sat => return Ok(false),
            Answer::Unknown(exhausted) => return Err(exhausted),
        }
    }
    Ok(loops.irreducible.is_none())
}
