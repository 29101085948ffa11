//! A run with the fewest threads: with at most 1, 2, … threads until a target is covered.
//!
//! Forward it is a plain search, nearest first, which is quick where few threads have few states; backward it
//! knows nothing that cannot lead to a target. Both are bounded by numbers of states and not by the clock, so that
//! the run that is shown does not depend on the machine.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_engine::RunCtx;
use rustc_hash::FxHashSet;

use crate::cover::backward::Backward;
use crate::cover::bounded::with_at_most;
use crate::cover::counts::OMEGA;
use crate::cover::modular::Modular;
use crate::cover::run::{Moved, Run, execute};
use crate::cover::system::{Rule, State, System, post};

/// Elements looked at backward, for all numbers of threads together.
const MOST_ELEMENTS: usize = 4_000;

/// States met forward, for all numbers of threads together.
const MOST_STATES: usize = 30_000;

/// Whether a rule whose tokens are there may fire in a state.
pub type Fires<'a> = dyn Fn(&State, &Rule) -> bool + 'a;

/// Forward. `None` if the targets cannot be covered, if that takes too long to find, or if there are broadcasts
/// with a choice.
pub fn nearest_run(
    system: &mut dyn System,
    targets: &[State],
    fires: &Fires<'_>,
    ctx: &RunCtx,
) -> Result<Option<Run>, Exhausted> {
    let mut meter = ctx.budget.meter(256);
    let mut n_left = MOST_STATES;
    for n_threads in 1.. {
        let mut search = Nearest { n_threads, n_left, ..Nearest::default() };
        match search.run(system, targets, fires, &mut meter)? {
            Ended::Found(found) => return search.way_to(found, system, &mut meter),
            Ended::Complete | Ended::TooLarge => return Ok(None),
            Ended::MoreThreads => n_left -= search.nodes.len(),
        }
    }
    Ok(None)
}

/// A search with at most so many threads alive.
#[derive(Default)]
struct Nearest {
    n_threads: u64,
    n_left: usize,
    seen: FxHashSet<State>,
    nodes: Vec<Node>,
}

/// A state and how it was reached from an earlier one.
struct Node {
    state: State,
    from: Option<(usize, Rule)>,
}

enum Ended {
    Found(usize),
    /// Nothing was left out for want of threads.
    Complete,
    MoreThreads,
    TooLarge,
}

impl Nearest {
    fn run(
        &mut self,
        system: &mut dyn System,
        targets: &[State],
        fires: &Fires<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Ended, Exhausted> {
        let mut is_complete = true;
        for initial in system.initial(meter)? {
            if n_ways(&initial, self.n_threads) > self.n_left {
                return Ok(Ended::TooLarge);
            }
            is_complete &= initial.counts.total() <= self.n_threads;
            for state in with_at_most(&initial, self.n_threads, meter)? {
                is_complete &= self.meet(system, system.begin(&initial, &state.counts), None);
            }
        }
        let mut at = 0;
        while at < self.nodes.len() {
            meter.tick()?;
            let state = self.nodes[at].state.clone();
            if targets.iter().any(|target| state.covers(target)) {
                return Ok(Ended::Found(at));
            }
            for anchor in std::iter::once(None).chain(state.counts.locals().map(Some)) {
                for rule in system.rules(state.control, anchor, meter)?.iter() {
                    if !fires(&state, rule) {
                        continue;
                    }
                    let after = post(system, &state.counts, rule, meter)?;
                    let has_choice = rule.transfer.is_some() && after.len() > 1;
                    if has_choice || self.nodes.len() > self.n_left {
                        return Ok(Ended::TooLarge);
                    }
                    for counts in after {
                        let next = State { control: rule.to, counts };
                        is_complete &= self.meet(system, next, Some((at, rule)));
                    }
                }
            }
            at += 1;
        }
        Ok(if is_complete { Ended::Complete } else { Ended::MoreThreads })
    }

    /// Whether there are enough threads for the state.
    fn meet(&mut self, system: &dyn System, state: State, from: Option<(usize, &Rule)>) -> bool {
        if state.counts.total() + system.n_threads_in(state.control) > self.n_threads {
            return false;
        }
        if self.seen.insert(state.clone()) {
            let from = from.map(|(at, rule)| (at, rule.clone()));
            self.nodes.push(Node { state, from });
        }
        true
    }

    fn way_to(
        &self,
        found: usize,
        system: &mut dyn System,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Run>, Exhausted> {
        let (mut at, mut rules) = (found, Vec::new());
        while let Some((before, rule)) = &self.nodes[at].from {
            rules.push((rule.clone(), Moved::new()));
            at = *before;
        }
        rules.reverse();
        execute(system, self.nodes[at].state.clone(), rules, meter)
    }
}

/// How many ways there are to give so many threads to the states of which there may be any number.
fn n_ways(initial: &State, n_threads: u64) -> usize {
    let is_open = |&(_, n): &(_, u32)| n == OMEGA;
    let n_open = initial.counts.iter().filter(is_open).count() as u128;
    let fixed: u64 =
        initial.counts.iter().filter(|it| !is_open(it)).map(|it| u64::from(it.1)).sum();
    let left = u128::from(n_threads.saturating_sub(fixed));
    let step = |ways: u128, n: u128| ways.saturating_mul(n_open + n - 1) / n;
    let ways = if n_open == 0 { 1 } else { (1..=left.min(64)).fold(1, step) };
    usize::try_from(ways).unwrap_or(usize::MAX)
}

/// Backward. `None` if the targets cannot be covered, or if that takes too long to find.
pub fn fewest_threads(
    system: &mut dyn System,
    targets: &[State],
    ctx: &RunCtx,
) -> Result<Option<Run>, Exhausted> {
    let mut meter = ctx.budget.meter(256);
    let modular = Modular::new(system, &mut meter)?;
    let least = targets.iter().map(|target| target.counts.total()).min().unwrap_or(0);
    let mut n_left = MOST_ELEMENTS;
    for n_threads in least.max(1).. {
        let mut backward = Backward::new(system, &modular, &mut meter)?;
        (backward.max_threads, backward.max_elements) = (n_threads, n_left);
        match backward.search(system, targets, ctx) {
            Ok(Some(_)) => return backward.run(system, ctx),
            Ok(None) if backward.is_complete() => return Ok(None),
            Ok(None) => n_left = n_left.saturating_sub(backward.n_elements()),
            Err(Exhausted::States(_)) => return Ok(None),
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}
