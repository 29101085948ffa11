//! Breadth-first search over product states: BOOM algorithm 7.1.
//!
//! **Computes** a set of product states ⟨S, (L₁, n₁), …⟩ that stands for exactly the reachable global
//! states, up to the order of threads and up to values that cannot matter any more: such a product
//! stands for every global state whose shared values are in S and whose threads can be given the sets
//! so that each is in its own and nᵢ are in Lᵢ.
//!
//! **Why products stay exact.** One thread moves, from S × L. Its successors are computed as one set
//! of pairs (shared, local) and then cut into products ([`cut`]); the other threads are untouched,
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
//! **Departures.** BOOM splits by the values of splice variables before the image. That is not
//! always enough (`s := s ^ l` with another shared variable tied to s) and often too much; the cut is
//! both exact and coarsest. An index from sets, and a table of successors of each pair of sets, make
//! most steps additions and subtractions of counts. Rings, not single states, are expanded, so that
//! what can be merged is merged before.

use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_conc::counters::{Counters, LocalId, StateId};
use hardbop_conc::intern::Interner;
use hardbop_conc::moves::{Broadcast, Written};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cut::cut;
use crate::history::{History, threads};
use crate::layout::Copy;
use crate::relation::Relation;
use crate::sets::LocalSets;
use crate::template::{Effect, Pc, Step, Template};

hardbop_base::define_id!(
    /// A broadcast that was met.
    BroadcastId, "b"
);

/// A ring of the search: states that were new at one distance.
pub type Ring = Vec<(StateId, Dd)>;

/// A search: what was found.
#[derive(Debug)]
pub struct CounterSearch<'a> {
    pub template: Template<'a>,
    pub sets: LocalSets,
    pub history: History,
    bound: u32,
    broadcasts: Interner<BroadcastId, Broadcast>,
    moves: FxHashMap<(Dd, LocalId), Rc<Moves>>,
    reactions: FxHashMap<(BroadcastId, LocalId), LocalId>,
    /// Started levels become those of a thread.
    born: hardbop_dd::Renaming,
    arrived: FxHashSet<Pc>,
    pub reached: Reached,
    pub found: Option<Found>,
    /// All rings, if they are wanted for a trace.
    pub rings: Vec<Ring>,
}

/// A state in which the goal is reached; its ring is the last.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    pub threads: Counters,
    pub shared: Dd,
    /// The thread that fails or has arrived.
    pub culprit: LocalId,
}

/// What a thread of a set can do, given a set of shared values.
#[derive(Debug, Default)]
struct Moves {
    failures: Vec<EdgeRef>,
    moves: Vec<Move>,
}

#[derive(PartialEq, Eq, Debug)]
struct Move {
    shared: Dd,
    /// `None`: the thread ends.
    to: Option<LocalId>,
    /// Takes or gives back the flag.
    flag: Option<bool>,
    /// Another thread, and whether the move depends on there being room for one.
    started: Option<LocalId>,
    when: When,
    broadcast: Option<BroadcastId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Always,
    BelowBound,
    AtBound,
}

impl Move {
    fn go(shared: Dd, to: LocalId) -> Self {
        let when = When::Always;
        Move { shared, to: Some(to), flag: None, started: None, when, broadcast: None }
    }
}

impl<'a> CounterSearch<'a> {
    pub fn new(template: Template<'a>, bound: u32, n_positions: usize) -> Self {
        let layout = template.layout;
        let locals = (0..n_positions).filter(|&position| !layout.is_shared(position));
        let born = locals.map(|p| (layout.level(p, Copy::Started), layout.level(p, Copy::Now)));
        CounterSearch {
            born: hardbop_dd::Renaming::new(born),
            template,
            sets: LocalSets::default(),
            history: History::default(),
            bound,
            broadcasts: Interner::default(),
            moves: FxHashMap::default(),
            reactions: FxHashMap::default(),
            arrived: FxHashSet::default(),
            reached: Reached::default(),
            found: None,
            rings: Vec::new(),
        }
    }

    /// Adds the initial states with so many threads.
    pub fn start(&mut self, n_threads: u32) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        let initial = self.template.initial()?;
        let (locals, _) = self.template.layout.cuts();
        for (shared, values) in cut(dd, &dd.and(&initial.shared, &initial.locals)?, locals)? {
            let local = self.sets.id(dd, initial.pc, values);
            let state = threads(None, vec![(local, n_threads)]);
            self.history.meet(dd, &self.sets, &state, &shared)?;
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
        let dd = self.template.dd;
        let mut meter = ctx.budget.meter(64);
        loop {
            let ring = self.history.next_ring(dd, &mut self.sets)?;
            if ring.is_empty() {
                return Ok(());
            }
            ctx.progress.set_waiting(ring.len() as u64);
            ctx.progress.set_round(self.rings.len() as u64);
            for (id, shared) in &ring {
                meter.tick()?;
                ctx.progress.set_found(self.history.len() as u64);
                self.expand(*id, shared, goal, &mut meter)?;
                if self.found.is_some() && !exhaustive {
                    return Ok(());
                }
            }
            // After the first goal only its own way back is needed.
            if keep_rings && self.found.is_none() {
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
            self.arrive(local, &state, shared, goal);
        }
        if let Some(holder) = state.holder {
            // Only the holder of the flag runs while it is held.
            let others = threads(None, state.counts.clone());
            return self.steps_of(holder, true, &state, &others, shared, goal, meter);
        }
        for &(mover, _) in &state.counts {
            let mut others = state.clone();
            others.take(mover);
            self.steps_of(mover, false, &state, &others, shared, goal, meter)?;
        }
        Ok(())
    }

    fn arrive(&mut self, local: LocalId, state: &Counters, shared: &Dd, goal: &Goal) {
        let pc = self.sets.pc(local);
        if !self.arrived.insert(pc) {
            return;
        }
        let (context, loc) = self.template.place(pc);
        let at = hardbop_cfg::LocRef { proc: self.template.contexts.proc(context), loc };
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.template.program, goal, at)
        {
            self.reach(site, local, state, shared);
        }
    }

    fn reach(&mut self, site: GoalSite, culprit: LocalId, state: &Counters, shared: &Dd) {
        if self.found.is_none() {
            let (threads, shared) = (state.clone(), shared.clone());
            self.found = Some(Found { site, threads, shared, culprit });
        }
    }

    /// The steps of one thread of the set `mover`, beside the others, none of which holds the flag.
    #[allow(clippy::too_many_arguments)]
    fn steps_of(
        &mut self,
        mover: LocalId,
        held: bool,
        state: &Counters,
        others: &Counters,
        shared: &Dd,
        goal: &Goal,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let known = self.moves_of(shared, mover)?;
        for &edge in &known.failures {
            if self.reached.failed.insert(edge) && *goal == Goal::Assert {
                self.reach(GoalSite::Assert(edge), mover, state, shared);
            }
        }
        let is_full = others.n_threads() + 1 >= u64::from(self.bound);
        for it in &known.moves {
            meter.tick()?;
            if it.when == (if is_full { When::BelowBound } else { When::AtBound }) {
                continue;
            }
            let mut next = match it.broadcast {
                None => others.clone(),
                Some(broadcast) => self.after_broadcast(others, broadcast)?,
            };
            if let Some(to) = it.to {
                next.place(to, it.flag.unwrap_or(held));
            }
            if let Some(new) = it.started {
                next.add(new, 1);
            }
            self.history.meet(self.template.dd, &self.sets, &next, &it.shared)?;
        }
        Ok(())
    }

    fn after_broadcast(
        &mut self,
        others: &Counters,
        broadcast: BroadcastId,
    ) -> Result<Counters, OutOfNodes> {
        let mut after = threads(None, Vec::new());
        for &(local, count) in &others.counts {
            let to = match self.reactions.get(&(broadcast, local)) {
                Some(&known) => known,
                None => {
                    let to = self.react(broadcast, local)?;
                    self.reactions.insert((broadcast, local), to);
                    to
                }
            };
            after.add(to, count);
        }
        Ok(after)
    }

    /// What a broadcast makes of a set of threads.
    fn react(&mut self, broadcast: BroadcastId, local: LocalId) -> Result<LocalId, OutOfNodes> {
        let (pc, ref values) = *self.sets.get(local);
        let wave = self.broadcasts.get(broadcast);
        let Template { dd, layout, ref contexts, .. } = self.template;
        let live = self.template.live(pc);
        let (context, _) = self.template.place(pc);
        let mut values = values.clone();
        for frame in contexts.frames(context).filter(|&it| contexts.proc(it) == wave.proc) {
            for &(var, written) in &wave.writes {
                let position = contexts.position(frame, var);
                if !live.contains(position) {
                    continue;
                }
                let level = layout.level(position, Copy::Now);
                values = dd.exists(&values, &dd.cube([level])?)?;
                if let Written::One(value) = written {
                    values = dd.and(&values, &dd.literal(level, value)?)?;
                }
            }
        }
        Ok(self.sets.id(dd, pc, values))
    }

    fn moves_of(&mut self, shared: &Dd, local: LocalId) -> Result<Rc<Moves>, OutOfNodes> {
        let key = (shared.clone(), local);
        if let Some(known) = self.moves.get(&key) {
            return Ok(known.clone());
        }
        let (pc, ref values) = *self.sets.get(local);
        let mut all = Moves::default();
        for step in self.template.steps(pc)?.iter() {
            self.step(step, shared, values, &mut all)?;
        }
        let all = Rc::new(all);
        self.moves.insert(key, all.clone());
        Ok(all)
    }

    fn step(
        &mut self,
        step: &Step,
        shared: &Dd,
        values: &Dd,
        all: &mut Moves,
    ) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let relation = &step.relation;
        match &step.effect {
            Effect::Violate => {
                if let Event::Violate(edge) = step.event
                    && !self.image(relation, shared, values)?.is_empty()
                {
                    all.failures.push(edge);
                }
            }
            Effect::End => {
                for (shared, _) in self.image(relation, shared, values)? {
                    let when = When::Always;
                    let (to, flag, started, broadcast) = (None, None, None, None);
                    all.moves.push(Move { shared, to, flag, started, when, broadcast });
                }
            }
            Effect::Go(to) => {
                for (shared, values) in self.image(relation, shared, values)? {
                    all.moves.push(Move::go(shared, self.sets.id(dd, *to, values)));
                }
            }
            Effect::Flag(to, holds) => {
                for (shared, values) in self.image(relation, shared, values)? {
                    let go = Move::go(shared, self.sets.id(dd, *to, values));
                    all.moves.push(Move { flag: Some(*holds), ..go });
                }
            }
            Effect::Start { to, new, birth } => {
                for (shared, values) in self.image(relation, shared, values)? {
                    let go = Move::go(shared, self.sets.id(dd, *to, values));
                    all.moves.push(Move { when: When::AtBound, ..go });
                }
                for (shared, values, started) in self.births(relation, birth, shared, values)? {
                    let go = Move::go(shared, self.sets.id(dd, *to, values));
                    let started = Some(self.sets.id(dd, *new, started));
                    all.moves.push(Move { started, when: When::BelowBound, ..go });
                }
            }
            Effect::Broadcast { to, proc, values: waves } => {
                let mut cases = vec![(dd.and(shared, values)?, Vec::new())];
                for wave in waves {
                    let mut finer = Vec::new();
                    let May3 { one, other, either } = May3::of(dd, &wave.may)?;
                    for (states, writes) in cases {
                        for (part, written) in [
                            (&one, Written::One(true)),
                            (&other, Written::One(false)),
                            (&either, Written::Either),
                        ] {
                            let states = dd.and(&states, part)?;
                            if !dd.is_false(&states) {
                                let mut writes: Vec<_> = writes.clone();
                                writes.push((wave.var, written));
                                finer.push((states, writes));
                            }
                        }
                    }
                    cases = finer;
                }
                let (locals, _) = self.template.layout.cuts();
                for (states, writes) in cases {
                    let id = self.broadcasts.id(Broadcast { proc: *proc, writes });
                    let after = relation.post(dd, &states, relation.parts())?;
                    for (shared, values) in cut(dd, &after, locals)? {
                        let go = Move::go(shared, self.sets.id(dd, *to, values));
                        all.moves.push(Move { broadcast: Some(id), ..go });
                    }
                }
            }
        }
        Ok(())
    }

    /// The products after a step of a thread alone.
    fn image(
        &self,
        relation: &Relation,
        shared: &Dd,
        values: &Dd,
    ) -> Result<Vec<(Dd, Dd)>, OutOfNodes> {
        let dd = self.template.dd;
        if relation.is_splice() {
            let after = relation.post(dd, &dd.and(shared, values)?, relation.parts())?;
            return cut(dd, &after, self.template.layout.cuts().0);
        }
        let shared = relation.post(dd, shared, &relation.shared)?;
        let values = relation.post(dd, values, &relation.own)?;
        let is_empty = dd.is_false(&shared) || dd.is_false(&values);
        Ok(if is_empty { Vec::new() } else { vec![(shared, values)] })
    }

    /// The products after a step that starts a thread: shared, own, started.
    fn births(
        &self,
        relation: &Relation,
        birth: &[Dd],
        shared: &Dd,
        values: &Dd,
    ) -> Result<Vec<(Dd, Dd, Dd)>, OutOfNodes> {
        let dd = self.template.dd;
        let (locals, started) = self.template.layout.cuts();
        let before = dd.and(shared, values)?;
        let after = relation.post(dd, &before, relation.parts().chain(birth))?;
        let mut products = Vec::new();
        for (shared, pair) in cut(dd, &after, locals)? {
            for (values, new) in cut(dd, &pair, started)? {
                products.push((shared.clone(), values, dd.rename(&new, &self.born)?));
            }
        }
        Ok(products)
    }
}

/// The states in which a value is true, is false, is either.
struct May3 {
    one: Dd,
    other: Dd,
    either: Dd,
}

impl May3 {
    fn of(dd: &hardbop_dd::Manager, may: &hardbop_seq::encode::May) -> Result<Self, OutOfNodes> {
        Ok(May3 {
            one: dd.minus(&may.be_true, &may.be_false)?,
            other: dd.minus(&may.be_false, &may.be_true)?,
            either: dd.and(&may.be_true, &may.be_false)?,
        })
    }
}
