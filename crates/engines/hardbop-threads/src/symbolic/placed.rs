//! Steps of the template as steps of one of several threads.

use std::rc::Rc;

use hardbop_dd::{Cube, Dd, Manager, OutOfNodes, Renaming};
use rustc_hash::FxHashMap;

use crate::symbolic::layout::{Copy, Layout, n_positions};
use crate::symbolic::relation::post;
use crate::symbolic::step::{Effect, Step};
use crate::symbolic::template::{Pc, Template};

/// A relation on the levels of the threads it concerns.
#[derive(Debug)]
pub struct PlacedRelation {
    pub parts: Vec<Dd>,
    gone: Cube,
    shift: Renaming,
}

impl PlacedRelation {
    pub fn post(&self, dd: &Manager, states: &Dd) -> Result<Dd, OutOfNodes> {
        dd.rename(&post(dd, states, &self.parts, &self.gone)?, &self.shift)
    }
}

/// The step of a place, the slot of the thread that takes it, and what it does to other slots.
type Key = (Pc, usize, usize, Others);

/// What a step does to other slots.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Others {
    Nothing,
    /// A thread begins in this slot.
    Start(usize),
    /// A broadcast reaches threads at these places.
    Broadcast(Vec<Option<Pc>>),
}

/// All relations that were placed so far.
#[derive(Debug)]
pub struct PlacedSteps {
    /// From the first slot to each.
    to_slot: Vec<Renaming>,
    known: FxHashMap<Key, Rc<PlacedRelation>>,
}

impl PlacedSteps {
    pub fn new(template: &Template<'_>) -> Self {
        let layout = template.layout;
        let n_positions = n_positions(template.program);
        let to_slot = (0..layout.n_threads()).map(|slot| to_slot(layout, n_positions, slot, None));
        PlacedSteps { to_slot: to_slot.collect(), known: FxHashMap::default() }
    }

    /// A set on the levels of the first thread as one of the thread of a slot.
    pub fn to_slot(&self, dd: &Manager, f: &Dd, slot: usize) -> Result<Dd, OutOfNodes> {
        dd.rename(f, &self.to_slot[slot])
    }

    pub fn get(
        &mut self,
        template: &Template<'_>,
        at: (Pc, usize),
        step: &Step,
        slot: usize,
        others: Others,
    ) -> Result<Rc<PlacedRelation>, OutOfNodes> {
        let key = (at.0, at.1, slot, others);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let placed = Rc::new(self.place(template, step, slot, &key.3)?);
        self.known.insert(key, placed.clone());
        Ok(placed)
    }

    fn place(
        &self,
        template: &Template<'_>,
        step: &Step,
        slot: usize,
        others: &Others,
    ) -> Result<PlacedRelation, OutOfNodes> {
        let Template { dd, layout, program, .. } = *template;
        let renaming = &self.to_slot[slot];
        let relation = &step.relation;
        let mut parts = Vec::new();
        for part in relation.parts() {
            parts.push(dd.rename(part, renaming)?);
        }
        let level = |position, copy| layout.level_of(slot, position, copy);
        let mut shift: Vec<_> =
            relation.kept.iter().map(|p| (level(p, Copy::Next), level(p, Copy::Now))).collect();
        let mut gone: Vec<_> =
            relation.gone.levels().iter().map(|&level| renaming.target(level)).collect();
        match (others, &step.effect) {
            (Others::Start(new), Effect::Start { birth, .. }) => {
                // The slot was empty: its current values do not occur yet.
                let n_positions = n_positions(program);
                let renaming = to_slot(layout, n_positions, slot, Some(*new));
                for part in birth {
                    parts.push(dd.rename(part, &renaming)?);
                }
            }
            (Others::Broadcast(places), Effect::Broadcast { proc, values, .. }) => {
                for (other, pc) in places.iter().enumerate().filter(|&(other, _)| other != slot) {
                    let Some(pc) = *pc else { continue };
                    let live = template.live(pc);
                    for (position, wave) in template.reached_by(pc, *proc, values) {
                        if !live.contains(position) {
                            continue;
                        }
                        let next = layout.level_of(other, position, Copy::Next);
                        let now = layout.level_of(other, position, Copy::Now);
                        let be_true = dd.rename(&wave.may.be_true, renaming)?;
                        let be_false = dd.rename(&wave.may.be_false, renaming)?;
                        parts.push(dd.ite(&dd.var(next)?, &be_true, &be_false)?);
                        shift.push((next, now));
                        gone.push(now);
                    }
                }
            }
            _ => {}
        }
        Ok(PlacedRelation { parts, gone: dd.cube(gone)?, shift: Renaming::new(shift) })
    }
}

/// From the first slot to another; a started thread's levels to those of its slot.
fn to_slot(layout: &Layout, n_positions: usize, slot: usize, started: Option<usize>) -> Renaming {
    let locals = (0..n_positions).filter(|&position| !layout.is_shared(position));
    Renaming::new(locals.flat_map(|position| {
        let own = [Copy::Now, Copy::Next]
            .map(|copy| (layout.level(position, copy), layout.level_of(slot, position, copy)));
        let new = started.map(|new| {
            let to = layout.level_of(new, position, Copy::Now);
            (layout.level(position, Copy::Started), to)
        });
        own.into_iter().chain(new)
    }))
}
