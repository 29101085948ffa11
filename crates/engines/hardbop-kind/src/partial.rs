//! What is proved where not all is: the checks that cannot fail once it is known which guesses are inductive.
//!
//! Only with one round of each loop. There no check is assumed anywhere, so that what holds of one does not rest on the
//! others: where another one fails, the execution ends or goes on as the language says. With more rounds, checks are assumed in
//! the visits before the last.
//!
//! Soundness: a path must not end where it is not *known* that a check holds, as it does for a proof of all, because
//! an execution on which it does hold may violate another check later (`Executor::going_on`). And behind a path that could not be
//! followed there may be any check, so where there is such a path nothing is claimed.

use std::collections::BTreeSet;

use hardbop_base::Budget;
use hardbop_cir::{CheckId, Class, ExprId, Program};
use hardbop_engine::Reason;
use hardbop_smt::TermId;
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge};

use crate::candidates::Guesses;
use crate::facts::Fact;
use crate::houdini::Inductive;
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
    let executor = Executor::new(program, classes, Knowledge::Partial, budget).going_on();
    let formulas = |exprs: &Vec<ExprId>| exprs.iter().map(|&it| Fact::Holds(it)).collect();
    let facts = guesses.iter().map(|(&head, exprs)| (head, formulas(exprs))).collect();
    let mut known = Inductive::largest(executor, &facts, 1, loops, budget)?;
    let given_up = known.executor.facts.given_up.iter().map(|it| it.1);
    let not_followed: Vec<TermId> = given_up.chain(known.policy.too_deep.iter().copied()).collect();
    if known.is_possible(&not_followed, budget)? {
        return Ok(BTreeSet::new());
    }
    for (check, _) in &known.executor.facts.unasked {
        open.remove(check);
    }
    loop {
        let fails = known.executor.facts.fails.iter().copied();
        let asked: Vec<_> = fails.filter(|it| open.contains(&it.0)).collect();
        let terms: Vec<TermId> = asked.iter().map(|it| it.1).collect();
        if !known.is_possible(&terms, budget)? {
            return Ok(open);
        }
        for check in holding(&known.executor.solver, &known.executor.terms, &asked)? {
            open.remove(check);
        }
    }
}
