//! What is proved where not all is: the checks that cannot fail once it is known which guesses are inductive.
//!
//! Only with one round of each loop. There no check is assumed anywhere, so that what holds of one does not rest on the
//! others: where another one fails, the execution ends or goes on as the language says. With more rounds, checks are assumed in
//! the visits before the last.
//!
//! Soundness: a path must not end where it is not *known* that a check holds, as it does for a proof of all, because
//! an execution on which it does hold may violate another check later (`Executor::going_on`). And behind a path that could not be
//! followed there may be any check, so where there is such a path nothing is claimed.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::Budget;
use hardbop_cir::{CheckId, Class, Program};
use hardbop_engine::Reason;
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge, LoopId, Walk};

use crate::candidates::Guesses;
use crate::engine::{houdini, run, selectors};
use crate::facts::Fact;
use crate::induct::{Candidate, Induction};
use crate::loops::Loops;

/// The checks among `open` that no execution violates, by those guesses that are inductive where paths go on.
pub fn proved(
    program: &Program,
    classes: &[Class],
    loops: &Loops,
    guesses: &Guesses,
    mut open: BTreeSet<CheckId>,
    budget: &Budget,
) -> Result<BTreeSet<CheckId>, Reason> {
    let mut executor = Executor::new(program, classes, Knowledge::Partial, budget).going_on();
    let mut active: BTreeMap<LoopId, Vec<Option<Candidate>>> = BTreeMap::new();
    for (&head, exprs) in guesses {
        let candidate = |&expr| {
            let selector = executor.terms.var("candidate", 1);
            Candidate { fact: Fact::Holds(expr), selector }
        };
        active.insert(head, exprs.iter().map(candidate).map(Some).collect());
    }
    let candidates =
        active.iter().map(|(&head, list)| (head, list.iter().flatten().copied().collect()));
    let mut walk = Walk::new(executor, Induction::new(1, candidates.collect(), loops));
    run(&mut walk, loops)?;
    let Walk { mut executor, policy, .. } = walk;
    houdini(&mut executor, &policy.obligations, &mut active, budget)?;
    let known: Vec<TermId> = selectors(&active).collect();
    let given_up = executor.facts.given_up.iter().map(|it| it.1);
    let not_followed: Vec<TermId> = given_up.chain(policy.too_deep).collect();
    if is_possible(&mut executor, &not_followed, &known, budget)? {
        return Ok(BTreeSet::new());
    }
    for (check, _) in &executor.facts.unasked {
        open.remove(check);
    }
    loop {
        let fails = executor.facts.fails.iter().copied();
        let asked: Vec<_> = fails.filter(|it| open.contains(&it.0)).collect();
        let terms: Vec<TermId> = asked.iter().map(|it| it.1).collect();
        if !is_possible(&mut executor, &terms, &known, budget)? {
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
    known: &[TermId],
    budget: &Budget,
) -> Result<bool, Reason> {
    let any = executor.terms.or_all(any_of);
    if executor.terms.as_const(any) == Some(0) {
        return Ok(false);
    }
    let assumed: Vec<TermId> = std::iter::once(any).chain(known.iter().copied()).collect();
    match executor.solver.check(&mut executor.terms, &assumed, budget) {
        Answer::Unsat(_) => Ok(false),
        Answer::Sat => Ok(true),
        Answer::Unknown(exhausted) => Err(exhausted.into()),
    }
}
