//! A path in pieces, and what is to be the same on both sides of its cuts, to be switched on and off: which switches does a
//! contradiction need?

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted};
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::Executor;

use crate::pieces::Stretches;
use crate::regions::{Goal, Goals};

/// Joins some sides where it is on.
pub type Switch = TermId;

pub struct Question<'u> {
    executor: Executor<'u>,
    goals: Goals,
    /// One of the goals is met.
    end: TermId,
    budget: &'u Budget,
}

/// Two sides of a cut.
pub type Sides = (TermId, TermId);

impl<'u> Question<'u> {
    pub fn of(stretches: Stretches<'u>, budget: &'u Budget) -> Question<'u> {
        let Stretches { mut executor, facts, goals } = stretches;
        facts.into_iter().for_each(|it| executor.solver.assert(it));
        let ends: Vec<TermId> = goals.iter().map(|it| it.1).collect();
        let end = executor.terms.or_all(&ends);
        Question { executor, goals, end, budget }
    }

    /// The sides are the same, always.
    pub fn join(&mut self, (left, right): Sides) {
        let same = self.executor.terms.eq(left, right);
        self.executor.solver.assert(same);
    }

    /// The sides are the same where the switch is on.
    fn join_if(&mut self, switch: Switch, (left, right): Sides) {
        let same = self.executor.terms.eq(left, right);
        let linked = self.executor.terms.implies(switch, same);
        self.executor.solver.assert(linked);
    }

    /// Some of these switches that rule the path out; `None` if all of them do not.
    fn core(&mut self, on: &[Switch]) -> Result<Option<Vec<Switch>>, Exhausted> {
        let mut assumed = on.to_vec();
        assumed.push(self.end);
        match self.executor.solver.check(&mut self.executor.terms, &assumed, self.budget) {
            Answer::Sat => Ok(None),
            Answer::Unknown(exhausted) => Err(exhausted),
            Answer::Unsat(core) => {
                let core: BTreeSet<TermId> = core.into_iter().collect();
                Ok(Some(on.iter().copied().filter(|it| core.contains(it)).collect()))
            }
        }
    }

    /// Leaves groups of a core out, as long as the others do; at most so many are tried.
    pub fn shrink(
        &mut self,
        mut core: Vec<Switch>,
        groups: &[Vec<Switch>],
        most: usize,
    ) -> Result<Vec<Switch>, Exhausted> {
        let mut n_tried = 0;
        for group in groups {
            let fewer: Vec<Switch> =
                core.iter().copied().filter(|it| !group.contains(it)).collect();
            if fewer.len() == core.len() {
                continue;
            }
            if n_tried == most {
                break;
            }
            n_tried += 1;
            if let Some(smaller) = self.core(&fewer)? {
                core = smaller;
            }
        }
        Ok(core)
    }

    /// The goals that may be met with what is joined.
    pub fn met(&mut self) -> Result<Vec<Goal>, Exhausted> {
        let (mut open, mut met) = (self.goals.clone(), Vec::new());
        while let Some((goal, term)) = open.pop() {
            let executor = &mut self.executor;
            match executor.solver.check(&mut executor.terms, &[term], self.budget) {
                Answer::Unsat(_) => {}
                Answer::Unknown(exhausted) => return Err(exhausted),
                Answer::Sat => {
                    met.push(goal);
                    let mut evaluator = executor.solver.evaluator(&executor.terms);
                    let (held, others): (Goals, Goals) =
                        open.into_iter().partition(|it| evaluator.value(it.1) == 1);
                    met.extend(held.into_iter().map(|it| it.0));
                    open = others;
                }
            }
        }
        Ok(met)
    }
}

/// What belongs together, each group under one switch.
pub struct Switches<G, M> {
    of: BTreeMap<G, Switch>,
    groups: BTreeMap<Switch, Group<M>>,
}

struct Group<M> {
    members: BTreeSet<M>,
    sides: Vec<Sides>,
    /// The solver knows what the switch does.
    is_known: bool,
}

impl<G, M> Default for Switches<G, M> {
    fn default() -> Self {
        Switches { of: BTreeMap::new(), groups: BTreeMap::new() }
    }
}

impl<G: Ord, M: Ord + Copy> Switches<G, M> {
    /// The sides are the same where the switch of the group is on.
    pub fn join(&mut self, question: &mut Question<'_>, group: G, member: M, sides: Sides) {
        let new = || question.executor.terms.var("link", 1);
        let switch = *self.of.entry(group).or_insert_with(new);
        let group = self.groups.entry(switch).or_insert_with(|| Group {
            members: BTreeSet::new(),
            sides: Vec::new(),
            is_known: false,
        });
        group.members.insert(member);
        group.sides.push(sides);
    }

    pub fn all(&self) -> Vec<Switch> {
        self.of.values().copied().collect()
    }

    /// The groups all of whose members are wanted.
    pub fn those(&self, is_wanted: impl Fn(M) -> bool) -> Vec<Switch> {
        let is_wanted = |it: &Switch| self.groups[it].members.iter().all(|&it| is_wanted(it));
        self.all().into_iter().filter(is_wanted).collect()
    }

    pub fn members(&self, of: &[Switch]) -> Vec<M> {
        let all: BTreeSet<M> = of.iter().flat_map(|it| &self.groups[it].members).copied().collect();
        all.into_iter().collect()
    }

    /// Some of these groups that rule the path out; `None` if all of them do not.
    pub fn core(
        &mut self,
        question: &mut Question<'_>,
        on: &[Switch],
    ) -> Result<Option<Vec<Switch>>, Exhausted> {
        for switch in on {
            let Some(group) = self.groups.get_mut(switch) else { continue };
            if !std::mem::replace(&mut group.is_known, true) {
                group.sides.iter().for_each(|&sides| question.join_if(*switch, sides));
            }
        }
        question.core(on)
    }

    /// Some of these groups that rule the path out; `None` if all of them do not. Some are on to begin with; each model shows
    /// others that exclude it, of which the first ones are added: where there is a model of all, it is found with few on.
    pub fn grown_core(
        &mut self,
        question: &mut Question<'_>,
        mut on: Vec<Switch>,
        among: &[Switch],
        at_once: usize,
    ) -> Result<Option<Vec<Switch>>, Exhausted> {
        loop {
            if let Some(core) = self.core(question, &on)? {
                return Ok(Some(core));
            }
            let executor = &question.executor;
            let mut evaluator = executor.solver.evaluator(&executor.terms);
            let mut is_broken = |it: &Switch| {
                let mut sides = self.groups[it].sides.iter();
                sides.any(|&(left, right)| evaluator.value(left) != evaluator.value(right))
            };
            let off = among.iter().copied().filter(|it| !on.contains(it));
            let more: Vec<Switch> = off.filter(|it| is_broken(it)).take(at_once).collect();
            if more.is_empty() {
                return Ok(None);
            }
            on.extend(more);
        }
    }

    /// All groups, the smaller ranks first.
    pub fn ranked<R: Ord>(&self, rank: impl Fn(&BTreeSet<M>) -> R) -> Vec<Switch> {
        let ranked = self.groups.iter().map(|(&switch, group)| (rank(&group.members), switch));
        let mut ranked: Vec<(R, Switch)> = ranked.collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|it| it.1).collect()
    }
}
