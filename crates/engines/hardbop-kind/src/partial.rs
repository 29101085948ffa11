//! What is proved where not all is: the checks that cannot fail once it is known which guesses are inductive.
//!
//! Only with one round of each loop. There no check is assumed anywhere, so that what holds of one does not rest on the
//! others: where another one fails, the execution ends or goes on as the language says. With more rounds, checks are assumed in
//! the visits before the last.
//!
//! Soundness: behind a path that could not be followed there may be any check, so where there is such a path nothing is claimed.

use std::collections::BTreeSet;

use hardbop_base::Budget;
use hardbop_cir::{CheckId, Class, Program};
use hardbop_engine::Reason;
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge, Walk};

use crate::candidates::Guesses;
use crate::engine::run;
use crate::induct::{Candidate, Induction};
use crate::loops::Loops;

/// The checks among `open` that no execution violates, by a fresh unrolling in which the invariants are assumed; they are shown to be
/// inductive once more.
pub fn proved(
    program: &Program,
    classes: &[Class],
    loops: &Loops,
    invariants: &Guesses,
    mut open: BTreeSet<CheckId>,
    budget: &Budget,
) -> Result<BTreeSet<CheckId>, Reason> {
    let mut executor = Executor::new(program, classes, Knowledge::Partial, budget);
    let selector = executor.terms.bool(true);
    let candidates = invariants.iter().map(|(&head, exprs)| {
        (head, exprs.iter().map(|&expr| Candidate { expr, selector }).collect())
    });
    let mut walk = Walk::new(executor, Induction::new(1, candidates.collect(), loops));
    run(&mut walk, loops)?;
    let Walk { mut executor, policy, .. } = walk;
    open = open
        .into_iter()
        .filter(|it| !executor.facts.unasked.iter().any(|of| of.0 == *it))
        .collect();
    let given_up = executor.facts.given_up.iter().map(|it| it.1);
    let obligations = policy.obligations.iter().map(|it| it.fails);
    let mut bad: Vec<TermId> = given_up.chain(policy.too_deep).chain(obligations).collect();
    bad.sort_unstable();
    bad.dedup();
    if is_possible(&mut executor, &bad, budget)? {
        return Ok(BTreeSet::new());
    }
    loop {
        let fails = executor.facts.fails.iter().copied();
        let asked: Vec<_> = fails.filter(|it| open.contains(&it.0)).collect();
        let terms: Vec<TermId> = asked.iter().map(|it| it.1).collect();
        if !is_possible(&mut executor, &terms, budget)? {
            return Ok(open);
        }
        for check in holding(&executor.solver, &executor.terms, &asked)? {
            open.remove(check);
        }
    }
}

fn is_possible(
    executor: &mut Executor,
    any_of: &[TermId],
    budget: &Budget,
) -> Result<bool, Reason> {
    let any = executor.terms.or_all(any_of);
    if executor.terms.as_const(any) == Some(0) {
        return Ok(false);
    }
    match executor.solver.check(&mut executor.terms, &[any], budget) {
        Answer::Unsat(_) => Ok(false),
        Answer::Sat => Ok(true),
        Answer::Unknown(exhausted) => Err(exhausted.into()),
    }
}
