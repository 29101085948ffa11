//! Breadth-first search over counters that leaves interleavings out.
//!
//! **Computes** the states that the plans of a partial-order reduction ([`por`]) ask for, and with
//! them every reachable goal (BOOM chapter 6 on the enumerative form of algorithm 7.1). Distances are
//! those of the runs that are left, so traces need not be the shortest.
//!
//! **Invariant.** A thread that moves alone, because it holds the atomic flag or runs on as part of a
//! Cartesian vector, is kept apart from the others: it is the `holder` of the counters, numbered
//! together with the reason.
//!
//! [`por`]: crate::por

use std::collections::VecDeque;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::{EdgeRef, Goal, LocRef};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_interp::goals::{Reached, label_site};

use crate::counters::{Counters, LocalId, StateId, StateTable};
use crate::explore::{Explorer, KnownEffect, KnownMove};
use crate::intern::Interner;
use crate::por::{Plan, Por, RegionId};

/// A search.
#[derive(Debug)]
pub struct Reduced<'e, 'a> {
    /// Knows the moves of threads.
    explorer: &'e mut Explorer<'a>,
    por: Por<'a>,
    /// Threads that move alone: state and reason, by the numbers that holders have here.
    apart: Interner<LocalId, (LocalId, Alone)>,
    states: StateTable,
    nodes: Vec<Node>,
    queue: VecDeque<StateId>,
    /// Thread states whose location is among the reached ones.
    arrived: Bits,
    pub reached: Reached,
    /// The first goal that was met, and the state from which.
    found: Option<(GoalSite, StateId)>,
}

/// Why only one thread moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Alone {
    Flag,
    Vector(RegionId),
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// `None` for initial ones.
    parent: Option<StateId>,
    distance: u32,
    done: bool,
    /// By leaving threads out for good: nobody moved.
    split: bool,
}

impl<'e, 'a> Reduced<'e, 'a> {
    /// From the states of the explorer, which are the initial ones.
    pub fn new(explorer: &'e mut Explorer<'a>, por: Por<'a>) -> Self {
        let initial: Vec<Counters> = explorer.states().collect();
        let mut search = Reduced {
            explorer,
            por,
            apart: Interner::default(),
            states: StateTable::default(),
            nodes: Vec::new(),
            queue: VecDeque::new(),
            arrived: Bits::new(),
            reached: Reached::default(),
            found: None,
        };
        initial.iter().for_each(|state| search.meet(state, None, 0, false));
        search
    }

    /// Explores up to the first goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        while let Some(id) = self.queue.pop_front() {
            if std::mem::replace(&mut self.nodes[id.index()].done, true) {
                continue;
            }
            meter.tick()?;
            ctx.progress.set_found(self.states.len() as u64);
            ctx.progress.set_waiting(self.queue.len() as u64);
            self.visit(id, goal, &mut meter)?;
            if self.found.is_some() && !exhaustive {
                break;
            }
        }
        Ok(())
    }

    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The goal that was met first.
    pub fn found(&self) -> Option<&GoalSite> {
        self.found.as_ref().map(|(site, _)| site)
    }

    /// The run to that goal as a run of all threads: those that were left out stay where they are.
    pub fn run_to_goal(&self) -> Vec<(Counters, u32)> {
        let last = self.found.as_ref().map(|&(_, state)| state);
        let mut ids: Vec<_> =
            std::iter::successors(last, |&id| self.nodes[id.index()].parent).collect();
        ids.reverse();
        let mut run = Vec::new();
        let mut left_out: Vec<LocalId> = Vec::new();
        for id in ids {
            let Node { parent, distance, split, .. } = self.nodes[id.index()];
            let mut state = self.plain(id);
            match parent {
                Some(parent) if split => {
                    let mut rest = self.plain(parent);
                    state.copies().for_each(|local| _ = rest.take(local));
                    left_out.extend(rest.copies());
                }
                _ => {
                    left_out.iter().for_each(|&local| state.add(local, 1));
                    run.push((state, distance));
                }
            }
        }
        run
    }

    /// A state as it is without a reduction.
    fn plain(&self, id: StateId) -> Counters {
        let mut state = self.states.get(id);
        if let Some(apart) = state.holder.take() {
            let (local, why) = *self.apart.get(apart);
            state.place(local, why == Alone::Flag);
        }
        state
    }

    fn visit(&mut self, id: StateId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let mut state = self.states.get(id);
        for &(local, _) in &state.counts {
            self.arrive(local, id, goal);
        }
        if let Some(apart) = state.holder.take() {
            let (mover, why) = *self.apart.get(apart);
            self.arrive(mover, id, goal);
            return self.steps_of(id, mover, Some(why), &state, goal, meter);
        }
        let mut threads: Vec<_> = state.copies().map(|it| (self.place(it), it)).collect();
        threads.sort_unstable();
        let places: Vec<_> = threads.iter().map(|&(place, _)| place).collect();
        let movers: Vec<(LocalId, Option<Alone>)> = match &*self.por.choose(&places) {
            Plan::All => state.counts.iter().map(|&(mover, _)| (mover, None)).collect(),
            Plan::One(thread) => vec![(threads[*thread].1, None)],
            Plan::Groups(groups) => {
                for group in groups {
                    let mut part = Counters { counts: Vec::new(), ..state };
                    group.iter().for_each(|&thread| part.add(threads[thread].1, 1));
                    self.meet(&part, Some(id), 0, true);
                }
                return Ok(());
            }
            Plan::Vectors(regions) => {
                let runs = threads.iter().zip(regions);
                runs.map(|(&(_, mover), &region)| (mover, Some(Alone::Vector(region)))).collect()
            }
        };
        for (at, &(mover, why)) in movers.iter().enumerate() {
            // Equal threads with equal regions do the same.
            if !movers[..at].contains(&(mover, why)) {
                let mut others = state.clone();
                others.take(mover);
                self.steps_of(id, mover, why, &others, goal, meter)?;
            }
        }
        Ok(())
    }

    fn place(&self, local: LocalId) -> LocRef {
        self.explorer.threads.contexts.place(&self.explorer.local(local))
    }

    fn arrive(&mut self, local: LocalId, state: StateId, goal: &Goal) {
        if !self.arrived.insert(local.index()) {
            return;
        }
        let at = self.place(local);
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.explorer.threads.program, goal, at)
        {
            self.found.get_or_insert((site, state));
        }
    }

    /// The steps of one thread in state `mover`, beside the others, none of which moves alone.
    fn steps_of(
        &mut self,
        id: StateId,
        mover: LocalId,
        why: Option<Alone>,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let known = self.explorer.moves_of(others.shared, mover, meter)?;
        for &edge in &known.failures {
            if self.reached.failed.insert(edge) && *goal == Goal::Assert {
                self.found.get_or_insert((GoalSite::Assert(edge), id));
            }
        }
        let is_full = others.n_threads() + 1 >= u64::from(self.explorer.bound);
        for &KnownMove { weight, shared, ref effect, edge } in &known.moves {
            meter.tick()?;
            let mut next = Counters { shared, ..others.clone() };
            let why = match *effect {
                KnownEffect::Flag(_, holds) => holds.then_some(Alone::Flag),
                _ => why.filter(|&why| self.stays_alone(why, edge)),
            };
            match *effect {
                KnownEffect::End => self.meet(&next, Some(id), weight, false),
                KnownEffect::Go(to) | KnownEffect::Flag(to, _) => {
                    self.place_mover(&mut next, to, why);
                    self.meet(&next, Some(id), weight, false);
                }
                KnownEffect::Start(to, ref started) => {
                    self.place_mover(&mut next, to, why);
                    if is_full {
                        self.meet(&next, Some(id), weight, false);
                        continue;
                    }
                    for &new in started {
                        next.add(new, 1);
                        self.meet(&next, Some(id), weight, false);
                        next.take(new);
                    }
                }
                KnownEffect::Broadcast(to, broadcast) => {
                    for mut next in self.explorer.after_broadcast(&next, broadcast, meter)? {
                        self.place_mover(&mut next, to, why);
                        self.meet(&next, Some(id), weight, false);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a thread that moved alone goes on so after a step along `edge`.
    fn stays_alone(&self, why: Alone, edge: Option<EdgeRef>) -> bool {
        match (why, edge) {
            (Alone::Flag, _) => true,
            (Alone::Vector(region), Some(edge)) => self.por.runs_on(region, edge),
            (Alone::Vector(_), None) => false,
        }
    }

    fn place_mover(&mut self, state: &mut Counters, local: LocalId, why: Option<Alone>) {
        match why {
            Some(why) => state.holder = Some(self.apart.id((local, why))),
            None => state.add(local, 1),
        }
    }

    /// A way to a state: work if it is the first or a shorter one.
    fn meet(&mut self, state: &Counters, parent: Option<StateId>, weight: u32, split: bool) {
        let before = parent.map_or(0, |parent| self.nodes[parent.index()].distance);
        let distance = before.saturating_add(weight);
        let (id, is_new) = self.states.insert(state);
        if is_new {
            self.nodes.push(Node { parent, distance, done: false, split });
        } else {
            let node = &mut self.nodes[id.index()];
            if distance >= node.distance {
                return;
            }
            (node.parent, node.distance, node.split) = (parent, distance, split);
        }
        if weight == 0 {
            self.queue.push_front(id);
        } else {
            self.queue.push_back(id);
        }
    }
}
