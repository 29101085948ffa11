//! Search by leaps: which goals can be reached, without saying how.
//!
//! **Computes** the same reachable goals as [`explore`] with far fewer states. A step that concerns
//! nobody else, because it touches neither shared variables nor the flag nor the number of threads,
//! need not be interleaved with anything: it can as well be taken right before the thread's next step
//! that does. So a thread is known by the set of its *points*, the states it can get to by such steps
//! and from which it can do something that concerns others; where it stands before them does not
//! matter. A leap is one such something, and takes the thread to its next points. An atomic section is
//! one leap. A thread without points never does anything again and is forgotten; so is, once nobody
//! can start a thread any more, one that can only end.
//!
//! This is the idea of ample sets (BOOM section 6.2) turned round: local steps are postponed instead
//! of preferred, which needs no cycle condition, asks nothing about enabledness, and does not choose
//! before it must.
//!
//! **Invariant.** Every state stands for reachable ones, and a thread's points are reachable without
//! anybody else moving. `reached` holds only what is reachable.
//!
//! **Limits.** Distances and parents are not kept: a trace is the business of [`stretches`]. A
//! broadcast concerns all steps of others: there are no [`Places`] for such programs.
//!
//! [`explore`]: crate::counted::explore
//! [`stretches`]: crate::counted::stretches

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_cfg::{Action, Goal};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::counted::counters::{Counters, LocalId, SharedId, StateId, StateTable};
use crate::counted::explore::{Explorer, KnownEffect};
use crate::counted::intern::Interner;
use crate::counted::places::{Places, is_end, place};
use crate::counted::por::facts::Facts;

/// A search. Counters count sets of points here; a holder of the flag is a thread state as it is.
#[derive(Debug)]
pub struct Leaps<'e, 'a> {
    /// Knows the moves of threads.
    explorer: &'e mut Explorer<'a>,
    places: Places,
    facts: Facts<'a>,
    /// Sorted.
    points: Interner<LocalId, Vec<LocalId>>,
    /// For each set of points, whether starts can follow, and what remains when none can: the set
    /// without the ends of the thread, or nothing.
    prospects: Vec<(bool, Option<LocalId>)>,
    /// The points of each thread state.
    rests: FxHashMap<LocalId, LocalId>,
    /// By shared values, thread, and whether it holds the flag: then the thread is a state as it is.
    leaps: FxHashMap<(SharedId, LocalId, bool), Rc<[Leap]>>,
    states: StateTable,
    /// Thread states whose location is among the reached ones.
    arrived: Bits,
    pub reached: Reached,
    pub found: Option<GoalSite>,
}

/// What a thread can do at once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Leap {
    shared: SharedId,
    mover: Mover,
    /// If this is a start, the thread states of which one comes into being if there is room. Whether
    /// anybody arrives anywhere depends on that.
    started: Option<Vec<LocalId>>,
}

/// What becomes of the thread that leaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mover {
    /// It has these points.
    Rests(LocalId),
    /// It holds the flag, in this state.
    Holds(LocalId),
    /// It has started a thread and is in this state, its points not computed yet.
    Starts(LocalId),
    Ended,
}

impl<'e, 'a> Leaps<'e, 'a> {
    /// From the states of the explorer, which are the initial ones.
    pub fn new(
        explorer: &'e mut Explorer<'a>,
        places: Places,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Exhausted> {
        let initial: Vec<Counters> = explorer.states().collect();
        let mut leaps = Leaps {
            facts: Facts::of(explorer.threads.program, goal, true),
            explorer,
            places,
            points: Interner::default(),
            prospects: Vec::new(),
            rests: FxHashMap::default(),
            leaps: FxHashMap::default(),
            states: StateTable::default(),
            arrived: Bits::new(),
            reached: Reached::default(),
            found: None,
        };
        for state in initial {
            let mut rests = Counters { counts: Vec::new(), ..state };
            for local in state.copies() {
                let points = leaps.rest(state.shared, local, goal, meter)?;
                rests.add(points, 1);
            }
            leaps.meet(&mut rests);
        }
        Ok(leaps)
    }

    /// Explores up to the first goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        let mut next = 0;
        while next < self.states.len() && (exhaustive || self.found.is_none()) {
            meter.tick()?;
            ctx.progress.set_found(self.states.len() as u64);
            ctx.progress.set_waiting((self.states.len() - next) as u64);
            self.visit(StateId::new(next), goal, &mut meter)?;
            next += 1;
        }
        Ok(())
    }

    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// Sets of points that threads have had.
    pub fn n_threads(&self) -> usize {
        self.points.len()
    }

    fn visit(&mut self, id: StateId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let mut state = self.states.get(id);
        if let Some(holder) = state.holder.take() {
            let leaps = self.leaps_of(state.shared, holder, true, goal, meter)?;
            return self.follow(&leaps, &state, goal, meter);
        }
        for at in 0..state.counts.len() {
            let (mover, _) = state.counts[at];
            let leaps = self.leaps_of(state.shared, mover, false, goal, meter)?;
            if !leaps.is_empty() {
                let mut others = state.clone();
                others.take(mover);
                self.follow(&leaps, &others, goal, meter)?;
            }
        }
        Ok(())
    }

    /// The leaps of one thread beside the others.
    fn follow(
        &mut self,
        leaps: &[Leap],
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let is_full = others.n_threads() + 1 >= u64::from(self.explorer.bound);
        let mut next = others.clone();
        for leap in leaps {
            meter.tick()?;
            (next.shared, next.holder) = (leap.shared, None);
            next.counts.clone_from(&others.counts);
            let started = match &leap.started {
                Some(started) if !is_full => &started[..],
                _ => &[],
            };
            if leap.started.is_some() && !is_full && started.is_empty() {
                continue;
            }
            match leap.mover {
                Mover::Rests(points) => next.add(points, 1),
                Mover::Holds(local) => {
                    self.arrive(local, goal);
                    next.holder = Some(local);
                }
                Mover::Starts(local) => next.add(self.rest(leap.shared, local, goal, meter)?, 1),
                Mover::Ended => {}
            }
            for &new in started {
                // While the flag is held nobody else moves, not even by steps of his own.
                let new = match leap.mover {
                    Mover::Holds(_) => self.as_it_is(new, goal),
                    _ => self.rest(leap.shared, new, goal, meter)?,
                };
                let mut next = next.clone();
                next.add(new, 1);
                self.meet(&mut next);
            }
            if started.is_empty() {
                self.meet(&mut next);
            }
        }
        Ok(())
    }

    /// Adds a state, without the threads that concern nobody any more.
    fn meet(&mut self, state: &mut Counters) {
        let is_settled = |&(points, _): &(LocalId, u32)| {
            let (may_start, rest) = self.prospects[points.index()];
            !may_start && rest == Some(points)
        };
        if !state.counts.iter().all(is_settled) {
            self.settle(state);
        }
        self.states.insert(state);
    }

    fn settle(&self, state: &mut Counters) {
        let may_start = |&(points, _): &(LocalId, u32)| self.prospects[points.index()].0;
        // The holder of the flag is not looked at: it can be anywhere.
        if state.holder.is_some() && self.places.has_starts || state.counts.iter().any(may_start) {
            return;
        }
        for (points, n) in std::mem::take(&mut state.counts) {
            if let (_, Some(rest)) = self.prospects[points.index()] {
                state.add(rest, n);
            }
        }
    }

    /// The number of a set of points.
    fn point_set(&mut self, points: Vec<LocalId>) -> LocalId {
        let id = self.points.id(points);
        if id.index() == self.prospects.len() {
            // A place until the rest is known, which may be the set itself.
            self.prospects.push((true, None));
            let points = self.points.get(id);
            let may_start = points.iter().any(|&it| self.facts.may_start(place(self.explorer, it)));
            let rest: Vec<_> =
                points.iter().copied().filter(|&it| !is_end(self.explorer, it)).collect();
            let rest = (!rest.is_empty()).then(|| self.point_set(rest));
            self.prospects[id.index()] = (may_start, rest);
        }
        id
    }

    /// The leaps of a thread: known by its points, or the holder of the flag.
    fn leaps_of(
        &mut self,
        shared: SharedId,
        thread: LocalId,
        holds: bool,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[Leap]>, Exhausted> {
        let key = (shared, thread, holds);
        if let Some(known) = self.leaps.get(&key) {
            return Ok(known.clone());
        }
        let mut leaps = Vec::new();
        if holds {
            self.leap(shared, thread, true, &mut leaps, goal, meter)?;
        } else {
            let from = self.points.get(thread);
            for &point in from.iter() {
                self.leap(shared, point, false, &mut leaps, goal, meter)?;
            }
            // Having lost points without having changed anything is no progress.
            leaps.retain(|leap| match leap.mover {
                Mover::Rests(to) if leap.shared == shared && leap.started.is_none() => {
                    let to = self.points.get(to);
                    !to.iter().all(|point| from.binary_search(point).is_ok())
                }
                _ => true,
            });
        }
        leaps.sort_unstable();
        leaps.dedup();
        let leaps: Rc<[Leap]> = leaps.into();
        self.leaps.insert(key, leaps.clone());
        Ok(leaps)
    }

    /// The moves of a thread state, sections followed to their ends.
    fn leap(
        &mut self,
        shared: SharedId,
        local: LocalId,
        holds: bool,
        leaps: &mut Vec<Leap>,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let mut todo = vec![(shared, local, holds)];
        let mut seen: FxHashSet<(SharedId, LocalId)> = FxHashSet::default();
        while let Some((shared, local, holds)) = todo.pop() {
            for (shared, effect) in self.moves(shared, local, goal, meter)? {
                meter.tick()?;
                // A holder that goes on still holds the flag.
                let effect = match effect {
                    KnownEffect::Go(to) if holds => KnownEffect::Flag(to, true),
                    other => other,
                };
                let mut section = |shared, to| {
                    if seen.insert((shared, to)) {
                        todo.push((shared, to, true));
                    }
                };
                let (mover, started) = match effect {
                    KnownEffect::Flag(to, true) => {
                        self.arrive(to, goal);
                        if !self.may_start_at(to) {
                            section(shared, to);
                            continue;
                        }
                        (Mover::Holds(to), None)
                    }
                    KnownEffect::Go(to) | KnownEffect::Flag(to, false) => {
                        (Mover::Rests(self.rest(shared, to, goal, meter)?), None)
                    }
                    KnownEffect::End => (Mover::Ended, None),
                    KnownEffect::Start(to, new) if holds => (Mover::Holds(to), Some(new)),
                    KnownEffect::Start(to, new) => (Mover::Starts(to), Some(new)),
                    KnownEffect::Broadcast(..) => unreachable!("there are no places for it"),
                };
                leaps.push(Leap { shared, mover, started });
            }
        }
        Ok(())
    }

    /// The moves that are no failures; those are noted.
    fn moves(
        &mut self,
        shared: SharedId,
        local: LocalId,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<(SharedId, KnownEffect)>, Exhausted> {
        let known = self.explorer.moves_of(shared, local, meter)?;
        for &edge in &known.failures {
            if self.reached.failed.insert(edge) && *goal == Goal::Assert {
                self.found.get_or_insert(GoalSite::Assert(edge));
            }
        }
        Ok(known.moves.iter().map(|it| (it.shared, it.effect.clone())).collect())
    }

    /// The points of a thread that has come to a state.
    fn rest(
        &mut self,
        shared: SharedId,
        local: LocalId,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<LocalId, Exhausted> {
        if let Some(&known) = self.rests.get(&local) {
            return Ok(known);
        }
        let mut points = Vec::new();
        let (mut seen, mut todo) = (FxHashSet::default(), vec![local]);
        while let Some(at) = todo.pop() {
            meter.tick()?;
            if !seen.insert(at) {
                continue;
            }
            self.arrive(at, goal);
            if !self.places.is_local(self.explorer, at) {
                points.push(at);
                continue;
            }
            // Local steps are the same whatever the shared values are.
            for (_, effect) in self.moves(shared, at, goal, meter)? {
                if let KnownEffect::Go(to) = effect {
                    todo.push(to);
                }
            }
        }
        points.sort_unstable();
        let id = self.point_set(points);
        self.rests.insert(local, id);
        Ok(id)
    }

    /// A thread that has not moved yet.
    fn as_it_is(&mut self, local: LocalId, goal: &Goal) -> LocalId {
        self.arrive(local, goal);
        self.point_set(vec![local])
    }

    fn arrive(&mut self, local: LocalId, goal: &Goal) {
        if !self.arrived.insert(local.index()) {
            return;
        }
        let at = place(self.explorer, local);
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.explorer.threads.program, goal, at)
        {
            self.found.get_or_insert(site);
        }
    }

    /// Whether the step there depends on how many threads there are.
    fn may_start_at(&self, local: LocalId) -> bool {
        let at = place(self.explorer, local);
        let mut edges = self.explorer.threads.program.procs[at.proc].out_edges(at.loc);
        edges.any(|(_, edge)| matches!(edge.action, Action::StartThread(_)))
    }
}
