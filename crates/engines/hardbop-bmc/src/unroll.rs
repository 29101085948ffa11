//! Loops and recursion up to bounds: the policy of engine `bmc`.
//!
//! Where a bound ends a path, that is remembered with its condition: if none of these can be reached,
//! nothing was left out.

use std::collections::BTreeMap;

use hardbop_base::Exhausted;
use hardbop_base::fault::{Fault, is_on};
use hardbop_cir::{BlockId, FuncId};
use hardbop_smt::TermId;
use hardbop_symbolic::state::State;
use hardbop_symbolic::{Executor, Policy, Stance, Visit};
use rustc_hash::FxHashMap;

/// A loop or a recursion, where a bound may cut a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cut {
    pub func: FuncId,
    /// The head of the loop; `None` for recursion.
    pub head: Option<BlockId>,
}

/// How often each loop goes round and each function calls itself.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub least: u32,
    pub more: BTreeMap<Cut, u32>,
}

impl Bounds {
    pub fn of(&self, cut: Cut) -> u32 {
        self.more.get(&cut).copied().unwrap_or(self.least)
    }

    pub fn largest(&self) -> u32 {
        self.more.values().copied().max().unwrap_or(self.least).max(self.least)
    }
}

/// How often a loop was entered since it was reached from outside. A round in which no path leaves
/// the loop is decided: it goes on by itself and costs only a part of the bound. One without any
/// open branch is a run like the interpreter's and costs almost nothing.
#[derive(Default)]
pub struct Rounds {
    guard: Option<TermId>,
    n_splits: u64,
    is_left: bool,
    /// In parts of a round of the bound.
    spent: u64,
}

/// Parts of a round that each kind of round costs.
const OPEN: u64 = 1 << 16;
const DECIDED: u64 = OPEN / 16;
const PLAIN: u64 = 1;
/// Rounds of these kinds that are always allowed.
const FREE: u64 = 64 * DECIDED;

pub struct Unrolling<'a> {
    bounds: &'a Bounds,
    /// Where a bound ended paths.
    pub cuts: Vec<(Cut, TermId)>,
}

impl<'a> Unrolling<'a> {
    pub fn new(bounds: &'a Bounds) -> Self {
        Unrolling { bounds, cuts: Vec::new() }
    }

    /// Asks whether the path exists at all, then whether the bound lets it go on.
    fn goes_on(
        &mut self,
        executor: &mut Executor,
        state: &State,
        is_last: bool,
        cut: Cut,
    ) -> Result<bool, Exhausted> {
        if !executor.may_exist(state)? {
            return Ok(false);
        }
        if is_last && !is_on(Fault::BoundIsProof) {
            self.cuts.push((cut, executor.guard(state)));
        }
        Ok(!is_last)
    }
}

impl Policy for Unrolling<'_> {
    type Memory = FxHashMap<BlockId, Rounds>;

    fn recurs(
        &mut self,
        executor: &mut Executor,
        func: FuncId,
        depth: u32,
        state: &State,
    ) -> Result<bool, Exhausted> {
        let cut = Cut { func, head: None };
        self.goes_on(executor, state, depth >= self.bounds.of(cut), cut)
    }

    fn stance(&self, _: impl Iterator<Item = u32>) -> Stance {
        Stance::Ask
    }

    fn visit(
        &mut self,
        rounds: &mut Self::Memory,
        executor: &mut Executor,
        visit: Visit,
        state: State,
    ) -> State {
        let entered = rounds.entry(visit.head.1).or_default();
        let spent = if visit.number == 0 { 0 } else { entered.spent };
        let guard = Some(executor.guard(&state));
        *entered = Rounds { guard, n_splits: executor.n_splits, is_left: false, spent };
        state
    }

    /// Whether a path may come to the head once more, by the bound and, where that is open, at all.
    fn back(
        &mut self,
        rounds: &mut Self::Memory,
        executor: &mut Executor,
        next: Visit,
        is_first: bool,
        state: State,
    ) -> Result<Option<State>, Exhausted> {
        if !is_first {
            return Ok(Some(state));
        }
        if is_on(Fault::PathsNeverGoOn) && next.number > 1 {
            return Ok(None);
        }
        let (func, head) = next.head;
        let round = rounds.entry(head).or_default();
        let guard = executor.guard(&state);
        let cut = Cut { func, head: Some(head) };
        let is_decided = round.guard == Some(guard) || (next.has_exit && !round.is_left);
        let is_plain = is_decided && round.n_splits == executor.n_splits;
        round.spent += match (is_plain, is_decided) {
            (true, _) => PLAIN,
            (_, true) => DECIDED,
            _ => OPEN,
        };
        let allowed = u64::from(self.bounds.of(cut)) * OPEN;
        let is_last = match is_decided {
            true => round.spent > allowed.max(FREE),
            false => round.spent >= allowed,
        };
        let goes_on = is_decided && !is_last || self.goes_on(executor, &state, is_last, cut)?;
        Ok(goes_on.then_some(state))
    }

    fn left(&mut self, rounds: &mut Self::Memory, head: BlockId) {
        rounds.entry(head).or_default().is_left = true;
    }
}
