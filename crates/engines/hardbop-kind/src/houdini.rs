//! Houdini (Flanagan, Leino 2001): of what is guessed, the largest part that is inductive.
//!
//! One unrolling serves a whole run: each candidate has a selector, and a model of a violated obligation drops every
//! candidate that it violates. The result does not depend on the order.

use std::collections::BTreeMap;

use hardbop_base::Budget;
use hardbop_base::fault::{Fault, is_on};
use hardbop_engine::Reason;
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, LoopId, Walk};

use crate::engine::run;
use crate::facts::Facts;
use crate::induct::{Candidate, Induction, Obligation};
use crate::loops::Loops;

/// Candidates that are inductive together, with the unrolling in which that was asked.
pub(crate) struct Inductive<'a> {
    pub executor: Executor<'a>,
    pub policy: Induction<'a>,
    /// By heads of loops; dropped ones keep their place.
    pub active: BTreeMap<LoopId, Vec<Option<Candidate>>>,
}

impl<'a> Inductive<'a> {
    pub fn largest(
        mut executor: Executor<'a>,
        facts: &Facts,
        k: u32,
        loops: &'a Loops,
        budget: &Budget,
    ) -> Result<Self, Reason> {
        let mut candidates: BTreeMap<LoopId, Vec<Candidate>> = BTreeMap::new();
        for (&head, facts) in facts {
            let candidate =
                |&fact| Candidate { fact, selector: executor.terms.var("candidate", 1) };
            candidates.insert(head, facts.iter().map(candidate).collect());
        }
        let all = |list: &Vec<Candidate>| list.iter().copied().map(Some).collect();
        let active = candidates.iter().map(|(&head, list)| (head, all(list))).collect();
        let mut walk = Walk::new(executor, Induction::new(k, candidates, loops));
        run(&mut walk, loops)?;
        let Walk { executor, policy, .. } = walk;
        budget.progress().doing("guesses that hold");
        let mut guessed = Inductive { executor, policy, active };
        while guessed.drop_violated(budget)? {}
        Ok(guessed)
    }

    /// Whether there were any that one model violates.
    fn drop_violated(&mut self, budget: &Budget) -> Result<bool, Reason> {
        let is_active = |it: &&Obligation| self.active[&it.head][it.candidate].is_some();
        let open: Vec<Obligation> =
            self.policy.obligations.iter().filter(is_active).copied().collect();
        let fails: Vec<TermId> = open.iter().map(|it| it.fails).collect();
        if !self.is_possible(&fails, budget)? || is_on(Fault::CandidatesStay) {
            return Ok(false);
        }
        let open: Vec<_> = open.iter().map(|it| (it, it.fails)).collect();
        for it in holding(&self.executor.solver, &self.executor.terms, &open)? {
            if let Some(list) = self.active.get_mut(&it.head) {
                list[it.candidate] = None;
            }
        }
        Ok(true)
    }

    /// Whether one of these can be where the candidates hold. The solver has a model then.
    pub fn is_possible(&mut self, any_of: &[TermId], budget: &Budget) -> Result<bool, Reason> {
        let executor = &mut self.executor;
        let any = executor.terms.or_all(any_of);
        if executor.terms.as_const(any) == Some(0) {
            return Ok(false);
        }
        let selectors = self.active.values().flatten().flatten().map(|it| it.selector);
        let assumed: Vec<TermId> = std::iter::once(any).chain(selectors).collect();
        match executor.solver.check(&mut executor.terms, &assumed, budget) {
            Answer::Unsat(_) => Ok(false),
            Answer::Sat => Ok(true),
            Answer::Unknown(exhausted) => Err(exhausted.into()),
        }
    }
}
