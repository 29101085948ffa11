//! Breadth-first search over counters.
//!
//! **Computes** the reachable states up to the order of threads and up to values that cannot matter
//! any more, nearest first: a statement counts one step, a return none.
//! BOOM section 7.5.2 is the enumerative form of its algorithm 7.1.
//!
//! **Invariant.** States hold canonical threads only. The distance of a state is final once it is
//! done, and its parent is one step before it on a nearest run.
//!
//! **Departures.** Moves are computed once for each pair of shared and thread state, whatever the
//! other threads are: then a step is an addition and a subtraction of counts. The exact bound on
//! threads, atomic sections and broadcasts are part of the step.

use std::rc::Rc;

use hardbop_base::budget::Meter;
use hardbop_base::{Bits, Exhausted, Idx, define_id};
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};
use hardbop_interp::semantics::product::allow;
use rustc_hash::FxHashMap;

use crate::counted::counters::{Counters, LocalId, SharedId, StateId, multisets};
use crate::counted::frontier::Frontier;
use crate::counted::inline::Local;
use crate::counted::intern::Interner;
use crate::counted::moves::{Broadcast, Effect, ThreadProgram};

define_id!(
    /// A broadcast that was met.
    BroadcastId, "b"
);

/// A search: what was found, and how each state was reached.
#[derive(Debug)]
pub struct Explorer<'a> {
    pub threads: ThreadProgram<'a>,
    pub bound: u32,
    pub at_bound: AtBound,
    /// More states are not explored.
    pub max_states: usize,
    shareds: Interner<SharedId, Bits>,
    locals: Interner<LocalId, Local>,
    broadcasts: Interner<BroadcastId, Broadcast>,
    moves: FxHashMap<(SharedId, LocalId), Rc<KnownMoves>>,
    reactions: FxHashMap<(BroadcastId, LocalId), Rc<[LocalId]>>,
    frontier: Frontier<()>,
    /// Thread states whose location is among the reached ones.
    arrived: Bits,
    pub reached: Reached,
    pub found: Option<Found>,
}

/// What `start_thread` does at the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtBound {
    /// Nothing: the meaning of a bound the user asked for.
    Skip,
    /// It is not followed: what remains are runs of the program without a bound.
    Cut,
}

/// The nearest place where the goal is reached.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    state: StateId,
    /// Statements executed, a failing one included.
    pub n_statements: u32,
}

/// What a thread can do, in numbers and without repetition.
#[derive(Debug, Default)]
pub struct KnownMoves {
    pub failures: Vec<EdgeRef>,
    pub moves: Vec<KnownMove>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    pub weight: u32,
    pub shared: SharedId,
    pub effect: KnownEffect,
    /// `None` for a return.
    pub edge: Option<EdgeRef>,
}

/// See [`Effect`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownEffect {
    Go(LocalId),
    Flag(LocalId, bool),
    End,
    Start(LocalId, Vec<LocalId>),
    Broadcast(LocalId, BroadcastId),
}

impl<'a> Explorer<'a> {
    pub fn new(threads: ThreadProgram<'a>, bound: u32) -> Self {
        Explorer {
            threads,
            bound,
            at_bound: AtBound::Skip,
            max_states: usize::MAX,
            shareds: Interner::default(),
            locals: Interner::default(),
            broadcasts: Interner::default(),
            moves: FxHashMap::default(),
            reactions: FxHashMap::default(),
            frontier: Frontier::default(),
            arrived: Bits::new(),
            reached: Reached::default(),
            found: None,
        }
    }

    /// Adds the initial states with so many threads.
    pub fn start(&mut self, n_threads: u32, ctx: &RunCtx) -> Result<(), Exhausted> {
        ctx.budget.check()?;
        let mut meter = ctx.budget.meter(256);
        for (shared, locals) in self.threads.initial(&mut meter)? {
            let shared = self.shared_id(&shared);
            let mut options: Vec<_> = locals.iter().map(|local| self.local_id(local)).collect();
            options.sort_unstable();
            options.dedup();
            multisets(&options, n_threads, &mut |counts| {
                meter.tick()?;
                let state = Counters { shared, holder: None, counts: counts.to_vec() };
                self.frontier.meet(&state, None, 0, ());
                allow(self.frontier.len())
            })?;
        }
        Ok(())
    }

    /// Explores up to the nearest goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        while let Some(id) = self.frontier.nearest() {
            meter.tick()?;
            if self.frontier.len() > self.max_states {
                return Err(Exhausted::States(self.max_states as u64));
            }
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

    /// All states found.
    pub fn states(&self) -> impl Iterator<Item = Counters> + '_ {
        self.frontier.states()
    }

    pub fn n_locals(&self) -> usize {
        self.locals.len()
    }

    pub fn n_shareds(&self) -> usize {
        self.shareds.len()
    }

    /// The states of a nearest run to `found`, each with its distance.
    pub fn run_to(&self, found: &Found) -> Vec<(Counters, u32)> {
        let run = self.frontier.run_to(found.state).into_iter();
        run.map(|id| (self.frontier.state(id), self.frontier.node(id).distance)).collect()
    }

    /// The number of these shared values, if the search has met them.
    pub fn known_shared(&self, shared: &Bits) -> Option<SharedId> {
        self.shareds.known(&self.threads.contexts.canonical_shared(shared))
    }

    /// The number of this thread's state, if the search has met it.
    pub fn known_local(&self, local: &Local) -> Option<LocalId> {
        self.locals.known(&self.threads.contexts.canonical(local))
    }

    pub fn local(&self, id: LocalId) -> Rc<Local> {
        self.locals.get(id)
    }

    pub fn shared(&self, id: SharedId) -> Rc<Bits> {
        self.shareds.get(id)
    }

    /// The number of these shared values.
    pub fn shared_id(&mut self, shared: &Bits) -> SharedId {
        self.shareds.id(self.threads.contexts.canonical_shared(shared))
    }

    /// The number of this thread's state.
    pub fn local_id(&mut self, local: &Local) -> LocalId {
        self.locals.id(self.threads.contexts.canonical(local))
    }

    fn visit(&mut self, id: StateId, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let state = self.frontier.state(id);
        for &(local, _) in &state.counts {
            self.arrive(local, id, goal);
        }
        if let Some(holder) = state.holder {
            self.arrive(holder, id, goal);
            // Only the holder of the flag runs while it is held.
            let others = Counters { holder: None, ..state };
            return self.steps_of(id, holder, true, &others, goal, meter);
        }
        for &(mover, _) in &state.counts {
            let mut others = state.clone();
            others.take(mover);
            self.steps_of(id, mover, false, &others, goal, meter)?;
        }
        Ok(())
    }

    fn arrive(&mut self, local: LocalId, state: StateId, goal: &Goal) {
        if !self.arrived.insert(local.index()) {
            return;
        }
        let at = self.threads.contexts.place(&self.locals.get(local));
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.threads.program, goal, at)
        {
            self.reach(site, state, 0);
        }
    }

    /// The steps of one thread in state `mover`, beside the others, none of which holds the flag.
    fn steps_of(
        &mut self,
        id: StateId,
        mover: LocalId,
        held: bool,
        others: &Counters,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let known = self.moves_of(others.shared, mover, meter)?;
        for &edge in &known.failures {
            if self.reached.failed.insert(edge) && *goal == Goal::Assert {
                self.reach(GoalSite::Assert(edge), id, 1);
            }
        }
        let mut next = Vec::new();
        for it in &known.moves {
            self.after(it, held, others, &mut next, meter)?;
            for state in next.drain(..) {
                self.frontier.meet(&state, Some(id), it.weight, ());
            }
        }
        Ok(())
    }

    /// The states that a move of one thread beside the others leads to; `held` says whether it has
    /// the flag before.
    pub fn after(
        &mut self,
        it: &KnownMove,
        held: bool,
        others: &Counters,
        next: &mut Vec<Counters>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        meter.tick()?;
        let mut after = Counters { shared: it.shared, ..others.clone() };
        let holds = if let KnownEffect::Flag(_, holds) = it.effect { holds } else { held };
        match it.effect {
            KnownEffect::End => next.push(after),
            KnownEffect::Go(to) | KnownEffect::Flag(to, _) => {
                after.place(to, holds);
                next.push(after);
            }
            KnownEffect::Start(to, ref started) => {
                after.place(to, holds);
                if others.n_threads() + 1 < u64::from(self.bound) {
                    for &new in started {
                        let mut with_new = after.clone();
                        with_new.add(new, 1);
                        next.push(with_new);
                    }
                } else if self.at_bound == AtBound::Skip {
                    next.push(after);
                }
            }
            KnownEffect::Broadcast(to, broadcast) => {
                for mut after in self.after_broadcast(&after, broadcast, meter)? {
                    after.place(to, holds);
                    next.push(after);
                }
            }
        }
        Ok(())
    }

    /// All that may become of the other threads: equal ones may choose differently.
    fn after_broadcast(
        &mut self,
        others: &Counters,
        broadcast: BroadcastId,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Counters>, Exhausted> {
        let mut all = vec![Counters { counts: Vec::new(), ..*others }];
        for &(local, count) in &others.counts {
            let options = self.reactions_of(broadcast, local, meter)?;
            let mut longer = Vec::new();
            for before in all {
                multisets(&options, count, &mut |counts| {
                    meter.tick()?;
                    let mut after = before.clone();
                    counts.iter().for_each(|&(local, n)| after.add(local, n));
                    longer.push(after);
                    allow(longer.len())
                })?;
            }
            all = longer;
        }
        Ok(all)
    }

    /// What a thread can do, computed once.
    pub fn moves_of(
        &mut self,
        shared: SharedId,
        local: LocalId,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<KnownMoves>, Exhausted> {
        if let Some(known) = self.moves.get(&(shared, local)) {
            return Ok(known.clone());
        }
        let all = self.threads.moves(&self.shareds.get(shared), &self.locals.get(local), meter)?;
        let mut known = KnownMoves::default();
        for it in all {
            let weight = it.weight();
            let effect = match &it.effect {
                Effect::Violate => {
                    if let Event::Violate(edge) = it.event {
                        known.failures.push(edge);
                    }
                    continue;
                }
                Effect::Go(to) => KnownEffect::Go(self.local_id(to)),
                Effect::Flag(to, holds) => KnownEffect::Flag(self.local_id(to), *holds),
                Effect::End => KnownEffect::End,
                Effect::Start(to, new) => {
                    let mut new: Vec<_> = new.iter().map(|local| self.local_id(local)).collect();
                    new.sort_unstable();
                    new.dedup();
                    KnownEffect::Start(self.local_id(to), new)
                }
                Effect::Broadcast(to, broadcast) => {
                    let broadcast = self.broadcasts.id(broadcast.clone());
                    KnownEffect::Broadcast(self.local_id(to), broadcast)
                }
            };
            let shared = self.shared_id(&it.shared);
            let edge = match it.event {
                Event::Take(edge) => Some(edge),
                _ => None,
            };
            known.moves.push(KnownMove { weight, shared, effect, edge });
        }
        known.moves.dedup();
        let known = Rc::new(known);
        self.moves.insert((shared, local), known.clone());
        Ok(known)
    }

    /// What a thread may become by a broadcast, computed once.
    pub fn reactions_of(
        &mut self,
        broadcast: BroadcastId,
        local: LocalId,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<[LocalId]>, Exhausted> {
        if let Some(known) = self.reactions.get(&(broadcast, local)) {
            return Ok(known.clone());
        }
        let values = self.broadcasts.get(broadcast);
        let all = self.threads.reactions(&values, &self.locals.get(local), meter)?;
        let mut options: Vec<_> = all.iter().map(|local| self.local_id(local)).collect();
        options.sort_unstable();
        options.dedup();
        let options: Rc<[LocalId]> = options.into();
        self.reactions.insert((broadcast, local), options.clone());
        Ok(options)
    }

    /// Notes a place where the goal is reached: the first is the nearest.
    fn reach(&mut self, site: GoalSite, state: StateId, last: u32) {
        if self.found.is_none() {
            let n_statements = self.frontier.node(state).distance + last;
            self.found = Some(Found { site, state, n_statements });
        }
    }
}
