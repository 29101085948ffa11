//! A proof is believed after it was checked again: a fresh unrolling with a fresh solver, in which
//! the invariants are simply assumed, and one query for each obligation and each check.

use std::collections::BTreeMap;

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted};
use hardbop_cir::Class;
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::{LoopId, Walk};

use crate::engine::{Proof, executor, problems, run};
use crate::facts::Fact;
use crate::induct::{Candidate, Induction};
use crate::loops::Loops;

/// Whether the proof holds.
pub fn recheck(proof: &Proof, classes: &[Class], budget: &Budget) -> Result<bool, Exhausted> {
    let loops = match &proof.memory {
        Some(_) => Loops::with_pointers(&proof.program),
        None => Loops::with_contracts(&proof.program, &proof.contracts.contracts),
    };
    let mut executor = executor(&proof.program, classes, proof.memory.as_ref(), budget);
    let selector = executor.terms.bool(true);
    let formulas = proof.invariants.iter().chain(&proof.contracts.facts);
    let mut candidates: BTreeMap<LoopId, Vec<Candidate>> = BTreeMap::new();
    for (&head, exprs) in formulas {
        let facts = exprs.iter().map(|&it| Candidate { fact: Fact::Holds(it), selector });
        candidates.entry(head).or_default().extend(facts);
    }
    for (&head, facts) in proof.memory.iter().flatten() {
        let facts = facts.iter().map(|&fact| Candidate { fact, selector });
        candidates.entry(head).or_default().extend(facts);
    }
    let induction = Induction::new(proof.k, candidates, &loops);
    let mut walk = Walk::new(executor, induction);
    run(&mut walk, &loops)?;
    let obligations = walk.policy.obligations.iter().map(|it| it.fails);
    let queries: Vec<TermId> = obligations
        .chain(problems(&walk.executor, &walk.policy).into_iter().map(|it| it.1))
        .collect();
    let mut executor = walk.executor;
    for query in queries {
        match executor.solver.check(&mut executor.terms, &[query], budget) {
            Answer::Unsat(_) => {}
            Answer::Sat if is_on(Fault::CandidatesStay) => {}
            Answer::Sat => return Ok(false),
            Answer::Unknown(exhausted) => return Err(exhausted),
        }
    }
    Ok(loops.irreducible.is_none())
}
