//! Breadth-first search over product states: BOOM algorithm 7.1.
//!
//! **Computes** a set of product states ⟨S, (L₁, n₁), …⟩ that stands for exactly the reachable global
//! states, up to the order of threads and up to values that cannot matter any more: such a product
//! stands for every global state whose shared values are in S and whose threads can be given the sets
//! so that each is in its own and nᵢ are in Lᵢ.
//!
//! **Why products stay exact.** One thread moves, from S × L. Its successors are computed as one set
//! of pairs (shared, local) and then cut into products ([`cut`](crate::symbolic::cut)); the other threads are untouched,
//! and any combination of theirs goes with any of these pairs, since the state before was a product.
//! So each successor is a product again, and their union is exact. Where no part of the statement
//! mentions both sides, S and L are mapped one by one and nothing is cut. What else could tie two
//! factors together:
//! * A thread that starts another copies locals to it: the pairs (own, started) are cut as well. BOOM
//!   does not mention this; with its rules both threads would vary freely.
//! * A broadcast writes a value of the mover into others: the mover's states are first split by
//!   which values are possible, then all threads of a set get the same ones. A choice is made anew
//!   for each, so "either" is a product.
//! * Several initial threads under an `enforce` share S: cut, and all get the same L.
//! * Dead values are quantified factor by factor.
//!
//! **Leaps.** For the bare answer a thread need not be followed statement by statement: a step that
//! touches nothing shared can as well be taken right before the next one that does
//! (`crate::counted::leap`). Then a thread's set has several places, those where it can do something
//! that concerns others, and a move is followed by all such steps of its own. An atomic section is
//! one move; a thread started in it is as it is until the section ends, because only the holder moves.
//!
//! **Departures.** BOOM splits by the values of splice variables before the image. That is not
//! always enough (`s := s ^ l` with another shared variable tied to s) and often too much; the cut is
//! both exact and coarsest. An index from sets, and a table of successors of each pair of sets, make
//! most steps additions and subtractions of counts. Rings, not single states, are expanded, so that
//! what can be merged is merged before.

use crate::counted::counters::{Counters, LocalId, StateId};
use crate::counted::explore::AtBound;
use crate::counted::por::{Plan, Por};
use hardbop_base::budget::Meter;
use hardbop_base::{Budget, Exhausted};
use hardbop_cfg::Goal;
use hardbop_dd::Dd;
use hardbop_engine::{GoalSite, RunCtx};

use crate::symbolic::history::{History, threads};
use crate::symbolic::set_moves::{Follow, SetMoves, Standing};
use crate::symbolic::template::Template;

/// A ring of the search: states that were new at one distance.
pub type Ring = Vec<(StateId, Dd)>;

/// A search: what was found.
#[derive(Debug)]
pub struct CounterSearch<'a> {
    pub moves: SetMoves<'a>,
    pub history: History,
    bound: u32,
    way: Way<'a>,
    /// A state in which the goal is reached, if the search goes step by step.
    pub witness: Option<Witness>,
    /// All rings, if they are wanted for a trace.
    pub rings: Vec<Ring>,
}

/// How threads are followed.
#[derive(Debug)]
pub enum Way<'a> {
    /// Statement by statement, with as much interleaving as the reduction asks for. Plans that do more
    /// than to name one thread are not made use of.
    Steps(Box<Por<'a>>),
    /// From one step that concerns others to the next. No broadcasts.
    Leaps,
}

/// A state in which the goal is reached; its ring is the last.
#[derive(Clone, Debug)]
pub struct Witness {
    pub threads: Counters,
    pub shared: Dd,
    /// The thread that fails or has arrived.
    pub culprit: LocalId,
}

impl<'a> CounterSearch<'a> {
    pub fn new(
        template: Template<'a>,
        bound: u32,
        at_bound: AtBound,
        way: Way<'a>,
        budget: &Budget,
    ) -> Self {
        let follow = match way {
            Way::Steps(_) => Follow::Steps,
            Way::Leaps => Follow::Leaps,
        };
        let ends_count = template.program.starts_threads();
        CounterSearch {
            moves: SetMoves::new(template, follow, at_bound, ends_count, budget),
            history: History::default(),
            bound,
            way,
            witness: None,
            rings: Vec::new(),
        }
    }

    /// Adds the initial states with so many threads.
    pub fn start(&mut self, n_threads: u32, goal: &Goal) -> Result<(), Exhausted> {
        for (shared, local) in self.moves.initial(goal)? {
            let mut state = threads(None, Vec::new());
            if self.moves.counts(local) {
                state.add(local, n_threads);
            }
            self.history.meet(self.moves.template.dd, &self.moves.sets, &state, &shared)?;
        }
        Ok(())
    }

    /// Explores up to the first goal, or everything.
    pub fn run(
        &mut self,
        goal: &Goal,
        exhaustive: bool,
        keep_rings: bool,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let dd = self.moves.template.dd;
        let mut meter = ctx.budget.meter(64);
        loop {
            let ring = self.history.next_ring(dd, &mut self.moves.sets)?;
            if ring.is_empty() {
                return Ok(());
            }
            ctx.progress.set_waiting(ring.len() as u64);
            ctx.progress.set_round(self.rings.len() as u64);
            for (id, shared) in &ring {
                meter.tick()?;
                ctx.progress.set_found(self.history.len() as u64);
                self.expand(*id, shared, goal, &mut meter)?;
                if self.moves.found.is_some() && !exhaustive {
                    return Ok(());
                }
            }
            // After the first goal only its own way back is needed.
            if keep_rings && self.moves.found.is_none() && matches!(self.way, Way::Steps(_)) {
                self.rings.push(ring);
            }
            dd.maybe_gc();
        }
    }

    fn expand(
        &mut self,
        id: StateId,
        shared: &Dd,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let state = self.history.threads(id);
        for local in state.holder.into_iter().chain(state.counts.iter().map(|it| it.0)) {
            for (pc, _) in self.moves.sets.get(local).iter() {
                let witness = || Witness::of(&state, shared, local);
                if let Some(site) = self.moves.arrive(*pc, goal) {
                    self.reach(site, witness);
                }
            }
        }
        if let Some(holder) = state.holder {
            // Only the holder of the flag runs while it is held.
            let others = threads(None, state.counts.clone());
            return self.steps_of(holder, true, &others, shared, goal, meter);
        }
        for mover in self.movers(&state) {
            let mut others = state.clone();
            others.take(mover);
            self.steps_of(mover, false, &others, shared, goal, meter)?;
        }
        Ok(())
    }

    /// The sets of which a thread is to be expanded.
    fn movers(&mut self, state: &Counters) -> Vec<LocalId> {
        if let Way::Steps(por) = &mut self.way {
            let copies = state.counts.iter();
            let copies = copies.flat_map(|&(id, n)| std::iter::repeat_n(id, n as usize));
            let mut at: Vec<_> = copies
                .map(|id| (self.moves.template.loc(self.moves.sets.only(id).0), id))
                .collect();
            at.sort_unstable();
            let locs: Vec<_> = at.iter().map(|it| it.0).collect();
            if let Plan::One(thread) = *por.choose(&locs) {
                return vec![at[thread].1];
            }
        }
        state.counts.iter().map(|it| it.0).collect()
    }

    fn reach(&mut self, site: GoalSite, witness: impl FnOnce() -> Witness) {
        if self.moves.found.is_none() {
            self.moves.found = Some(site);
            self.witness = matches!(self.way, Way::Steps(_)).then(witness);
        }
    }

    /// The steps of one thread of the set `mover`, beside the others, none of which holds the flag.
    fn steps_of(
        &mut self,
        mover: LocalId,
        held: bool,
        others: &Counters,
        shared: &Dd,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let is_full = others.n_threads() + 1 >= u64::from(self.bound);
        let known = self.moves.moves_of(shared, mover, Standing { held, is_full }, goal)?;
        for &edge in &known.failures {
            if self.moves.reached.failed.insert(edge) && *goal == Goal::Assert {
                let mut state = others.clone();
                state.place(mover, held);
                self.reach(GoalSite::Assert(edge), || Witness::of(&state, shared, mover));
            }
        }
        // One list for all successors: most of them are known already.
        let mut next = others.clone();
        for it in &known.moves {
            meter.tick()?;
            match it.broadcast {
                None => next.counts.clone_from(&others.counts),
                Some(broadcast) => next = self.moves.after_broadcast(others, broadcast)?,
            }
            next.holder = None;
            if let Some(to) = it.to
                && self.moves.counts(to)
            {
                next.place(to, it.flag.unwrap_or(held));
            }
            if let Some(new) = it.started
                && self.moves.counts(new)
            {
                next.add(new, 1);
            }
            self.history.meet(self.moves.template.dd, &self.moves.sets, &next, &it.shared)?;
        }
        Ok(())
    }
}

impl Witness {
    fn of(threads: &Counters, shared: &Dd, culprit: LocalId) -> Self {
        Witness { threads: threads.clone(), shared: shared.clone(), culprit }
    }
}
