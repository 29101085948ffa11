//! A solver that can be told which variables to decide first: the other two choose for themselves.
//!
//! Conflict-driven clause learning as in Eén and Sörensson, "An extensible SAT-solver" (2003): two
//! watched literals, first unique implication point, activities, phases kept, Luby restarts,
//! assumptions with cores. Of the variables without a value, those of the first rank are decided
//! before all others; inside a rank the most active one. It can log why each clause it learns follows
//! ([`crate::lrat`]): the clauses of one conflict, in the order in which they propagate.
//!
//! Invariants: the first two literals of a clause are watched; the reason of an assigned literal has
//! it in front; outside of `solve` only literals of level 0 are assigned.

use hardbop_base::{Budget, Exhausted};

use crate::lrat::{ClauseId, Step};
use crate::solver::{Lit, Solver};

mod analyze;
mod heap;

use analyze::Log;
use heap::Order;

/// A clause's place in the list.
type ClauseRef = u32;
const NONE: ClauseRef = u32::MAX;

struct Clause {
    literals: Vec<Lit>,
    is_learnt: bool,
    /// Its name in the proof.
    id: ClauseId,
    /// Different levels among its literals when it was learnt: few is good.
    n_levels: u32,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Another literal of the clause: if it holds, the clause need not be looked at.
    blocker: Lit,
}

pub struct Cdcl {
    budget: Budget,
    clauses: Vec<Clause>,
    /// By literal: the clauses that watch its negation.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 holds, -1 does not, 0 open.
    values: Vec<i8>,
    phase: Vec<bool>,
    level: Vec<u32>,
    reason: Vec<ClauseRef>,
    /// Where on the trail an assigned variable is.
    position: Vec<u32>,
    trail: Vec<Lit>,
    /// The length of the trail at each decision.
    limits: Vec<usize>,
    n_propagated: usize,
    order: Order,
    /// For `analyze`.
    seen: Vec<bool>,
    model: Vec<bool>,
    core: Vec<Lit>,
    /// Clauses contradict each other.
    is_contradictory: bool,
    n_learnt: usize,
    max_learnt: usize,
    n_conflicts: u64,
    n_decisions: u64,
    /// Clauses that were given.
    n_given: u32,
    proof: Option<Log>,
}

/// Conflicts before the first restart.
const RESTART: u64 = 100;
/// Learnt clauses that are always kept.
const FIRST_LEARNT: usize = 4_000;
/// Steps between two looks at the clock.
const STEPS_PER_CHECK: u64 = 512;

impl Cdcl {
    pub fn new(budget: &Budget) -> Self {
        Cdcl {
            budget: budget.clone(),
            clauses: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            phase: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            position: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            n_propagated: 0,
            order: Order::default(),
            seen: Vec::new(),
            model: Vec::new(),
            core: Vec::new(),
            is_contradictory: false,
            n_learnt: 0,
            max_learnt: FIRST_LEARNT,
            n_conflicts: 0,
            n_decisions: 0,
            n_given: 0,
            proof: None,
        }
    }

    /// Logs from now on why what it learns follows. Before the first clause.
    pub fn log_proof(&mut self) {
        self.proof = Some(Log::default());
    }

    /// The steps since the last time they were taken.
    pub fn take_steps(&mut self) -> Vec<Step> {
        self.proof.as_mut().map(|log| std::mem::take(&mut log.steps)).unwrap_or_default()
    }

    /// The limits of the queries from now on.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    /// Decides this variable before all that are not first.
    pub fn decide_first(&mut self, var: u32) {
        self.order.prefer(var);
    }

    pub fn n_conflicts(&self) -> u64 {
        self.n_conflicts
    }

    pub fn n_decisions(&self) -> u64 {
        self.n_decisions
    }

    fn value_of(&self, lit: Lit) -> i8 {
        self.values[lit.code()]
    }

    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        let var = lit.var() as usize;
        self.level[var] = self.limits.len() as u32;
        self.reason[var] = reason;
        self.position[var] = self.trail.len() as u32;
        self.trail.push(lit);
        if self.limits.is_empty() && reason != NONE && self.proof.is_some() {
            let hints = self.hints(&[], [reason].into_iter());
            if let Some(log) = &mut self.proof {
                let unit = log.derive(&[lit], hints);
                log.units[var] = unit;
            }
        }
    }

    /// Assigns what a clause says alone.
    fn assign_unit(&mut self, lit: Lit, id: ClauseId) {
        self.assign(lit, NONE);
        if let Some(log) = &mut self.proof {
            log.units[lit.var() as usize] = id;
        }
    }

    fn attach(
        &mut self,
        literals: Vec<Lit>,
        id: ClauseId,
        is_learnt: bool,
        n_levels: u32,
    ) -> ClauseRef {
        let clause = self.clauses.len() as ClauseRef;
        self.watches[(!literals[0]).code()].push(Watch { clause, blocker: literals[1] });
        self.watches[(!literals[1]).code()].push(Watch { clause, blocker: literals[0] });
        self.n_learnt += usize::from(is_learnt);
        self.clauses.push(Clause { literals, is_learnt, id, n_levels });
        clause
    }

    /// Assigns all that follows; a clause none of whose literals can hold, if there is one.
    fn propagate(&mut self) -> Option<ClauseRef> {
        while self.n_propagated < self.trail.len() {
            let lit = self.trail[self.n_propagated];
            self.n_propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.code()]);
            let (mut read, mut kept) = (0, 0);
            let mut conflict = None;
            'watches: while read < watches.len() {
                let watch = watches[read];
                read += 1;
                if self.values[watch.blocker.code()] > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let literals = &mut self.clauses[watch.clause as usize].literals;
                if literals.is_empty() {
                    continue; // forgotten
                }
                if literals[0] == !lit {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                let again = Watch { blocker: first, ..watch };
                if self.values[first.code()] > 0 {
                    watches[kept] = again;
                    kept += 1;
                    continue;
                }
                for at in 2..literals.len() {
                    if self.values[literals[at].code()] >= 0 {
                        literals.swap(1, at);
                        let to = (!literals[1]).code();
                        self.watches[to].push(again);
                        continue 'watches;
                    }
                }
                watches[kept] = again;
                kept += 1;
                if self.values[first.code()] < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                self.assign(first, watch.clause);
            }
            watches.copy_within(read.., kept);
            watches.truncate(kept + watches.len() - read);
            self.watches[lit.code()] = watches;
            if conflict.is_some() {
                self.n_propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn cancel(&mut self, level: u32) {
        let Some(&from) = self.limits.get(level as usize) else { return };
        for lit in self.trail.drain(from..) {
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
            self.phase[lit.var() as usize] = lit.is_positive();
            self.order.insert(lit.var());
        }
        self.limits.truncate(level as usize);
        self.n_propagated = from;
    }

    fn learn(&mut self, learnt: Vec<Lit>, id: ClauseId) {
        let first = learnt[0];
        if learnt.len() == 1 {
            return self.assign_unit(first, id);
        }
        let mut levels: Vec<u32> = learnt.iter().map(|it| self.level[it.var() as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        let clause = self.attach(learnt, id, true, levels.len() as u32);
        self.assign(first, clause);
    }

    /// Forgets the worse half of the learnt clauses; those in use stay.
    fn reduce(&mut self) {
        let mut learnt: Vec<ClauseRef> = (0..self.clauses.len() as ClauseRef)
            .filter(|&it| {
                let clause = &self.clauses[it as usize];
                clause.is_learnt && clause.literals.len() > 2 && clause.n_levels > 2
            })
            .filter(|&it| {
                let first = self.clauses[it as usize].literals[0];
                self.reason[first.var() as usize] != it || self.value_of(first) <= 0
            })
            .collect();
        learnt.sort_by_key(|&it| (self.clauses[it as usize].n_levels, std::cmp::Reverse(it)));
        for &it in &learnt[learnt.len() / 2..] {
            self.clauses[it as usize].literals = Vec::new();
            self.clauses[it as usize].is_learnt = false;
            if let Some(log) = &mut self.proof {
                log.steps.push(Step::Forget(self.clauses[it as usize].id));
            }
            self.n_learnt -= 1;
        }
        self.max_learnt += self.max_learnt / 10;
    }

    /// Searches for so many conflicts; `None` if that did not decide.
    fn search(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, Exhausted> {
        let mut n = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                self.n_conflicts += 1;
                n += 1;
                if self.limits.is_empty() {
                    self.is_contradictory = true;
                    let hints = self.hints(&[], [conflict].into_iter());
                    if let Some(log) = &mut self.proof {
                        log.derive(&[], hints);
                    }
                    return Ok(Some(false));
                }
                let (learnt, id, back) = self.analyze(conflict);
                self.cancel(back);
                self.learn(learnt, id);
                self.order.decay();
                if self.n_conflicts.is_multiple_of(STEPS_PER_CHECK) {
                    self.budget.check()?;
                }
                continue;
            }
            if n >= conflicts {
                self.cancel(0);
                return Ok(None);
            }
            if self.n_learnt > self.max_learnt + self.trail.len() {
                self.reduce();
            }
            match self.next_decision(assumptions) {
                Next::Decide(lit) => {
                    self.limits.push(self.trail.len());
                    self.assign(lit, NONE);
                }
                // An assumption that holds already gets a level of its own, for the count.
                Next::Holds => self.limits.push(self.trail.len()),
                Next::Contradicts(lit) => {
                    self.core = self.core_of(lit);
                    return Ok(Some(false));
                }
                Next::Done => return Ok(Some(true)),
            }
            self.n_decisions += 1;
            if self.n_decisions.is_multiple_of(STEPS_PER_CHECK) {
                self.budget.check()?;
            }
        }
    }

    fn next_decision(&mut self, assumptions: &[Lit]) -> Next {
        if let Some(&lit) = assumptions.get(self.limits.len()) {
            return match self.value_of(lit) {
                1 => Next::Holds,
                0 => Next::Decide(lit),
                _ => Next::Contradicts(lit),
            };
        }
        while let Some(var) = self.order.pop() {
            let lit = Lit::new(var, true);
            if self.value_of(lit) == 0 {
                return Next::Decide(lit.signed(self.phase[var as usize]));
            }
        }
        Next::Done
    }
}

enum Next {
    Decide(Lit),
    Holds,
    Contradicts(Lit),
    Done,
}

/// 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman 1993).
fn luby(mut at: u64) -> u64 {
    let (mut size, mut power) = (1, 0);
    while size < at + 1 {
        size = 2 * size + 1;
        power += 1;
    }
    while size - 1 != at {
        size = (size - 1) / 2;
        power -= 1;
        at %= size;
    }
    1 << power
}

impl Solver for Cdcl {
    fn new_var(&mut self) -> Lit {
        let var = self.level.len() as u32;
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.phase.push(false);
        self.level.push(0);
        self.reason.push(NONE);
        self.position.push(0);
        if let Some(log) = &mut self.proof {
            log.units.push(ClauseId::default());
        }
        self.seen.push(false);
        self.order.add(var);
        Lit::new(var, true)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let given = ClauseId::given(self.n_given);
        self.n_given += 1;
        let mut literals = clause.to_vec();
        literals.sort_unstable();
        literals.dedup();
        let is_valid = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_valid || literals.iter().any(|&lit| self.value_of(lit) > 0) {
            return;
        }
        let before = literals.clone();
        literals.retain(|&lit| self.value_of(lit) == 0);
        let id = match &mut self.proof {
            Some(log) if literals.len() < before.len() => {
                let gone = before.iter().filter(|it| !literals.contains(it));
                let units = gone.map(|it| log.units[it.var() as usize]);
                let hints = units.chain([given]).collect();
                log.derive(&literals, hints)
            }
            _ => given,
        };
        match literals[..] {
            [] => self.is_contradictory = true,
            [only] => self.assign_unit(only, id),
            _ => drop(self.attach(literals, id, false, 0)),
        }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        self.core.clear();
        self.budget.check()?;
        let mut n_restarts = 0;
        let answer = loop {
            if self.is_contradictory {
                break Ok(false);
            }
            match self.search(assumptions, RESTART * luby(n_restarts)) {
                Ok(None) => n_restarts += 1,
                Ok(Some(answer)) => break Ok(answer),
                Err(exhausted) => break Err(exhausted),
            }
        };
        if answer == Ok(true) {
            self.model = self.values.iter().step_by(2).map(|&it| it > 0).collect();
        }
        self.cancel(0);
        answer
    }

    fn value(&self, lit: Lit) -> bool {
        self.model.get(lit.var() as usize).copied().unwrap_or(false) == lit.is_positive()
    }

    fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cdcl, luby};
    use crate::solver::tests::check_back_end;
    use crate::solver::{Lit, Solver};
    use hardbop_base::{Budget, Exhausted};
    use std::time::Duration;

    #[test]
    fn answers_models_and_cores_are_right() {
        check_back_end(|| Cdcl::new(&Budget::unlimited()));
    }

    #[test]
    fn the_order_of_decisions_does_not_change_answers() {
        check_back_end(|| {
            let mut solver = Cdcl::new(&Budget::unlimited());
            (0..6).step_by(2).for_each(|var| solver.decide_first(var));
            solver
        });
    }

    #[test]
    fn restarts_follow_luby() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// Enough conflicts for many restarts and forgotten clauses.
    fn pigeons(n: usize, holes: usize, budget: &Budget) -> Result<bool, Exhausted> {
        let mut solver = Cdcl::new(budget);
        let at: Vec<Vec<Lit>> =
            (0..n).map(|_| (0..holes).map(|_| solver.new_var()).collect()).collect();
        at.iter().for_each(|pigeon| solver.add_clause(pigeon));
        for (i, a) in at.iter().enumerate() {
            for b in &at[..i] {
                a.iter().zip(b).for_each(|(&a, &b)| solver.add_clause(&[!a, !b]));
            }
        }
        solver.solve(&[])
    }

    #[test]
    fn hard_formulas_are_decided() {
        assert_eq!(pigeons(8, 7, &Budget::unlimited()), Ok(false));
        assert_eq!(pigeons(9, 9, &Budget::unlimited()), Ok(true));
    }

    #[test]
    fn a_time_limit_ends_a_hard_query() {
        let limit = Duration::from_millis(50);
        let budget = Budget::unlimited().with_time(limit);
        assert_eq!(pigeons(13, 12, &budget), Err(Exhausted::Time(limit)));
    }
}
