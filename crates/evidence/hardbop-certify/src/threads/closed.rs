//! A set of counter states, closed under every step: listed one by one for at most N threads, or all
//! states below the listed ones for any number of threads.
//!
//! For any number of threads the listed states are enough to look at: a step of a state with fewer
//! threads is a step of the larger one as well, with the same threads more after it.

use hardbop_cfg::LocRef;
use hardbop_evidence::threads::{Count, Counted, ThreadState};

use super::moves::{Move, Moved, Moves};
use super::{
    Counts, FAILURE, INITIAL, LABEL, STARTED, SUCCESSOR, add, entry_of_main, multisets, take,
};
use crate::Rejected;

/// `contains` tells whether a state is in the set. Returns how many were asked for.
pub fn check(
    moves: &mut Moves<'_>,
    bound: Option<u32>,
    states: &[Counted],
    contains: impl Fn(&Counted) -> bool,
) -> Result<usize, Rejected> {
    let mut checker = Checker { contains, bound, n_obligations: 0 };
    for (shared, threads) in moves.initial()? {
        multisets(&threads, moves.proof.initial, &mut |counts| {
            moves.meter.tick().map_err(Rejected::Exhausted)?;
            let state = Counted { shared, holder: None, counts: counts.clone() };
            checker.listed(&state, entry_of_main(moves.program), INITIAL)
        })?;
    }
    for state in states {
        moves.tick()?;
        let mut threads = state.holder.iter().chain(state.counts.iter().map(|(thread, _)| thread));
        if let Some(at) = threads.find_map(|&thread| moves.at_label(thread)) {
            return Err(Rejected::At(at, LABEL.into()));
        }
        match state.holder {
            // Only the holder of the flag runs while it is held.
            Some(holder) => checker.steps(moves, state, holder)?,
            None => {
                state.counts.iter().try_for_each(|&(it, _)| checker.steps(moves, state, it))?;
            }
        }
    }
    Ok(checker.n_obligations)
}

struct Checker<F> {
    contains: F,
    /// `None`: any number of threads.
    bound: Option<u32>,
    n_obligations: usize,
}

impl<F: Fn(&Counted) -> bool> Checker<F> {
    /// The steps of one thread; it holds the flag if anybody does.
    fn steps(
        &mut self,
        moves: &mut Moves<'_>,
        state: &Counted,
        mover: ThreadState,
    ) -> Result<(), Rejected> {
        let known = moves.of(state.shared, mover)?;
        if let Some(at) = moves.failure(&known) {
            return Err(Rejected::At(at, FAILURE.into()));
        }
        let mut others = state.counts.clone();
        if state.holder.is_none() {
            take(&mut others, mover);
        }
        let n_others: u64 = others.iter().filter_map(|(_, n)| n.as_finite()).map(u64::from).sum();
        let is_full = self.bound.is_some_and(|bound| n_others + 1 >= u64::from(bound));
        // One list for all successors: most of a check is looking them up.
        let mut next = Counted { counts: others.clone(), ..*state };
        for Move { at, shared, effect } in &known.moves {
            moves.tick()?;
            // Where no thread can be started and the bound is not reached, there is no step.
            if matches!(effect, Moved::Start(_, started) if started.is_empty()) && !is_full {
                continue;
            }
            next.shared = shared.ok_or_else(|| missing(*at))?;
            next.counts.clone_from(&others);
            next.holder = None;
            let holds = match effect {
                Moved::Flag(_, takes) => *takes,
                _ => state.holder.is_some(),
            };
            match effect {
                Moved::End => self.listed(&next, *at, SUCCESSOR)?,
                Moved::Go(to) | Moved::Flag(to, _) => {
                    place(&mut next, to.ok_or_else(|| missing(*at))?, holds);
                    self.listed(&next, *at, SUCCESSOR)?;
                }
                Moved::Start(to, started) => {
                    place(&mut next, to.ok_or_else(|| missing(*at))?, holds);
                    if is_full {
                        self.listed(&next, *at, SUCCESSOR)?;
                        continue;
                    }
                    for new in started {
                        let new = new.ok_or_else(|| Rejected::At(*at, STARTED.into()))?;
                        add(&mut next.counts, new, Count::ONE);
                        self.listed(&next, *at, STARTED)?;
                        take(&mut next.counts, new);
                    }
                }
                Moved::Broadcast(to, broadcast) => {
                    let to = to.ok_or_else(|| missing(*at))?;
                    let mut all = vec![Counts::new()];
                    for &(other, n) in &others {
                        let options = moves.reactions(*broadcast, other)?;
                        let options: Option<Vec<_>> = options.iter().copied().collect();
                        let options = options.ok_or_else(|| missing(*at))?;
                        all = beside(moves, &all, &options, n)?;
                    }
                    for counts in all {
                        next.counts = counts;
                        place(&mut next, to, holds);
                        self.listed(&next, *at, SUCCESSOR)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn listed(&mut self, state: &Counted, blame: LocRef, why: &str) -> Result<(), Rejected> {
        self.n_obligations += 1;
        if (self.contains)(state) { Ok(()) } else { Err(Rejected::At(blame, why.into())) }
    }
}

fn missing(at: LocRef) -> Rejected {
    Rejected::At(at, SUCCESSOR.into())
}

fn place(state: &mut Counted, thread: ThreadState, holds: bool) {
    if holds {
        state.holder = Some(thread);
    } else {
        state.holder = None;
        add(&mut state.counts, thread, Count::ONE);
    }
}

/// Each of the counts with `n` more threads that each take one of the options.
fn beside(
    moves: &mut Moves<'_>,
    all: &[Counts],
    options: &[ThreadState],
    n: Count,
) -> Result<Vec<Counts>, Rejected> {
    let mut longer = Vec::new();
    for before in all {
        multisets(options, n, &mut |counts| {
            moves.meter.tick().map_err(Rejected::Exhausted)?;
            let mut after = before.clone();
            counts.iter().for_each(|&(thread, n)| add(&mut after, thread, n));
            longer.push(after);
            Ok(())
        })?;
    }
    Ok(longer)
}
