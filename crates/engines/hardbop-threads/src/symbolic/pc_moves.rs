//! The program of the thread of each slot as one relation over places, flag and values.

use hardbop_base::{Bits, Exhausted, Idx};
use hardbop_dd::{Cube, Dd, OutOfNodes, Renaming};
use hardbop_engine::RunCtx;

use crate::symbolic::layout::{Copy, n_positions};
use crate::symbolic::pc_search::PcSearch;
use crate::symbolic::step::{Effect, Step};
use crate::symbolic::template::{Pc, Template};

/// A relation with the slots it is for.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) relation: Dd,
    pub(crate) gone: Cube,
    pub(crate) shift: Renaming,
}

impl PcSearch<'_> {
    /// The relations of all slots: single threads, starts at the bound, starts below it.
    pub(crate) fn build(&mut self, ctx: &RunCtx) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        // Whatever can matter somewhere; the rest never occurs.
        let mut everything = Bits::new();
        for pc in (0..self.template.n_places()).map(Pc::new) {
            everything.union_with(&self.template.live(pc));
        }
        for slot in 0..self.n_slots {
            let (mut alone, mut at_bound) = (dd.zero().clone(), dd.zero().clone());
            let mut below = vec![dd.zero().clone(); self.n_slots];
            for pc in (0..self.template.n_places()).map(Pc::new) {
                ctx.budget.check()?;
                for step in self.template.steps(pc)?.iter() {
                    let one = match step.effect {
                        Effect::Violate => continue,
                        _ => self.step(slot, pc, step, &everything)?,
                    };
                    match &step.effect {
                        Effect::Start { new, .. } => {
                            for other in (0..self.n_slots).filter(|&other| other != slot) {
                                let both = self.birth(&one, slot, other, step, *new)?;
                                below[other] = dd.or(&below[other], &both)?;
                            }
                            at_bound = dd.or(&at_bound, &one)?;
                        }
                        _ => alone = dd.or(&alone, &one)?,
                    }
                }
            }
            let may_move = dd.product(&self.may_move(slot))?;
            let mut full = may_move.clone();
            for (other, below) in below.iter().enumerate() {
                let is_empty = self.kept.bits.is_empty(dd, other)?;
                if other != slot {
                    // A new thread takes the first empty slot.
                    let here = dd.and(&full, &is_empty)?;
                    self.add(below, &here, &[slot, other], &everything)?;
                }
                full = dd.minus(&full, &is_empty)?;
            }
            self.add(&alone, &may_move, &[slot], &everything)?;
            self.add(&at_bound, &full, &[slot], &everything)?;
        }
        Ok(())
    }

    /// Adds a relation between the current and the next values of some slots.
    fn add(
        &mut self,
        relation: &Dd,
        condition: &Dd,
        slots: &[usize],
        positions: &Bits,
    ) -> Result<(), OutOfNodes> {
        let dd = self.template.dd;
        let relation = dd.and(relation, condition)?;
        if dd.is_false(&relation) {
            return Ok(());
        }
        let (layout, bits) = (self.template.layout, &self.kept.bits);
        let mut pairs = Vec::new();
        for &slot in slots {
            let level = |position, copy| layout.level_of(slot, position, copy);
            pairs.extend(positions.iter().map(|p| (level(p, Copy::Next), level(p, Copy::Now))));
            pairs.extend(bits.levels(slot, Copy::Next).zip(bits.levels(slot, Copy::Now)));
        }
        let gone = dd.cube(pairs.iter().map(|pair| pair.1))?;
        self.moves.push(Move { relation, gone, shift: Renaming::new(pairs) });
        Ok(())
    }

    /// A step of the thread of a slot: places, flag, values; what is not written stays.
    fn step(&self, slot: usize, pc: Pc, step: &Step, all: &Bits) -> Result<Dd, OutOfNodes> {
        let Template { dd, layout, .. } = self.template;
        let bits = &self.kept.bits;
        let to = match step.effect {
            Effect::Go(to)
            | Effect::Flag(to, _)
            | Effect::Start { to, .. }
            | Effect::Broadcast { to, .. } => Some(to),
            Effect::End | Effect::Violate => None,
        };
        let mut relation = dd.one().clone();
        let live = to.map_or_else(|| self.template.live_shared(), |to| self.template.live(to));
        // From the bottom of the order, so that each conjunction adds its nodes on top.
        let mut kept: Vec<usize> =
            all.iter().filter(|&p| live.contains(p) && !step.relation.writes.contains(p)).collect();
        kept.sort_unstable_by_key(|&p| std::cmp::Reverse(layout.level_of(slot, p, Copy::Now)));
        for position in kept {
            let [now, next] =
                [Copy::Now, Copy::Next].map(|copy| dd.var(layout.level_of(slot, position, copy)));
            relation = dd.and(&relation, &dd.iff(&now?, &next?)?)?;
        }
        let mut dead = step.relation.writes.clone();
        dead.subtract(&live);
        let dead = dd.cube(dead.iter().map(|p| layout.level_of(slot, p, Copy::Next)))?;
        let mut own = dd.one().clone();
        for part in step.relation.parts() {
            let part = self.kept.placed.to_slot(dd, part, slot)?;
            own = dd.and(&own, &part)?;
        }
        relation = dd.and(&relation, &dd.exists(&own, &dead)?)?;
        let mut at = bits.at(slot, Copy::Now, Some(pc));
        at.extend(bits.at(slot, Copy::Next, to));
        match step.effect {
            Effect::Flag(_, holds) => at.push(bits.holds(slot, Copy::Next, holds)),
            Effect::End => at.push(bits.holds(slot, Copy::Next, false)),
            _ => {
                let [now, next] =
                    [Copy::Now, Copy::Next].map(|copy| dd.var(bits.holds(slot, copy, true).0));
                relation = dd.and(&relation, &dd.iff(&now?, &next?)?)?;
            }
        }
        dd.and(&relation, &dd.product(&at)?)
    }

    /// The same step with a thread that begins in another slot.
    fn birth(
        &self,
        one: &Dd,
        slot: usize,
        other: usize,
        step: &Step,
        new: Pc,
    ) -> Result<Dd, OutOfNodes> {
        let Template { dd, layout, program, .. } = self.template;
        let Effect::Start { birth, .. } = &step.effect else { return Ok(dd.zero().clone()) };
        let mut at = self.kept.bits.at(other, Copy::Next, Some(new));
        at.push(self.kept.bits.holds(other, Copy::Next, false));
        let mut both = dd.and(one, &dd.product(&at)?)?;
        let locals = (program.n_shared()..n_positions(program)).flat_map(|p| {
            [
                (layout.level(p, Copy::Now), layout.level_of(slot, p, Copy::Now)),
                (layout.level(p, Copy::Started), layout.level_of(other, p, Copy::Next)),
            ]
        });
        let renaming = Renaming::new(locals);
        for part in birth {
            both = dd.and(&both, &dd.rename(part, &renaming)?)?;
        }
        Ok(both)
    }
}
