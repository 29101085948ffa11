//! Breadth-first search over identified threads: plain exploration, BOOM sections 10.2, 10.3, 10.6.
//!
//! **Computes** the reachable states of at most N threads in N slots: the places of the threads and
//! who holds the flag explicitly, the values of all variables of all threads in one diagram for each
//! combination of places. A thread that ends leaves its slot empty; one that starts takes the first
//! empty one.
//!
//! **Invariant.** `reached` of a combination holds everything met there; what is new goes into the
//! next ring, merged into one diagram, and only that is expanded. A diagram mentions only values that
//! can matter, of slots that are in use.
//!
//! **Departure.** With a partial-order reduction that names one thread, only that one is expanded.

use std::rc::Rc;

use crate::counted::intern::Interner;
use crate::counted::por::{Plan, Por};
use hardbop_base::{Bits, Exhausted, Idx, define_id};
use hardbop_cfg::{Goal, LocRef};
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};
use rustc_hash::FxHashSet;

use crate::symbolic::backtrack::{Config, Rings, Thread, Wanted};
use crate::symbolic::layout::Copy;
use crate::symbolic::placed::{Others, PlacedSteps};
use crate::symbolic::step::Effect;
use crate::symbolic::template::{Pc, Template};

define_id!(
    /// A combination of places.
    ComboId, "combo"
);

/// Where all threads are. Slots may be empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Combo {
    pub places: Vec<Option<Pc>>,
    pub holder: Option<usize>,
}

/// A search: what was found.
#[derive(Debug)]
pub struct SymbolicSearch<'a> {
    pub template: Template<'a>,
    pub kept: Kept,
    por: Por<'a>,
    reached_states: Vec<Dd>,
    /// New states, for the next ring; false if there are none.
    pending: Vec<Dd>,
    /// Combinations with new states, in order of discovery.
    next: Vec<ComboId>,
    arrived: FxHashSet<Pc>,
    pub reached: Reached,
    pub found: Option<Found>,
}

/// What is needed for the way back.
#[derive(Debug)]
pub struct Kept {
    pub combos: Interner<ComboId, Combo>,
    pub placed: PlacedSteps,
    pub rings: Vec<Vec<(ComboId, Dd)>>,
}

/// States in which the goal is reached; their ring is the last.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    pub combo: Rc<Combo>,
    pub states: Dd,
    /// The slot of the thread that fails or has arrived.
    pub culprit: usize,
}

impl<'a> SymbolicSearch<'a> {
    /// The states of all combinations of places.
    pub fn functions(&self) -> Vec<Dd> {
        let mut seen = FxHashSet::default();
        self.reached_states.iter().filter(|states| seen.insert(*states)).cloned().collect()
    }

    pub fn new(template: Template<'a>, por: Por<'a>) -> Self {
        let placed = PlacedSteps::new(&template);
        SymbolicSearch {
            template,
            kept: Kept { combos: Interner::default(), placed, rings: Vec::new() },
            por,
            reached_states: Vec::new(),
            pending: Vec::new(),
            next: Vec::new(),
            arrived: FxHashSet::default(),
            reached: Reached::default(),
            found: None,
        }
    }

    pub fn n_combos(&self) -> usize {
        self.kept.combos.len()
    }

    /// Adds the initial states with so many threads.
    pub fn start(&mut self, n_threads: usize) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let initial = self.template.initial()?;
        let mut states = initial.shared;
        let mut places = vec![None; self.template.layout.n_threads()];
        for (slot, place) in places.iter_mut().enumerate().take(n_threads) {
            let locals = self.kept.placed.to_slot(dd, &initial.locals, slot)?;
            states = dd.and(&states, &locals)?;
            *place = Some(initial.pc);
        }
        self.meet(Combo { places, holder: None }, &states)
    }

    /// Explores up to the first goal, or everything.
    pub fn run(
        &mut self,
        goal: &Goal,
        exhaustive: bool,
        keep_rings: bool,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let mut n_rings = 0;
        let mut meter = ctx.budget.meter(16);
        loop {
            let mut ring = Vec::new();
            let zero = self.template.dd.zero();
            for id in std::mem::take(&mut self.next) {
                ring.push((id, std::mem::replace(&mut self.pending[id.index()], zero.clone())));
            }
            if ring.is_empty() {
                return Ok(());
            }
            n_rings += 1;
            ctx.progress.set_round(n_rings);
            ctx.progress.set_waiting(ring.len() as u64);
            for (id, states) in &ring {
                meter.tick()?;
                ctx.progress.set_found(self.n_combos() as u64);
                self.expand(*id, states, goal)?;
                if self.found.is_some() && !exhaustive {
                    return Ok(());
                }
                self.template.dd.maybe_gc();
            }
            // After the first goal only its own way back is needed.
            if keep_rings && self.found.is_none() {
                self.kept.rings.push(ring);
            }
        }
    }

    fn expand(&mut self, id: ComboId, states: &Dd, goal: &Goal) -> Result<(), OutOfNodes> {
        let combo = self.kept.combos.get(id);
        for (slot, pc) in combo.places.iter().enumerate() {
            if let Some(pc) = *pc {
                self.arrive(pc, slot, &combo, states, goal);
            }
        }
        for slot in self.movers(&combo) {
            self.steps_of(slot, &combo, states, goal)?;
        }
        Ok(())
    }

    /// The slots whose threads are to be expanded.
    fn movers(&mut self, combo: &Combo) -> Vec<usize> {
        if let Some(holder) = combo.holder {
            return vec![holder];
        }
        let mut threads: Vec<(LocRef, usize)> = combo
            .places
            .iter()
            .enumerate()
            .filter_map(|(slot, pc)| pc.map(|pc| (self.template.loc(pc), slot)))
            .collect();
        threads.sort_unstable();
        let locs: Vec<LocRef> = threads.iter().map(|it| it.0).collect();
        match *self.por.choose(&locs) {
            Plan::One(thread) => vec![threads[thread].1],
            _ => threads.into_iter().map(|it| it.1).collect(),
        }
    }

    fn arrive(&mut self, pc: Pc, slot: usize, combo: &Rc<Combo>, states: &Dd, goal: &Goal) {
        if !self.arrived.insert(pc) {
            return;
        }
        let at = self.template.loc(pc);
        if self.reached.locs.insert(at)
            && let Some(site) = label_site(self.template.program, goal, at)
        {
            self.reach(site, slot, combo, states.clone());
        }
    }

    fn reach(&mut self, site: GoalSite, culprit: usize, combo: &Rc<Combo>, states: Dd) {
        if self.found.is_none() {
            self.found = Some(Found { site, combo: combo.clone(), states, culprit });
        }
    }

    fn steps_of(
        &mut self,
        slot: usize,
        combo: &Rc<Combo>,
        states: &Dd,
        goal: &Goal,
    ) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let pc = combo.places[slot].expect("a thread moves");
        let steps = self.template.steps(pc)?;
        for (index, step) in steps.iter().enumerate() {
            let others = match &step.effect {
                Effect::Start { .. } => first_empty(&combo.places).map(Others::Start),
                Effect::Broadcast { .. } => Some(Others::Broadcast(combo.places.clone())),
                _ => None,
            };
            let others = others.unwrap_or(Others::Nothing);
            let relation =
                self.kept.placed.get(&self.template, (pc, index), step, slot, others.clone())?;
            if let (Effect::Violate, Event::Violate(edge)) = (&step.effect, step.event) {
                let mut failing = states.clone();
                for part in &relation.parts {
                    failing = dd.and(&failing, part)?;
                }
                if !dd.is_false(&failing)
                    && self.reached.failed.insert(edge)
                    && *goal == Goal::Assert
                {
                    self.reach(GoalSite::Assert(edge), slot, combo, failing);
                }
                continue;
            }
            let after = relation.post(dd, states)?;
            if dd.is_false(&after) {
                continue;
            }
            let mut next = (**combo).clone();
            match step.effect {
                Effect::Go(to) | Effect::Broadcast { to, .. } => next.places[slot] = Some(to),
                Effect::Flag(to, holds) => {
                    next.places[slot] = Some(to);
                    next.holder = holds.then_some(slot);
                }
                Effect::End => {
                    next.places[slot] = None;
                    next.holder = None;
                }
                Effect::Start { to, new, .. } => {
                    next.places[slot] = Some(to);
                    if let Others::Start(empty) = others {
                        next.places[empty] = Some(new);
                    }
                }
                Effect::Violate => unreachable!("a failure has no successor"),
            }
            self.meet(next, &after)?;
        }
        Ok(())
    }

    /// States were reached: work as far as they are new.
    fn meet(&mut self, combo: Combo, states: &Dd) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let id = self.kept.combos.id(combo);
        let at = id.index();
        if at == self.reached_states.len() {
            self.reached_states.push(dd.zero().clone());
            self.pending.push(dd.zero().clone());
        }
        let new = dd.minus(states, &self.reached_states[at])?;
        if dd.is_false(&new) {
            return Ok(());
        }
        self.reached_states[at] = dd.or(&self.reached_states[at], &new)?;
        if dd.is_false(&self.pending[at]) {
            self.next.push(id);
        }
        self.pending[at] = dd.or(&self.pending[at], &new)?;
        Ok(())
    }
}

fn first_empty(places: &[Option<Pc>]) -> Option<usize> {
    places.iter().position(Option::is_none)
}

/// One of the states of a combination.
pub fn pick(template: &Template<'_>, combo: &Combo, states: &Dd) -> Config {
    let layout = template.layout;
    let mut values = Vec::new();
    for var in template.live_shared().iter() {
        values.push((None, var));
    }
    for (slot, pc) in combo.places.iter().enumerate() {
        let Some(pc) = *pc else { continue };
        let live = template.live(pc);
        values.extend(live.iter().filter(|&p| !layout.is_shared(p)).map(|p| (Some(slot), p)));
    }
    let levels: Vec<_> =
        values.iter().map(|&(slot, p)| layout.level_of(slot.unwrap_or(0), p, Copy::Now)).collect();
    let chosen = template.dd.pick_assignment(states, &levels).expect("there is a state");
    let mut config = Config {
        shared: Bits::new(),
        threads: combo
            .places
            .iter()
            .map(|pc| pc.map(|pc| Thread { pc, values: Bits::new() }))
            .collect(),
        holder: combo.holder,
    };
    for ((slot, position), _) in values.into_iter().zip(chosen).filter(|it| it.1) {
        match slot.and_then(|slot| config.threads[slot].as_mut()) {
            Some(thread) => thread.values.insert(position),
            None => config.shared.insert(position),
        };
    }
    config
}

impl Rings for Kept {
    fn n_rings(&self) -> usize {
        self.rings.len()
    }

    fn find(
        &self,
        template: &Template<'_>,
        ring: usize,
        wanted: &Wanted,
    ) -> Result<Option<Config>, OutOfNodes> {
        let dd = template.dd;
        let combo = Combo { places: wanted.places.clone(), holder: wanted.holder };
        let Some(id) = self.combos.known(&combo) else { return Ok(None) };
        let Some((_, states)) = self.rings[ring].iter().find(|(it, _)| *it == id) else {
            return Ok(None);
        };
        let states = wanted.among(dd, &self.placed, states)?;
        Ok((!dd.is_false(&states)).then(|| pick(template, &combo, &states)))
    }
}
