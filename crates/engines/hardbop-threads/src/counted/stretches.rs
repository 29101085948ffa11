//! Search over counters by stretches: a thread runs alone as far as nobody needs to interfere.
//!
//! **Computes** every reachable goal, and a run to one, in either of two ways.
//!
//! *By the plans of a partial-order reduction* ([`por`]; BOOM chapter 6 on the enumerative form of
//! algorithm 7.1). Traces need not be the shortest.
//!
//! *By leaps* ([`leap`] says why this is right). A stretch is then some steps that concern nobody else
//! and one that does. Every run can be reordered to consist of such stretches, without steps that are
//! of no use, so the first goal is a nearest one.
//!
//! **Invariant.** States inside a stretch are not kept; a run to a goal fills them in again.
//!
//! [`por`]: crate::counted::por
//! [`leap`]: crate::counted::leap

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::FxHashMap;

use crate::counted::counters::{Counters, LocalId, StateId};
use crate::counted::explore::{Explorer, KnownEffect, KnownMove};
use crate::counted::frontier::{Frontier, Node};
use crate::counted::places::{Places, place};
use crate::counted::por::{Plan, Por};
use crate::counted::stretch::{Runs, Start, Stretch};

/// A search.
#[derive(Debug)]
pub struct Stretches<'e, 'a> {
    /// Knows the moves of threads.
    explorer: &'e mut Explorer<'a>,
    by: By<'a>,
    stretches: FxHashMap<Start, Rc<Stretch>>,
    frontier: Frontier<Step>,
    /// Thread states whose location is among the reached ones.
    arrived: Bits,
    /// Of those, the ones that are a goal.
    goals: Bits,
    pub reached: Reached,
    found: Option<Found>,
    /// Of the move at hand, kept for its memory.
    next: Vec<Counters>,
}

/// Which stretches are explored.
#[derive(Debug)]
pub enum By<'a> {
    Plans(Box<Por<'a>>),
    Leaps(Places),
}

/// The nearest goal so far.
#[derive(Debug)]
struct Found {
    site: GoalSite,
    state: StateId,
    /// On the way of a thread from there.
    on: Option<Way>,
    /// Statements executed, a failing one included.
    distance: u32,
}

/// A part of a stretch.
#[derive(Clone, Copy, Debug)]
struct Way {
    start: Start,
    /// The position up to which.
    to: usize,
}

/// How a state was reached from its parent.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// It is an initial state.
    Initial,
    /// By going this way and then one move.
    After(Way),
    /// By leaving threads out for good: nobody moved.
    Split,
}

impl<'e, 'a> Stretches<'e, 'a> {
    /// From the states of the explorer, which are the initial ones.
    pub fn new(explorer: &'e mut Explorer<'a>, by: By<'a>) -> Self {
        let mut frontier = Frontier::default();
        explorer.states().for_each(|state| frontier.meet(&state, None, 0, Step::Initial));
        Stretches {
            explorer,
            by,
            stretches: FxHashMap::default(),
            frontier,
            arrived: Bits::new(),
            goals: Bits::new(),
            reached: Reached::default(),
            found: None,
            next: Vec::new(),
        }
    }

    /// Explores up to the nearest goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        while let Some(id) = self.frontier.nearest() {
            let distance = self.frontier.node(id).distance;
            if !exhaustive && self.found.as_ref().is_some_and(|found| found.distance <= distance) {
                break;
            }
            meter.tick()?;
            ctx.progress.set_found(self.frontier.len() as u64);
            ctx.progress.set_waiting(self.frontier.n_waiting() as u64);
            self.visit(id, goal, &mut meter)?;
        }
        Ok(())
    }

    pub fn n_states(&self) -> usize {
        self.frontier.len()
    }

    /// What it was made of.
    pub fn explorer(self) -> &'e mut Explorer<'a> {
        self.explorer
    }

    /// The goal that was found, and the statements of the run to it.
    pub fn found(&self) -> Option<(&GoalSite, u32)> {
        self.found.as_ref().map(|found| (&found.site, found.distance))
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
        let others = without(&self.frontier.state(from), way.start);
        let distance = self.frontier.node(from).distance;
        for inner in self.stretches[&way.start].run_to(way.to) {
            let mut state = Counters { shared: inner.shared, ..others.clone() };
            state.place(inner.local, inner.holds);
            run.push((with(state, left_out), distance + inner.distance));
        }
    }

    fn visit(&mut self, id: StateId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let state = self.frontier.state(id);
        for &(local, _) in &state.counts {
            self.arrive(local, goal, id, None);
        }
        let shared = state.shared;
        let start = |local, runs| Start { shared, local, holds: false, runs };
        let each = |runs| state.counts.iter().map(move |&(local, _)| start(local, runs)).collect();
        let starts: Vec<Start> = match (state.holder, &mut self.by) {
            (Some(local), _) => vec![Start { holds: true, ..start(local, Runs::OneStep) }],
            (None, By::Leaps(_)) => each(Runs::Leap),
            (None, By::Plans(por)) => {
                let place = |local| place(self.explorer, local);
                let mut threads: Vec<_> = state.copies().map(|it| (place(it), it)).collect();
                threads.sort_unstable();
                let places: Vec<_> = threads.iter().map(|&(place, _)| place).collect();
                match &*por.choose(&places) {
                    Plan::All => each(Runs::OneStep),
                    Plan::One(thread) => vec![start(threads[*thread].1, Runs::OneStep)],
                    Plan::Groups(groups) => {
                        for group in groups {
                            let mut part = Counters { counts: Vec::new(), ..state };
                            group.iter().for_each(|&thread| part.add(threads[thread].1, 1));
                            self.frontier.meet(&part, Some(id), 0, Step::Split);
                        }
                        Vec::new()
                    }
                    Plan::Vectors(regions) => {
                        let runs = regions.iter().map(|&region| Runs::Within(region));
                        threads.iter().zip(runs).map(|(&(_, it), runs)| start(it, runs)).collect()
                    }
                }
            }
        };
        for (at, &start) in starts.iter().enumerate() {
            // Equal threads that run equally far do the same.
            if !starts[..at].contains(&start) {
                self.follow(id, start, &without(&state, start), goal, meter)?;
            }
        }
        Ok(())
    }

    /// The stretch of one thread beside the others.
    fn follow(
        &mut self,
        id: StateId,
        start: Start,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let stretch = self.stretch(start, meter)?;
        for (at, inner) in stretch.inner.iter().enumerate() {
            self.arrive(inner.local, goal, id, Some((Way { start, to: at }, inner.distance)));
        }
        for &(at, edge) in &stretch.failures {
            self.fail(edge, goal, id, Way { start, to: at }, stretch.inner[at].distance);
        }
        for (at, it) in &stretch.last {
            let inner = &stretch.inner[*at];
            if it.effect == KnownEffect::End && self.forgets_ends() {
                continue;
            }
            let mut next = std::mem::take(&mut self.next);
            self.explorer.after(it, inner.holds, others, &mut next, meter)?;
            let weight = inner.distance.saturating_add(it.weight);
            for state in next.drain(..) {
                let step = Step::After(Way { start, to: *at });
                self.frontier.meet(&state, Some(id), weight, step);
            }
            self.next = next;
        }
        Ok(())
    }

    /// Whether the end of a thread that leaps makes no difference to anybody.
    fn forgets_ends(&self) -> bool {
        matches!(&self.by, By::Leaps(places) if !places.has_starts)
    }

    fn stretch(&mut self, start: Start, meter: &mut Meter<'_>) -> Result<Rc<Stretch>, Exhausted> {
        if let Some(known) = self.stretches.get(&start) {
            return Ok(known.clone());
        }
        let by = &self.by;
        let goes_on = |explorer: &Explorer<'_>, local, it: &KnownMove| match (start.runs, by) {
            (Runs::Within(region), By::Plans(por)) => {
                it.edge.is_some_and(|edge| por.runs_on(region, edge))
            }
            (Runs::Leap, By::Leaps(places)) => places.is_local(explorer, local),
            _ => false,
        };
        let stretch = Rc::new(Stretch::of(self.explorer, start, goes_on, meter)?);
        self.stretches.insert(start, stretch.clone());
        Ok(stretch)
    }

    /// A thread of the state, or one on its way from there after so many statements.
    fn arrive(&mut self, local: LocalId, goal: &Goal, state: StateId, on: Option<(Way, u32)>) {
        let is_new = self.arrived.insert(local.index());
        if !is_new && !self.goals.contains(local.index()) {
            return;
        }
        let at = place(self.explorer, local);
        self.reached.locs.insert(at);
        if let Some(site) = label_site(self.explorer.threads.program, goal, at) {
            self.goals.insert(local.index());
            self.find(site, state, on.map(|(way, _)| way), on.map_or(0, |(_, distance)| distance));
        }
    }

    fn fail(&mut self, edge: EdgeRef, goal: &Goal, state: StateId, way: Way, distance: u32) {
        self.reached.failed.insert(edge);
        if *goal == Goal::Assert {
            self.find(GoalSite::Assert(edge), state, Some(way), distance.saturating_add(1));
        }
    }

    fn find(&mut self, site: GoalSite, state: StateId, on: Option<Way>, further: u32) {
        let distance = self.frontier.node(state).distance.saturating_add(further);
        if self.found.as_ref().is_none_or(|found| distance < found.distance) {
            self.found = Some(Found { site, state, on, distance });
        }
    }
}

fn without(state: &Counters, thread: Start) -> Counters {
    let mut others = state.clone();
    if thread.holds {
        others.holder = None;
    } else {
        others.take(thread.local);
    }
    others
}

fn with(mut state: Counters, threads: &[LocalId]) -> Counters {
    threads.iter().for_each(|&local| state.add(local, 1));
    state
}
