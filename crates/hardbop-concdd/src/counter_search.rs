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
//! **Leaps.** For the bare answer a thread need not be followed statement by statement: a step that
//! touches nothing shared can as well be taken right before the next one that does
//! (`hardbop_conc::leap`). Then a thread's set has several places, those where it can do something
//! that concerns others, and a move is followed by all such steps of its own. The set of an atomic
//! section's thread, and of one started in it, is as it is: only the holder moves.
//!
//! **Departures.** BOOM splits by the values of splice variables before the image. That is not
//! always enough (`s := s ^ l` with another shared variable tied to s) and often too much; the cut is
//! both exact and coarsest. An index from sets, and a table of successors of each pair of sets, make
//! most steps additions and subtractions of counts. Rings, not single states, are expanded, so that
//! what can be merged is merged before.

use std::collections::BTreeMap;
use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_cfg::{EdgeRef, Goal};
use hardbop_conc::counters::{Counters, LocalId, StateId};
use hardbop_conc::intern::Interner;
use hardbop_conc::moves::{Broadcast, Written};
use hardbop_conc::por::{Plan, Por};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cut::cut;
use crate::history::{History, threads};
use crate::layout::{Copy, n_positions};
use crate::relation::Relation;
use crate::sets::{LocalSets, Points, includes};
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
    way: Way<'a>,
    /// What each thread state has become after all steps that concern nobody else.
    rests: FxHashMap<(Pc, Dd), LocalId>,
    broadcasts: Interner<BroadcastId, Broadcast>,
    moves: FxHashMap<(Dd, LocalId, Standing), Rc<Moves>>,
    reactions: FxHashMap<(BroadcastId, LocalId), LocalId>,
    /// Started levels become those of a thread.
    born: hardbop_dd::Renaming,
    arrived: FxHashSet<Pc>,
    pub reached: Reached,
    pub found: Option<GoalSite>,
    /// A state in which that is so, if the search goes step by step.
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

/// What a thread of a set can do, given a set of shared values.
#[derive(Debug, Default)]
struct Moves {
    failures: Vec<EdgeRef>,
    moves: Vec<Move>,
}

/// What a thread's moves depend on, beside the values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Standing {
    /// It holds the atomic flag.
    held: bool,
    /// There are as many threads as there may be.
    is_full: bool,
}

#[derive(PartialEq, Eq, Debug)]
struct Move {
    shared: Dd,
    /// `None`: the thread ends.
    to: Option<LocalId>,
    /// Takes or gives back the flag.
    flag: Option<bool>,
    started: Option<LocalId>,
    broadcast: Option<BroadcastId>,
}

impl Move {
    fn go(shared: Dd, to: LocalId) -> Self {
        Move { shared, to: Some(to), flag: None, started: None, broadcast: None }
    }
}

impl<'a> CounterSearch<'a> {
    pub fn new(template: Template<'a>, bound: u32, way: Way<'a>) -> Self {
        let layout = template.layout;
        let locals =
            (0..n_positions(template.program)).filter(|&position| !layout.is_shared(position));
        let born = locals.map(|p| (layout.level(p, Copy::Started), layout.level(p, Copy::Now)));
        CounterSearch {
            born: hardbop_dd::Renaming::new(born),
            template,
            sets: LocalSets::default(),
            history: History::default(),
            bound,
            way,
            rests: FxHashMap::default(),
            broadcasts: Interner::default(),
            moves: FxHashMap::default(),
            reactions: FxHashMap::default(),
            arrived: FxHashSet::default(),
            reached: Reached::default(),
            found: None,
            witness: None,
            rings: Vec::new(),
        }
    }

    /// Adds the initial states with so many threads.
    pub fn start(&mut self, n_threads: u32, goal: &Goal) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        let initial = self.template.initial()?;
        let (locals, _) = self.template.layout.cuts();
        for (shared, values) in cut(dd, &dd.and(&initial.shared, &initial.locals)?, locals)? {
            let local = self.come(initial.pc, values, false, goal)?;
            let mut state = threads(None, Vec::new());
            if self.counts(local) {
                state.add(local, n_threads);
            }
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
            for (pc, _) in self.sets.get(local).iter() {
                let witness = || Witness::of(&state, shared, local);
                if let Some(site) = self.arrive(*pc, goal) {
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
            let mut at: Vec<_> =
                copies.map(|id| (self.template.loc(self.sets.only(id).0), id)).collect();
            at.sort_unstable();
            let locs: Vec<_> = at.iter().map(|it| it.0).collect();
            if let Plan::One(thread) = *por.choose(&locs) {
                return vec![at[thread].1];
            }
        }
        state.counts.iter().map(|it| it.0).collect()
    }

    /// A thread is at a place: the goal, if that is one.
    fn arrive(&mut self, pc: Pc, goal: &Goal) -> Option<GoalSite> {
        if !self.arrived.insert(pc) {
            return None;
        }
        let at = self.template.loc(pc);
        if !self.reached.locs.insert(at) {
            return None;
        }
        label_site(self.template.program, goal, at)
    }

    fn reach(&mut self, site: GoalSite, witness: impl FnOnce() -> Witness) {
        if self.found.is_none() {
            self.found = Some(site);
            self.witness = matches!(self.way, Way::Steps(_)).then(witness);
        }
    }

    /// A thread has come to a place with one of these values.
    fn come(
        &mut self,
        pc: Pc,
        values: Dd,
        holds: bool,
        goal: &Goal,
    ) -> Result<LocalId, OutOfNodes> {
        if holds || matches!(self.way, Way::Steps(_)) {
            return Ok(self.sets.id(self.template.dd, vec![(pc, values)]));
        }
        let key = (pc, values);
        if let Some(&known) = self.rests.get(&key) {
            return Ok(known);
        }
        let points = self.rest(pc, &key.1, goal)?;
        let id = self.sets.id(self.template.dd, points);
        self.rests.insert(key, id);
        Ok(id)
    }

    /// Where a thread can get to by steps that concern nobody else, and then concern others.
    fn rest(&mut self, pc: Pc, values: &Dd, goal: &Goal) -> Result<Points, OutOfNodes> {
        let dd = self.template.dd;
        let mut reached: BTreeMap<Pc, Dd> = BTreeMap::new();
        let mut points = Points::new();
        let mut todo = vec![(pc, values.clone())];
        while let Some((pc, values)) = todo.pop() {
            let known = reached.entry(pc).or_insert_with(|| dd.zero().clone());
            let new = dd.minus(&values, known)?;
            if dd.is_false(&new) {
                continue;
            }
            *known = dd.or(known, &new)?;
            if let Some(site) = self.arrive(pc, goal) {
                self.found.get_or_insert(site);
            }
            if !self.is_local(pc)? {
                continue;
            }
            for step in self.template.steps(pc)?.iter() {
                let after = step.relation.post(dd, &new, &step.relation.own)?;
                match step.effect {
                    _ if dd.is_false(&after) => {}
                    Effect::Go(to) => todo.push((to, after)),
                    Effect::Violate => self.fail(step, goal),
                    _ => {}
                }
            }
        }
        for (pc, values) in reached {
            if !self.is_local(pc)? {
                points.push((pc, values));
            }
        }
        Ok(points)
    }

    fn fail(&mut self, step: &Step, goal: &Goal) {
        if let Event::Violate(edge) = step.event
            && self.reached.failed.insert(edge)
            && *goal == Goal::Assert
        {
            self.found.get_or_insert(GoalSite::Assert(edge));
        }
    }

    /// Whether no step from a place concerns other threads.
    fn is_local(&mut self, pc: Pc) -> Result<bool, OutOfNodes> {
        let n_shared = self.template.program.n_shared();
        let ends_count = self.ends_count();
        Ok(self.template.steps(pc)?.iter().all(|step| {
            let relation = &step.relation;
            let is_own = relation.shared.is_empty()
                && relation.mixed.is_empty()
                && relation.writes.below(n_shared).is_empty();
            is_own
                && match step.effect {
                    Effect::Go(_) | Effect::Violate => true,
                    Effect::End => !ends_count,
                    Effect::Flag(..) | Effect::Start { .. } | Effect::Broadcast { .. } => false,
                }
        }))
    }

    /// Whether the end of a thread concerns others: it makes room for a new one.
    fn ends_count(&self) -> bool {
        self.template.program.starts_threads()
    }

    /// Whether a thread of a set is to be counted. One that never does anything again takes room, if
    /// anything.
    fn counts(&self, local: LocalId) -> bool {
        !self.sets.get(local).is_empty() || self.ends_count()
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
        let known = self.moves_of(shared, mover, Standing { held, is_full }, goal)?;
        for &edge in &known.failures {
            if self.reached.failed.insert(edge) && *goal == Goal::Assert {
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
                Some(broadcast) => next = self.after_broadcast(others, broadcast)?,
            }
            next.holder = None;
            if let Some(to) = it.to
                && self.counts(to)
            {
                next.place(to, it.flag.unwrap_or(held));
            }
            if let Some(new) = it.started
                && self.counts(new)
            {
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
        let (pc, mut values) = self.sets.only(local);
        let wave = self.broadcasts.get(broadcast);
        let Template { dd, layout, ref contexts, .. } = self.template;
        let live = self.template.live(pc);
        let (context, _) = self.template.place(pc);
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
        Ok(self.sets.id(dd, vec![(pc, values)]))
    }

    fn moves_of(
        &mut self,
        shared: &Dd,
        local: LocalId,
        standing: Standing,
        goal: &Goal,
    ) -> Result<Rc<Moves>, OutOfNodes> {
        let key = (shared.clone(), local, standing);
        if let Some(known) = self.moves.get(&key) {
            return Ok(known.clone());
        }
        let dd = self.template.dd;
        let mut all = Moves::default();
        let points = self.sets.get(local);
        for (pc, values) in points.iter() {
            for step in self.template.steps(*pc)?.iter() {
                self.step(step, shared, values, standing, goal, &mut all)?;
            }
        }
        // Having fewer possibilities and nothing else is no progress.
        all.moves.retain(|it| {
            let is_plain = it.flag.is_none() && it.started.is_none() && it.broadcast.is_none();
            let is_less = it.to.is_some_and(|to| includes(dd, &points, &self.sets.get(to)));
            !(is_plain && is_less && dd.leq(&it.shared, shared))
        });
        let all = Rc::new(all);
        self.moves.insert(key, all.clone());
        Ok(all)
    }

    fn step(
        &mut self,
        step: &Step,
        shared: &Dd,
        values: &Dd,
        Standing { held, is_full }: Standing,
        goal: &Goal,
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
                    let (to, flag, started, broadcast) = (None, None, None, None);
                    all.moves.push(Move { shared, to, flag, started, broadcast });
                }
            }
            Effect::Flag(to, holds) => {
                for (shared, values) in self.image(relation, shared, values)? {
                    let go = Move::go(shared, self.come(*to, values, *holds, goal)?);
                    all.moves.push(Move { flag: Some(*holds), ..go });
                }
            }
            Effect::Start { to, new, birth } if !is_full => {
                for (shared, values, started) in self.births(relation, birth, shared, values)? {
                    let go = Move::go(shared, self.come(*to, values, held, goal)?);
                    let started = Some(self.come(*new, started, held, goal)?);
                    all.moves.push(Move { started, ..go });
                }
            }
            // At the bound a start is `skip`.
            Effect::Go(to) | Effect::Start { to, .. } => {
                for (shared, values) in self.image(relation, shared, values)? {
                    all.moves.push(Move::go(shared, self.come(*to, values, held, goal)?));
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
                        let go = Move::go(shared, self.come(*to, values, held, goal)?);
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

impl Witness {
    fn of(threads: &Counters, shared: &Dd, culprit: LocalId) -> Self {
        Witness { threads: threads.clone(), shared: shared.clone(), culprit }
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
