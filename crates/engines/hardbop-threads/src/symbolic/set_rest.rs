//! Where a thread stands: exactly, or up to steps that concern nobody else.
//!
//! See `crate::counted::leap` for why such steps need not be interleaved with anything.

use std::collections::BTreeMap;

use crate::counted::counters::LocalId;
use hardbop_base::Exhausted;
use hardbop_cfg::Goal;
use hardbop_dd::{Dd, OutOfNodes};
use hardbop_engine::GoalSite;
use hardbop_evidence::Event;

use crate::symbolic::set_moves::{Follow, SetMoves};
use crate::symbolic::sets::Points;
use crate::symbolic::step::{Effect, Step};
use crate::symbolic::template::Pc;

impl SetMoves<'_> {
    /// A thread has come to a place with one of these values.
    pub(crate) fn come(
        &mut self,
        pc: Pc,
        values: Dd,
        holds: bool,
        goal: &Goal,
    ) -> Result<LocalId, Exhausted> {
        if holds || self.follow == Follow::Steps {
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
    fn rest(&mut self, pc: Pc, values: &Dd, goal: &Goal) -> Result<Points, Exhausted> {
        let dd = self.template.dd;
        let mut reached: BTreeMap<Pc, Dd> = BTreeMap::new();
        let mut points = Points::new();
        let mut todo = vec![(pc, values.clone())];
        let budget = self.budget.clone();
        let mut meter = budget.meter(64);
        while let Some((pc, values)) = todo.pop() {
            meter.tick()?;
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
        let ends_count = self.ends_count;
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

    /// Whether a thread of a set is to be counted. One that never does anything again takes room, if
    /// anything.
    pub(crate) fn counts(&self, local: LocalId) -> bool {
        !self.sets.get(local).is_empty() || self.ends_count
    }
}
