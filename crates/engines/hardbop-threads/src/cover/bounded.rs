//! All that can be reached with at most n threads alive: runs that would need more are cut.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cover::board::Reporter;
use crate::cover::counts::{Counts, LocalId, OMEGA, one_more};
use crate::cover::system::{ControlId, State, System, post};

/// Thread states reached with at most n threads.
#[derive(Debug, Default)]
pub struct Bounded {
    pub n_states: usize,
    /// Local states by control state, in order of discovery.
    pub locals: FxHashMap<ControlId, Vec<LocalId>>,
    pairs: FxHashSet<(ControlId, LocalId)>,
    /// A target that was covered.
    pub covered: Option<usize>,
}

impl Bounded {
    /// Explores; stops at the first target.
    pub fn explore(
        system: &mut dyn System,
        n_threads: u64,
        max_states: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Exhausted> {
        let mut it = Bounded::default();
        let targets = system.targets();
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut work = Vec::new();
        for state in system.initial(meter)? {
            for state in with_at_most(&state, n_threads, meter)? {
                if seen.insert(state.clone()) {
                    work.push(state);
                }
            }
        }
        while let Some(state) = work.pop() {
            meter.tick()?;
            it.covered = targets.iter().position(|target| state.covers(target));
            if it.covered.is_some() {
                break;
            }
            it.note(&state);
            for anchor in std::iter::once(None).chain(state.counts.locals().map(Some)) {
                for rule in system.rules(state.control, anchor, meter)?.iter() {
                    for counts in post(system, &state.counts, rule, meter)? {
                        let next = State { control: rule.to, counts };
                        let n = next.counts.total() + system.n_threads_in(next.control);
                        if n <= n_threads && seen.insert(next.clone()) {
                            work.push(next);
                        }
                    }
                }
            }
            if seen.len() > max_states {
                return Err(Exhausted::States(max_states as u64));
            }
        }
        it.n_states = seen.len();
        Ok(it)
    }

    pub fn reaches(&self, control: ControlId) -> bool {
        self.locals.contains_key(&control)
    }

    pub fn occurs(&self, control: ControlId, local: LocalId) -> bool {
        self.pairs.contains(&(control, local))
    }

    /// In order.
    pub fn controls(&self) -> Vec<ControlId> {
        let mut all: Vec<_> = self.locals.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// All that was reached, to the other engines.
    pub fn tell(&self, system: &dyn System, reporter: &mut Reporter) {
        for (&control, locals) in &self.locals {
            for local in std::iter::once(None).chain(locals.iter().copied().map(Some)) {
                reporter.note_pair(system, control, local);
            }
        }
        reporter.flush();
    }

    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    fn note(&mut self, state: &State) {
        let locals = self.locals.entry(state.control).or_default();
        for local in state.counts.locals() {
            if self.pairs.insert((state.control, local)) {
                locals.push(local);
            }
        }
    }
}

/// The largest states without ω and with at most so many threads below an initial one.
pub fn with_at_most(
    initial: &State,
    n_threads: u64,
    meter: &mut Meter<'_>,
) -> Result<Vec<State>, Exhausted> {
    let finite = initial.counts.iter().filter(|&(_, n)| n != OMEGA);
    let fixed: Counts = finite.collect();
    let open: Vec<_> =
        initial.counts.iter().filter(|&(_, n)| n == OMEGA).map(|(local, _)| local).collect();
    let Some(left) = n_threads.checked_sub(fixed.total()) else { return Ok(Vec::new()) };
    let mut all = vec![fixed];
    if !open.is_empty() {
        for _ in 0..left {
            meter.tick()?;
            all = one_more(&all, &open);
        }
    }
    Ok(all.into_iter().map(|counts| State { control: initial.control, counts }).collect())
}
