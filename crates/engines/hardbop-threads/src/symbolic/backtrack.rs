//! From a state in which the goal is reached back to an initial one: BOOM algorithm 7.2.
//!
//! Every state of a ring has a predecessor in the ring before. For one concrete state, all ways a
//! thread can have come to its place are tried: the values before are a set (a pre-image), the places
//! of all threads and the values of the others are known, and the ring is asked for such a state.
//! Unlike BOOM's, the states of the way back have their threads in *slots*, so that the trace knows
//! who is who.

use hardbop_base::{Bits, Budget, Exhausted};
use hardbop_dd::{Dd, Level, Manager, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::symbolic::layout::Copy;
use crate::symbolic::placed::PlacedSteps;
use crate::symbolic::relation::post;
use crate::symbolic::step::{Effect, Step};
use crate::symbolic::template::{Pc, Template};

/// A thread, with the values that matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    pub pc: Pc,
    pub values: Bits,
}

/// A global state, with the values that matter. Slots may be empty.
#[derive(Clone, Debug)]
pub struct Config {
    pub shared: Bits,
    pub threads: Vec<Option<Thread>>,
    pub holder: Option<usize>,
}

/// One step of a way to the goal.
#[derive(Debug)]
pub struct Hop {
    /// The slot of the thread that moves, its place before, and which step from there.
    pub mover: usize,
    pub pc: Pc,
    pub step: usize,
    /// The slot of the thread that was started.
    pub started: Option<usize>,
    pub after: Config,
}

/// What is known of a state that is looked for.
#[derive(Debug)]
pub struct Wanted {
    pub places: Vec<Option<Pc>>,
    pub holder: Option<usize>,
    pub mover: usize,
    /// The shared values and the mover's.
    pub pair: Dd,
    /// The values of each other thread, on the levels of the first thread.
    pub others: Vec<Option<Dd>>,
}

impl Wanted {
    /// Those of some states of threads in slots, at the wanted places, whose values are as wanted.
    pub fn among(&self, dd: &Manager, placed: &PlacedSteps, states: &Dd) -> Result<Dd, OutOfNodes> {
        let mut states = dd.and(states, &placed.to_slot(dd, &self.pair, self.mover)?)?;
        for (slot, values) in self.others.iter().enumerate() {
            if let Some(values) = values {
                states = dd.and(&states, &placed.to_slot(dd, values, slot)?)?;
            }
        }
        Ok(states)
    }
}

/// A search that remembers its rings.
pub trait Rings {
    fn n_rings(&self) -> usize;

    /// Slots in which a thread that is gone may have been.
    fn empty_slots(&self, threads: &[Option<Thread>]) -> Vec<usize> {
        (0..threads.len()).filter(|&slot| threads[slot].is_none()).collect()
    }

    /// Whether a thread started beside these has this slot: it takes the first empty one.
    fn starts_in(&self, before: &[Option<Pc>], slot: usize) -> bool {
        before.iter().position(Option::is_none) == Some(slot)
    }

    /// A state of the ring.
    fn find(
        &self,
        template: &Template<'_>,
        ring: usize,
        wanted: &Wanted,
    ) -> Result<Option<Config>, OutOfNodes>;
}

/// An initial state and the steps from it to `last`, which follows the last ring. `None` if there is
/// no such way, which is a mistake of ours.
pub fn backtrack(
    template: &mut Template<'_>,
    rings: &impl Rings,
    bound: u32,
    last: Config,
    budget: &Budget,
) -> Result<Option<(Config, Vec<Hop>)>, Exhausted> {
    let arrivals = Arrivals::of(template);
    let mut at = last;
    let mut hops = Vec::new();
    for ring in (0..rings.n_rings()).rev() {
        budget.check()?;
        let back = Back { template, rings, arrivals: &arrivals, bound, ring, after: &at };
        let Some((before, hop)) = back.predecessor()? else { return Ok(None) };
        hops.push(hop);
        at = before;
    }
    hops.reverse();
    Ok(Some((at, hops)))
}

/// The steps that lead to each place, and those that end a thread.
struct Arrivals {
    at: FxHashMap<Pc, Vec<(Pc, usize)>>,
    ends: Vec<(Pc, usize)>,
}

impl Arrivals {
    fn of(template: &Template<'_>) -> Self {
        let mut arrivals = Arrivals { at: FxHashMap::default(), ends: Vec::new() };
        for (pc, steps) in template.known_steps() {
            for (index, step) in steps.iter().enumerate() {
                match step.effect {
                    Effect::Go(to)
                    | Effect::Flag(to, _)
                    | Effect::Start { to, .. }
                    | Effect::Broadcast { to, .. } => {
                        arrivals.at.entry(to).or_default().push((pc, index));
                    }
                    Effect::End => arrivals.ends.push((pc, index)),
                    Effect::Violate => {}
                }
            }
        }
        arrivals
    }
}

/// One step back.
struct Back<'b, 'a, R> {
    template: &'b mut Template<'a>,
    rings: &'b R,
    arrivals: &'b Arrivals,
    bound: u32,
    ring: usize,
    after: &'b Config,
}

impl<R: Rings> Back<'_, '_, R> {
    fn predecessor(mut self) -> Result<Option<(Config, Hop)>, OutOfNodes> {
        let after = self.after;
        for mover in 0..after.threads.len() {
            let Some(thread) = &after.threads[mover] else { continue };
            for &(pc, step) in self.arrivals.at.get(&thread.pc).into_iter().flatten() {
                if let Some(found) = self.by_step(mover, pc, step)? {
                    return Ok(Some(found));
                }
            }
        }
        for mover in self.rings.empty_slots(&after.threads) {
            for &(pc, step) in &self.arrivals.ends {
                if let Some(found) = self.by_step(mover, pc, step)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn by_step(
        &mut self,
        mover: usize,
        pc: Pc,
        index: usize,
    ) -> Result<Option<(Config, Hop)>, OutOfNodes> {
        let steps = self.template.steps(pc)?;
        let step = &steps[index];
        let n_alive = self.after.threads.iter().flatten().count();
        let is_full = n_alive >= self.bound as usize;
        let started: Vec<Option<usize>> = match step.effect {
            Effect::Start { new, .. } => {
                let here = |slot: &usize| {
                    let thread = self.after.threads[*slot].as_ref();
                    *slot != mover && thread.is_some_and(|thread| thread.pc == new)
                };
                let slots = (0..self.after.threads.len()).filter(here);
                is_full.then_some(None).into_iter().chain(slots.map(Some)).collect()
            }
            _ => vec![None],
        };
        for started in started {
            for holder in self.holders(mover, &step.effect) {
                let found = self.find(mover, pc, step, started, holder)?;
                if let Some(before) = found {
                    let after = self.after.clone();
                    return Ok(Some((before, Hop { mover, pc, step: index, started, after })));
                }
            }
        }
        Ok(None)
    }

    /// Who may have held the flag before.
    fn holders(&self, mover: usize, effect: &Effect) -> Vec<Option<usize>> {
        let after = self.after.holder;
        match effect {
            Effect::Flag(_, true) if after == Some(mover) => vec![None, Some(mover)],
            Effect::Flag(_, true) => vec![],
            Effect::Flag(_, false) | Effect::End if after.is_none() => vec![None, Some(mover)],
            Effect::Flag(_, false) | Effect::End => vec![],
            _ if after.is_none_or(|holder| holder == mover) => vec![after],
            _ => vec![],
        }
    }

    fn find(
        &mut self,
        mover: usize,
        pc: Pc,
        step: &Step,
        started: Option<usize>,
        holder: Option<usize>,
    ) -> Result<Option<Config>, OutOfNodes> {
        let after = self.after;
        let mut places: Vec<Option<Pc>> =
            after.threads.iter().map(|thread| thread.as_ref().map(|it| it.pc)).collect();
        if mover >= places.len() {
            places.resize(mover + 1, None);
        }
        places[mover] = Some(pc);
        if let Some(slot) = started {
            places[slot] = None;
            if !self.rings.starts_in(&places, slot) {
                return Ok(None);
            }
        }
        let mut pair = self.pair(mover, step, started)?;
        let mut others = vec![None; places.len()];
        for (slot, thread) in after.threads.iter().enumerate() {
            if let (Some(thread), true) = (thread, slot != mover && Some(slot) != started) {
                let (values, mover_may) = self.other(thread, &step.effect)?;
                pair = self.template.dd.and(&pair, &mover_may)?;
                others[slot] = Some(values);
            }
        }
        if self.template.dd.is_false(&pair) {
            return Ok(None);
        }
        self.rings.find(self.template, self.ring, &Wanted { places, holder, mover, pair, others })
    }

    /// The shared values and the mover's before the step.
    fn pair(&self, mover: usize, step: &Step, started: Option<usize>) -> Result<Dd, OutOfNodes> {
        let Template { dd, layout, .. } = *self.template;
        let relation = &step.relation;
        let thread = self.after.threads.get(mover).and_then(Option::as_ref);
        let live = match thread {
            Some(thread) => self.template.live(thread.pc),
            None => self.template.live_shared(),
        };
        let value = |position: usize| match thread {
            _ if layout.is_shared(position) => self.after.shared.contains(position),
            Some(thread) => thread.values.contains(position),
            None => false,
        };
        let (mut now, mut next): (Vec<(Level, bool)>, Vec<_>) = Default::default();
        for position in live.iter() {
            let is_next = relation.kept.contains(position);
            let (list, copy) =
                if is_next { (&mut next, Copy::Next) } else { (&mut now, Copy::Now) };
            list.push((layout.level(position, copy), value(position)));
        }
        let mut parts: Vec<&Dd> = relation.parts().collect();
        if let (Effect::Start { birth, .. }, Some(slot)) = (&step.effect, started) {
            parts.extend(birth);
            let new = self.after.threads[slot].as_ref().expect("the started thread is there");
            for position in self.template.live(new.pc).iter().filter(|&p| !layout.is_shared(p)) {
                let level = layout.level(position, Copy::Started);
                next.push((level, new.values.contains(position)));
            }
        }
        let mut fixed = Vec::new();
        for part in parts {
            fixed.push(dd.cofactor(part, &next)?);
        }
        let mut dead = relation.writes.clone();
        dead.subtract(&relation.kept);
        let dead = dd.cube(dead.iter().map(|position| layout.level(position, Copy::Next)))?;
        post(dd, &dd.product(&now)?, &fixed, &dead)
    }

    /// The values of another thread before the step, and those of the mover that make it so.
    fn other(&self, thread: &Thread, effect: &Effect) -> Result<(Dd, Dd), OutOfNodes> {
        let Template { dd, layout, .. } = *self.template;
        let mut unknown = Bits::new();
        let mut mover_may = dd.one().clone();
        let live = self.template.live(thread.pc);
        if let Effect::Broadcast { proc, values, .. } = effect {
            for (position, wave) in self.template.reached_by(thread.pc, *proc, values) {
                unknown.insert(position);
                if live.contains(position) {
                    let may = &wave.may;
                    let is_true = thread.values.contains(position);
                    let may = if is_true { &may.be_true } else { &may.be_false };
                    mover_may = dd.and(&mover_may, may)?;
                }
            }
        }
        let known = live.iter().filter(|&p| !layout.is_shared(p) && !unknown.contains(p));
        let known = known.map(|p| (layout.level(p, Copy::Now), thread.values.contains(p)));
        Ok((dd.product(&known.collect::<Vec<_>>())?, mover_may))
    }
}
