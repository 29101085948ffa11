//! An atomic section as one leap.
//!
//! While the flag is held only its holder moves, so inside a section there is one thread and the
//! shared variables: their states are kept together in one diagram for each place, and are cut into
//! products where the section ends. A section that gets stuck stops everybody: nothing comes of it but
//! the goals it has met. A start makes the holder a state of its own, because then there are threads
//! that have not moved yet.

use crate::counted::explore::AtBound;
use hardbop_base::Exhausted;
use hardbop_cfg::Goal;
use hardbop_dd::Dd;
use hardbop_evidence::Event;
use rustc_hash::FxHashMap;

use crate::symbolic::cut::cut;
use crate::symbolic::set_moves::{Move, Moves, SetMoves, Standing};
use crate::symbolic::step::Effect;
use crate::symbolic::template::Pc;

impl SetMoves<'_> {
    /// Adds the moves of a thread that holds the flag at a place, `before` being its values and the
    /// shared ones. `standing` is that before the section, if it begins here.
    pub(crate) fn section(
        &mut self,
        pc: Pc,
        before: Dd,
        standing: Standing,
        goal: &Goal,
        all: &mut Moves,
    ) -> Result<(), Exhausted> {
        let dd = self.template.dd;
        let (locals, _) = self.template.layout.cuts();
        // The flag is told only where it changes.
        let (gives, keeps) = (standing.held.then_some(false), (!standing.held).then_some(true));
        let budget = self.budget.clone();
        let mut meter = budget.meter(64);
        let mut reached: FxHashMap<Pc, Dd> = FxHashMap::default();
        let mut todo = vec![(pc, before)];
        while let Some((pc, states)) = todo.pop() {
            meter.tick()?;
            let known = reached.entry(pc).or_insert_with(|| dd.zero().clone());
            let new = dd.minus(&states, known)?;
            if dd.is_false(&new) {
                continue;
            }
            *known = dd.or(known, &new)?;
            if let Some(site) = self.arrive(pc, goal) {
                self.found.get_or_insert(site);
            }
            for step in self.template.steps(pc)?.iter() {
                let after = step.relation.post(dd, &new, step.relation.parts())?;
                if dd.is_false(&after) {
                    continue;
                }
                match &step.effect {
                    Effect::Violate => {
                        if let Event::Violate(edge) = step.event {
                            all.failures.push(edge);
                        }
                    }
                    Effect::End => {
                        for (shared, _) in cut(dd, &after, locals)? {
                            all.moves.push(Move::end(shared));
                        }
                    }
                    Effect::Flag(to, false) => {
                        for (shared, values) in cut(dd, &after, locals)? {
                            let go = Move::go(shared, self.come(*to, values, false, goal)?);
                            all.moves.push(Move { flag: gives, ..go });
                        }
                    }
                    Effect::Start { to, new: pc, birth } if !standing.is_full => {
                        for (shared, values, started) in self.births(&step.relation, birth, &new)? {
                            let go = Move::go(shared, self.come(*to, values, true, goal)?);
                            let started = Some(self.come(*pc, started, true, goal)?);
                            all.moves.push(Move { flag: keeps, started, ..go });
                        }
                    }
                    Effect::Start { .. } if standing.is_full && self.at_bound == AtBound::Cut => {}
                    Effect::Go(to) | Effect::Flag(to, true) | Effect::Start { to, .. } => {
                        todo.push((*to, after));
                    }
                    Effect::Broadcast { .. } => unreachable!("there are no leaps with broadcasts"),
                }
            }
        }
        Ok(())
    }
}
