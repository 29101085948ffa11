//! Breadth-first search over counters that leaves interleavings out.
//!
//! **Computes** the states that the plans of a partial-order reduction ([`por`]) ask for, and with
//! them every reachable goal (BOOM chapter 6 on the enumerative form of algorithm 7.1). Distances are
//! those of the runs that are left, so traces need not be the shortest.
//!
//! States in which a thread is on its way through its component of a Cartesian vector ([`vector`])
//! are not kept: nobody else moves there. A run to a goal fills them in again.
//!
//! [`por`]: crate::por
//! [`vector`]: crate::vector

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::{EdgeRef, Goal, LocRef};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_interp::goals::{Reached, label_site};

use rustc_hash::FxHashMap;

use crate::counters::{Counters, LocalId, SharedId, StateId};
use crate::explore::{Explorer, KnownMove};
use crate::frontier::{Frontier, Node};
use crate::por::{Plan, Por, RegionId};
use crate::vector::Component;

/// A search.
#[derive(Debug)]
pub struct Reduced<'e, 'a> {
    /// Knows the moves of threads.
    explorer: &'e mut Explorer<'a>,
    por: Por<'a>,
    components: FxHashMap<(SharedId, LocalId, RegionId), Rc<Component>>,
    frontier: Frontier<Step>,
    /// Thread states whose location is among the reached ones.
    arrived: Bits,
    pub reached: Reached,
    found: Option<Found>,
    /// Of the move at hand, kept for its memory.
    next: Vec<Counters>,
}

/// The first goal that was met.
#[derive(Debug)]
struct Found {
    site: GoalSite,
    state: StateId,
    /// On the way of a thread from there.
    on: Option<Way>,
}

/// Whether the thread that moves holds the atomic flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flag {
    Free,
    Held,
}

/// A part of a thread's component.
#[derive(Clone, Copy, Debug)]
struct Way {
    mover: LocalId,
    region: RegionId,
    /// The position up to which.
    to: usize,
}

/// How a state was reached from its parent.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// By one move.
    Move,
    /// By going this way and then one move.
    After(Way),
    /// By leaving threads out for good: nobody moved.
    Split,
}

impl<'e, 'a> Reduced<'e, 'a> {
    /// From the states of the explorer, which are the initial ones.
    pub fn new(explorer: &'e mut Explorer<'a>, por: Por<'a>) -> Self {
        let initial: Vec<Counters> = explorer.states().collect();
        let mut search = Reduced {
            explorer,
            por,
            components: FxHashMap::default(),
            frontier: Frontier::default(),
            arrived: Bits::new(),
            reached: Reached::default(),
            found: None,
            next: Vec::new(),
        };
        initial.iter().for_each(|state| search.frontier.meet(state, None, 0, Step::Move));
        search
    }

    /// Explores up to the first goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        while let Some(id) = self.frontier.nearest() {
            meter.tick()?;
            ctx.progress.set_found(self.frontier.len() as u64);
            ctx.progress.set_waiting(self.frontier.n_waiting() as u64);
            self.visit(id, goal, &mut meter)?;
            if self.found.is_some() && !exhaustive {
                break;
            }
        }
        Ok(())
    }

    pub fn n_states(&self) -> usize {
        self.frontier.len()
    }

    /// The goal that was met first.
    pub fn found(&self) -> Option<&GoalSite> {
        self.found.as_ref().map(|found| &found.site)
    }

    /// The run to that goal as a run of all threads: those that were left out stay where they are.
    pub fn run_to_goal(&self) -> Vec<(Counters, u32)> {
        let Some(found) = &self.found else { return Vec::new() };
        let mut run = Vec::new();
        let mut left_out: Vec<LocalId> = Vec::new();
        for id in self.frontier.run_to(found.state) {
            let Node { parent, distance, step, .. } = self.frontier.node(id);
            let state = self.frontier.state(id);
            match (parent, step) {
                (Some(parent), Step::Split) => {
                    let mut rest = self.frontier.state(parent);
                    state.copies().for_each(|local| _ = rest.take(local));
                    left_out.extend(rest.copies());
                    continue;
                }
                (Some(parent), Step::After(way)) => self.go(parent, way, &left_out, &mut run),
                _ => {}
            }
            run.push((with(state, &left_out), distance));
        }
        if let Some(way) = found.on {
            self.go(found.state, way, &left_out, &mut run);
        }
        run
    }

    /// Adds the states on a way.
    fn go(&self, from: StateId, way: Way, left_out: &[LocalId], run: &mut Vec<(Counters, u32)>) {
        let mut others = self.frontier.state(from);
        others.take(way.mover);
        let start = self.frontier.node(from).distance;
        let key = (others.shared, way.mover, way.region);
        for inner in self.components[&key].run_to(way.to) {
            let mut state = Counters { shared: inner.shared, ..others.clone() };
            state.add(inner.local, 1);
            run.push((with(state, left_out), start + inner.distance));
        }
    }

    fn visit(&mut self, id: StateId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let mut state = self.frontier.state(id);
        for &(local, _) in &state.counts {
            self.arrive(local, goal, id, None);
        }
        if let Some(holder) = state.holder.take() {
            self.arrive(holder, goal, id, None);
            return self.steps_of(id, holder, Flag::Held, &state, goal, meter);
        }
        let mut threads: Vec<_> = state.copies().map(|it| (self.place(it), it)).collect();
        threads.sort_unstable();
        let places: Vec<_> = threads.iter().map(|&(place, _)| place).collect();
        match &*self.por.choose(&places) {
            Plan::All => {
                for &(mover, _) in &state.counts {
                    self.steps_of(id, mover, Flag::Free, &without(&state, mover), goal, meter)?;
                }
            }
            Plan::One(thread) => {
                let mover = threads[*thread].1;
                self.steps_of(id, mover, Flag::Free, &without(&state, mover), goal, meter)?;
            }
            Plan::Groups(groups) => {
                for group in groups {
                    let mut part = Counters { counts: Vec::new(), ..state };
                    group.iter().for_each(|&thread| part.add(threads[thread].1, 1));
                    self.frontier.meet(&part, Some(id), 0, Step::Split);
                }
            }
            Plan::Vectors(regions) => {
                let mut movers: Vec<(LocalId, RegionId)> = Vec::new();
                for (&(_, mover), &region) in threads.iter().zip(regions) {
                    // Equal threads with equal regions do the same.
                    if !movers.contains(&(mover, region)) {
                        movers.push((mover, region));
                        self.run_alone(id, mover, region, &without(&state, mover), goal, meter)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn place(&self, local: LocalId) -> LocRef {
        self.explorer.threads.contexts.place(&self.explorer.local(local))
    }

    /// A thread of the state, or one on its way from there.
    fn arrive(&mut self, local: LocalId, goal: &Goal, state: StateId, on: Option<Way>) {
        if !self.arrived.insert(local.index()) {
            return;
        }
        let at = self.place(local);
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.explorer.threads.program, goal, at)
        {
            self.found.get_or_insert(Found { site, state, on });
        }
    }

    fn fail(&mut self, edge: EdgeRef, goal: &Goal, state: StateId, on: Option<Way>) {
        if self.reached.failed.insert(edge) && *goal == Goal::Assert {
            self.found.get_or_insert(Found { site: GoalSite::Assert(edge), state, on });
        }
    }

    /// The steps of one thread in state `mover`, beside the others.
    fn steps_of(
        &mut self,
        id: StateId,
        mover: LocalId,
        flag: Flag,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let known = self.explorer.moves_of(others.shared, mover, meter)?;
        for &edge in &known.failures {
            self.fail(edge, goal, id, None);
        }
        for it in &known.moves {
            self.take(id, it, flag, others, (it.weight, Step::Move), meter)?;
        }
        Ok(())
    }

    /// The runs of one thread in its region, beside the others, each with the move that leaves it.
    fn run_alone(
        &mut self,
        id: StateId,
        mover: LocalId,
        region: RegionId,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let key = (others.shared, mover, region);
        let component = match self.components.get(&key) {
            Some(known) => known.clone(),
            None => {
                let component = Component::of(self.explorer, &self.por, key, meter)?;
                let component = Rc::new(component);
                self.components.insert(key, component.clone());
                component
            }
        };
        let way = |to| Way { mover, region, to };
        for (at, inner) in component.inner.iter().enumerate() {
            self.arrive(inner.local, goal, id, Some(way(at)));
        }
        for &(at, edge) in &component.failures {
            self.fail(edge, goal, id, Some(way(at)));
        }
        for (at, it) in &component.last {
            let weight = component.inner[*at].distance.saturating_add(it.weight);
            self.take(id, it, Flag::Free, others, (weight, Step::After(way(*at))), meter)?;
        }
        Ok(())
    }

    /// The states that a move leads to.
    fn take(
        &mut self,
        id: StateId,
        it: &KnownMove,
        flag: Flag,
        others: &Counters,
        (weight, step): (u32, Step),
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let mut next = std::mem::take(&mut self.next);
        self.explorer.after(it, flag == Flag::Held, others, &mut next, meter)?;
        for state in next.drain(..) {
            self.frontier.meet(&state, Some(id), weight, step);
        }
        self.next = next;
        Ok(())
    }
}

fn without(state: &Counters, thread: LocalId) -> Counters {
    let mut others = state.clone();
    others.take(thread);
    others
}

fn with(mut state: Counters, threads: &[LocalId]) -> Counters {
    threads.iter().for_each(|&local| state.add(local, 1));
    state
}
