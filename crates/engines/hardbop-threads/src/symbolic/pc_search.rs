//! Breadth-first search with everything in one diagram: BOOM section 10.2, the simpler variant.
//!
//! **Computes** the reachable states of at most N threads in N slots as one diagram over places
//! ([`PcBits`]), flag and values. The program of a thread is one relation; a ring is the image of the
//! one before it under each thread in turn, less what was reached. Slots are used as in
//! [`symbolic_search`](crate::symbolic::symbolic_search).
//!
//! **Invariant.** Values that cannot matter where a thread is, and all values of an empty slot, are
//! free: a relation leaves them open.

use hardbop_base::{Exhausted, Idx};
use hardbop_cfg::Goal;
use hardbop_dd::{Dd, OutOfNodes, Product};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use hardbop_interp::goals::{Reached, label_site};

use crate::symbolic::backtrack::{Config, Rings, Wanted};
use crate::symbolic::layout::Copy;
use crate::symbolic::pc_bits::PcBits;
use crate::symbolic::pc_moves::Move;
use crate::symbolic::placed::PlacedSteps;
use crate::symbolic::symbolic_search::{Combo, pick};
use crate::symbolic::template::{Pc, Template};

/// A search: what was found.
#[derive(Debug)]
pub struct PcSearch<'a> {
    pub template: Template<'a>,
    pub kept: Kept,
    pub(crate) n_slots: usize,
    pub(crate) moves: Vec<Move>,
    pub states: Dd,
    pub reached: Reached,
    pub found: Option<Found>,
}

/// What is needed for the way back.
#[derive(Debug)]
pub struct Kept {
    pub bits: PcBits,
    pub placed: PlacedSteps,
    pub rings: Vec<Dd>,
}

/// States in which the goal is reached; their ring is the last.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    pub states: Dd,
    /// The slot of the thread that fails or has arrived.
    pub culprit: usize,
}

impl<'a> PcSearch<'a> {
    pub fn new(template: Template<'a>, bits: PcBits) -> Self {
        let placed = PlacedSteps::new(&template);
        PcSearch {
            kept: Kept { bits, placed, rings: Vec::new() },
            n_slots: template.layout.n_threads(),
            moves: Vec::new(),
            states: template.dd.zero().clone(),
            reached: Reached::default(),
            found: None,
            template,
        }
    }

    /// The initial states with so many threads; the relations are built on the way.
    pub fn start(&mut self, n_threads: usize, ctx: &RunCtx) -> Result<Dd, Exhausted> {
        let dd = self.template.dd;
        let initial = self.template.initial()?;
        let mut states = initial.shared;
        for slot in 0..self.n_slots {
            let place = (slot < n_threads).then_some(initial.pc);
            let mut at = self.kept.bits.at(slot, Copy::Now, place);
            at.push(self.kept.bits.holds(slot, Copy::Now, false));
            states = dd.and(&states, &dd.product(&at)?)?;
            if place.is_some() {
                let locals = self.kept.placed.to_slot(dd, &initial.locals, slot)?;
                states = dd.and(&states, &locals)?;
            }
        }
        // Every place in the graph of the program: numbers are given in order of discovery.
        let mut next = 0;
        while next < self.template.n_places() {
            ctx.budget.check()?;
            self.template.steps(Pc::new(next))?;
            next += 1;
        }
        self.build(ctx)?;
        Ok(states)
    }

    /// Explores up to the first goal, or everything.
    pub fn run(
        &mut self,
        initial: Dd,
        goal: &Goal,
        exhaustive: bool,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        let mut ring = initial;
        while !dd.is_false(&ring) {
            ctx.progress.set_round(self.kept.rings.len() as u64);
            self.states = dd.or(&self.states, &ring)?;
            if self.found.is_none() {
                self.look_for(goal, &ring)?;
                if self.found.is_some() && !exhaustive {
                    return Ok(());
                }
            }
            let mut next = dd.zero().clone();
            for it in &self.moves {
                ctx.budget.check()?;
                let image = dd.and_exists(&ring, &it.relation, &it.gone)?;
                next = dd.or(&next, &dd.rename(&image, &it.shift)?)?;
                dd.maybe_gc();
            }
            let new = dd.minus(&next, &self.states)?;
            let done = std::mem::replace(&mut ring, new);
            // After the first goal only its own way back is needed.
            if self.found.is_none() {
                self.kept.rings.push(done);
            }
        }
        if exhaustive {
            self.look_everywhere()?;
        }
        Ok(())
    }

    /// Notes the goal, if the ring reaches it.
    fn look_for(&mut self, goal: &Goal, ring: &Dd) -> Result<(), OutOfNodes> {
        for pc in (0..self.template.n_places()).map(Pc::new) {
            let label = label_site(self.template.program, goal, self.template.loc(pc));
            let failures = self.failures(pc)?;
            for slot in 0..self.n_slots {
                if let Some(site) = &label {
                    let states = self.at(ring, slot, pc)?;
                    self.note(site, states, slot);
                }
                for (edge, guard) in failures.iter().filter(|_| *goal == Goal::Assert) {
                    let states = self.failing(ring, slot, pc, guard)?;
                    self.note(&GoalSite::Assert(*edge), states, slot);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, site: &GoalSite, states: Dd, culprit: usize) {
        if self.found.is_none() && !self.template.dd.is_false(&states) {
            self.found = Some(Found { site: site.clone(), states, culprit });
        }
    }

    /// Notes every place and every failure among all states.
    fn look_everywhere(&mut self) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let all = self.states.clone();
        for pc in (0..self.template.n_places()).map(Pc::new) {
            let failures = self.failures(pc)?;
            for slot in 0..self.n_slots {
                if !dd.is_false(&self.at(&all, slot, pc)?) {
                    self.reached.locs.insert(self.template.loc(pc));
                }
                for (edge, guard) in &failures {
                    if !dd.is_false(&self.failing(&all, slot, pc, guard)?) {
                        self.reached.failed.insert(*edge);
                    }
                }
            }
        }
        Ok(())
    }

    /// The assertions at a place, with where they fail.
    fn failures(&mut self, pc: Pc) -> Result<Vec<(hardbop_cfg::EdgeRef, Dd)>, OutOfNodes> {
        let dd = self.template.dd;
        let mut failures = Vec::new();
        for step in self.template.steps(pc)?.iter() {
            if let Event::Violate(edge) = step.event {
                let mut guard = dd.one().clone();
                for part in step.relation.parts() {
                    guard = dd.and(&guard, part)?;
                }
                failures.push((edge, guard));
            }
        }
        Ok(failures)
    }

    fn at(&self, states: &Dd, slot: usize, pc: Pc) -> Result<Dd, OutOfNodes> {
        let dd = self.template.dd;
        dd.and(states, &dd.product(&self.kept.bits.at(slot, Copy::Now, Some(pc)))?)
    }

    fn failing(&self, states: &Dd, slot: usize, pc: Pc, guard: &Dd) -> Result<Dd, OutOfNodes> {
        let dd = self.template.dd;
        let states = self.at(states, slot, pc)?;
        let states = dd.and(&states, &dd.product(&self.may_move(slot))?)?;
        dd.and(&states, &self.kept.placed.to_slot(dd, guard, slot)?)
    }

    /// Nobody else holds the flag.
    pub(crate) fn may_move(&self, slot: usize) -> Product {
        let others = (0..self.n_slots).filter(|&other| other != slot);
        others.map(|other| self.kept.bits.holds(other, Copy::Now, false)).collect()
    }
}

impl Kept {
    /// One of some states, where nothing is known of them.
    pub fn pick_any(&self, template: &Template<'_>, states: &Dd) -> Result<Config, OutOfNodes> {
        let dd = template.dd;
        let n_slots = template.layout.n_threads();
        let mut combo = Combo { places: vec![None; n_slots], holder: None };
        for slot in 0..n_slots {
            let levels: Vec<_> = self.bits.levels(slot, Copy::Now).collect();
            let values = dd.pick_assignment(states, &levels).expect("there is a state");
            let (place, holds) = values.split_at(values.len() - 1);
            let number = place.iter().rev().fold(0, |n, &bit| 2 * n + usize::from(bit));
            combo.places[slot] = number.checked_sub(1).map(Pc::new);
            if holds[0] {
                combo.holder = Some(slot);
            }
        }
        let states = self.at(template, states, &combo)?;
        Ok(pick(template, &combo, &states))
    }

    /// The states with these places and this holder.
    fn at(&self, template: &Template<'_>, states: &Dd, combo: &Combo) -> Result<Dd, OutOfNodes> {
        let mut at = Product::new();
        for (slot, place) in combo.places.iter().enumerate() {
            at.extend(self.bits.at(slot, Copy::Now, *place));
            at.push(self.bits.holds(slot, Copy::Now, combo.holder == Some(slot)));
        }
        template.dd.and(states, &template.dd.product(&at)?)
    }
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
        let combo = Combo { places: wanted.places.clone(), holder: wanted.holder };
        let states = self.at(template, &self.rings[ring], &combo)?;
        let states = wanted.among(template.dd, &self.placed, &states)?;
        Ok((!template.dd.is_false(&states)).then(|| pick(template, &combo, &states)))
    }
}
