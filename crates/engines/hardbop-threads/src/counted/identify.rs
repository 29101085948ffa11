//! From a run of counters to a run in which each thread has its number and all its values.
//!
//! The search forgets which thread is which (BOOM algorithm 7.2 gives them back) and what values
//! cannot matter. Its run is executed once more with both: of the steps possible at each point, one
//! is taken that leads to the next state of the run. There always is one: permuting threads changes
//! no step, and neither do values that cannot matter.

use std::collections::VecDeque;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted};
use hardbop_engine::GoalSite;
use hardbop_evidence::{Event, ThreadIx};

use crate::counted::counters::{Counters, LocalId};
use crate::counted::explore::{AtBound, Explorer, Found};
use crate::counted::inline::Local;
use crate::counted::moves::{Broadcast, Effect, Move};

/// A run of inlined threads.
#[derive(Clone, Debug)]
pub struct Run {
    pub shared: Bits,
    /// The first threads.
    pub locals: Vec<Local>,
    pub steps: Vec<RunStep>,
}

/// One thread moves.
#[derive(Clone, Debug)]
pub struct RunStep {
    pub thread: ThreadIx,
    pub event: Event,
    /// Afterwards.
    pub shared: Bits,
    /// Afterwards; `None` if the thread ended.
    pub local: Option<Local>,
    /// Other threads that are new or changed.
    pub others: Vec<(ThreadIx, Local)>,
}

/// The run of the search to `found`; `None` if the steps cannot be found again, which is a mistake
/// of ours.
pub fn identified_run(
    explorer: &mut Explorer<'_>,
    found: &Found,
    meter: &mut Meter<'_>,
) -> Result<Option<Run>, Exhausted> {
    let counted = explorer.run_to(found);
    identify(explorer, &counted, &found.site, meter)
}

/// The same for any run of counters, each state with its distance, to the goal at `site`.
pub fn identify(
    explorer: &mut Explorer<'_>,
    counted: &[(Counters, u32)],
    site: &GoalSite,
    meter: &mut Meter<'_>,
) -> Result<Option<Run>, Exhausted> {
    let (first, _) = &counted[0];
    let copies = first.counts.iter().flat_map(|&(id, n)| std::iter::repeat_n(id, n as usize));
    let locals: Vec<Local> = copies.map(|id| (*explorer.local(id)).clone()).collect();
    let Some(shared) = initial_shared(explorer, first, meter)? else { return Ok(None) };
    let mut runner = Runner {
        shared: shared.clone(),
        n_created: locals.len() as u32,
        threads: (0..).map(ThreadIx::from_u32).zip(locals.iter().cloned()).collect(),
        holder: None,
        explorer,
    };
    let mut run = Run { shared, locals, steps: Vec::new() };
    for pair in counted.windows(2) {
        let ((_, before), (target, after)) = (&pair[0], &pair[1]);
        match runner.advance(target, after - before, meter)? {
            Some(step) => run.steps.push(step),
            None => return Ok(None),
        }
    }
    if let GoalSite::Assert(edge) = *site {
        match runner.violation(Event::Violate(edge), meter)? {
            Some(step) => run.steps.push(step),
            None => return Ok(None),
        }
    }
    Ok(Some(run))
}

/// Real values of the shared variables in an initial state: those that do not matter may depend on
/// each other by their initial values.
fn initial_shared(
    explorer: &mut Explorer<'_>,
    first: &Counters,
    meter: &mut Meter<'_>,
) -> Result<Option<Bits>, Exhausted> {
    let all = explorer.threads.initial(meter)?;
    Ok(all.into_iter().map(|it| it.0).find(|it| explorer.known_shared(it) == Some(first.shared)))
}

/// A state whose threads have numbers.
struct Runner<'r, 'a> {
    explorer: &'r mut Explorer<'a>,
    shared: Bits,
    threads: Vec<(ThreadIx, Local)>,
    holder: Option<ThreadIx>,
    n_created: u32,
}

impl Runner<'_, '_> {
    /// The first step of this weight that leads to the target.
    fn advance(
        &mut self,
        target: &Counters,
        weight: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<RunStep>, Exhausted> {
        for at in self.movers() {
            for it in self.moves(at, meter)? {
                if it.weight() == weight
                    && self.explorer.known_shared(&it.shared) == Some(target.shared)
                    && let Some(step) = self.matching(at, it, target, meter)?
                {
                    self.apply(at, &step);
                    // While the flag is held nobody but its holder moves.
                    self.holder = target.holder.map(|_| step.thread);
                    return Ok(Some(step));
                }
            }
        }
        Ok(None)
    }

    fn violation(
        &mut self,
        event: Event,
        meter: &mut Meter<'_>,
    ) -> Result<Option<RunStep>, Exhausted> {
        for at in self.movers() {
            if self.moves(at, meter)?.iter().any(|it| it.event == event) {
                let (thread, local) = self.threads[at].clone();
                let (shared, local) = (self.shared.clone(), Some(local));
                return Ok(Some(RunStep { thread, event, shared, local, others: Vec::new() }));
            }
        }
        Ok(None)
    }

    /// The positions of the threads that may move.
    fn movers(&self) -> Vec<usize> {
        let may_move = |thread| self.holder.is_none_or(|holder| holder == thread);
        (0..self.threads.len()).filter(|&at| may_move(self.threads[at].0)).collect()
    }

    fn moves(&mut self, at: usize, meter: &mut Meter<'_>) -> Result<Vec<Move>, Exhausted> {
        self.explorer.threads.moves(&self.shared, &self.threads[at].1, meter)
    }

    /// The step, if the move can lead to the target.
    fn matching(
        &self,
        at: usize,
        it: Move,
        target: &Counters,
        meter: &mut Meter<'_>,
    ) -> Result<Option<RunStep>, Exhausted> {
        let thread = self.threads[at].0;
        let Move { event, shared, effect } = it;
        let holds = match effect {
            Effect::Flag(_, holds) => holds,
            _ => self.holder == Some(thread),
        };
        let step = |local, others| Some(RunStep { thread, event, shared, local, others });
        let mut left = target.clone();
        Ok(match effect {
            Effect::Violate => None,
            Effect::End if self.take_others(at, &mut left) && is_empty(&left) => step(None, vec![]),
            Effect::End => None,
            Effect::Go(to) | Effect::Flag(to, _) => {
                let fits =
                    self.take_mover(&to, holds, &mut left) && self.take_others(at, &mut left);
                if fits && is_empty(&left) { step(Some(to), vec![]) } else { None }
            }
            Effect::Start(to, started) => {
                if !self.take_mover(&to, holds, &mut left) || !self.take_others(at, &mut left) {
                    return Ok(None);
                }
                if self.threads.len() >= self.explorer.bound as usize {
                    let skips = self.explorer.at_bound == AtBound::Skip && is_empty(&left);
                    return Ok(if skips { step(Some(to), vec![]) } else { None });
                }
                let fits = |new: &Local| {
                    let mut left = left.clone();
                    self.take_mover(new, false, &mut left) && is_empty(&left)
                };
                let new = ThreadIx::from_u32(self.n_created);
                let started = started.into_iter().find(fits);
                started.and_then(|started| step(Some(to), vec![(new, started)]))
            }
            Effect::Broadcast(to, broadcast) => {
                if !self.take_mover(&to, holds, &mut left) {
                    return Ok(None);
                }
                let others = self.react(at, &broadcast, &left, meter)?;
                others.and_then(|others| step(Some(to), others))
            }
        })
    }

    /// Takes a thread out of what is left of the target.
    fn take_mover(&self, local: &Local, holds: bool, left: &mut Counters) -> bool {
        let Some(id) = self.explorer.known_local(local) else { return false };
        if holds { left.holder.take() == Some(id) } else { left.take(id) }
    }

    fn take_others(&self, mover: usize, left: &mut Counters) -> bool {
        let others = self.threads.iter().enumerate().filter(|&(at, _)| at != mover);
        others.into_iter().all(|(_, (_, local))| self.take_mover(local, false, left))
    }

    /// What each other thread becomes so that together they are what is left of the target.
    fn react(
        &self,
        mover: usize,
        broadcast: &Broadcast,
        left: &Counters,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<(ThreadIx, Local)>>, Exhausted> {
        let copies = left.counts.iter().flat_map(|&(id, n)| std::iter::repeat_n(id, n as usize));
        let places: Vec<LocalId> = copies.collect();
        let mut numbers = Vec::new();
        let mut options: Vec<Vec<(LocalId, Local)>> = Vec::new();
        for (_, (number, local)) in self.threads.iter().enumerate().filter(|&(at, _)| at != mover) {
            let all = self.explorer.threads.reactions(broadcast, local, meter)?;
            let known = all
                .into_iter()
                .filter_map(|local| self.explorer.known_local(&local).map(|id| (id, local)));
            options.push(known.collect());
            numbers.push(*number);
        }
        if left.holder.is_some() || places.len() != numbers.len() {
            return Ok(None);
        }
        let fits = |thread: usize, place: usize| {
            options[thread].iter().find(|(id, _)| *id == places[place]).map(|(_, local)| local)
        };
        let Some(chosen) = perfect_matching(numbers.len(), |t, p| fits(t, p).is_some()) else {
            return Ok(None);
        };
        let chosen = chosen.into_iter().enumerate().zip(numbers);
        let become_ = chosen.filter_map(|((t, p), number)| Some((number, fits(t, p)?.clone())));
        Ok(Some(become_.collect()))
    }

    fn apply(&mut self, at: usize, step: &RunStep) {
        self.shared = step.shared.clone();
        for (number, local) in &step.others {
            match self.threads.iter_mut().find(|(known, _)| known == number) {
                Some((_, old)) => *old = local.clone(),
                None => {
                    self.threads.push((*number, local.clone()));
                    self.n_created += 1;
                }
            }
        }
        match &step.local {
            Some(local) => self.threads[at].1 = local.clone(),
            None => _ = self.threads.remove(at),
        }
    }
}

fn is_empty(left: &Counters) -> bool {
    left.holder.is_none() && left.counts.is_empty()
}

/// Gives each of `n` threads a place of its own among `n` that fits it: augmenting paths, breadth
/// first.
pub fn perfect_matching(n: usize, fits: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let mut place_of: Vec<Option<usize>> = vec![None; n];
    let mut thread_at: Vec<Option<usize>> = vec![None; n];
    for start in 0..n {
        // From which thread each place was reached.
        let mut from: Vec<Option<usize>> = vec![None; n];
        let mut todo = VecDeque::from([start]);
        let mut free = None;
        'search: while let Some(thread) = todo.pop_front() {
            for place in 0..n {
                if from[place].is_none() && fits(thread, place) {
                    from[place] = Some(thread);
                    match thread_at[place] {
                        Some(next) => todo.push_back(next),
                        None => {
                            free = Some(place);
                            break 'search;
                        }
                    }
                }
            }
        }
        let mut place = free?;
        loop {
            let thread = from[place]?;
            thread_at[place] = Some(thread);
            match place_of[thread].replace(place) {
                Some(before) => place = before,
                None => break,
            }
        }
    }
    place_of.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::perfect_matching;

    #[test]
    fn a_matching_is_found_exactly_if_there_is_one() {
        // Thread 0 fits everywhere, the others only in the first places: it must give way.
        assert_eq!(perfect_matching(3, |t, p| t == 0 || p < t), Some(vec![2, 0, 1]));
        assert_eq!(perfect_matching(2, |_, p| p == 0), None);
        assert_eq!(perfect_matching(0, |_, _| false), Some(vec![]));
    }
}
