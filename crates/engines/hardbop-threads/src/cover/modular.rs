//! Thread-modular reachability: which local states can occur under which control state, if any two
//! that can occur can occur together.
//!
//! **Computes** the least set of pairs (control, local) that contains the initial ones and is closed under
//! rules, for the threads that move and for those that look on. An over-approximation of what occurs,
//! cheap because threads are not counted: the engines that go backward meet nothing outside of it, and
//! take their rules from here.

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cover::counts::{Counts, LocalId};
use crate::cover::system::{ControlId, Rule, State, System, TransferId};

/// The pairs, and every rule that can be taken among them.
#[derive(Debug, Default)]
pub struct Modular {
    pairs: FxHashSet<(ControlId, LocalId)>,
    controls: FxHashMap<ControlId, Seen>,
    /// With the control state it starts from, in order of discovery.
    pub rules: Vec<(ControlId, Rule)>,
    /// Indices of the rules by the control state they lead to.
    pub by_target: FxHashMap<ControlId, Vec<u32>>,
    /// Rules that wait for a further local state to occur.
    waiting: FxHashMap<(ControlId, LocalId), Vec<Rule>>,
    new_controls: Vec<ControlId>,
    new_pairs: Vec<(ControlId, LocalId)>,
}

#[derive(Debug, Default)]
struct Seen {
    locals: Vec<LocalId>,
    /// Where the control state goes, and how those that look on react.
    steps: Vec<(ControlId, Option<TransferId>)>,
}

impl Modular {
    pub fn new(system: &mut dyn System, meter: &mut Meter<'_>) -> Result<Self, Exhausted> {
        let mut it = Modular::default();
        for State { control, counts } in system.initial(meter)? {
            it.reach(control);
            counts.locals().for_each(|local| it.occur(control, local));
        }
        loop {
            meter.tick()?;
            if let Some(control) = it.new_controls.pop() {
                for rule in system.rules(control, None, meter)?.iter() {
                    it.take_if_possible(system, control, rule.clone(), meter)?;
                }
            } else if let Some((control, local)) = it.new_pairs.pop() {
                for (to, transfer) in it.controls[&control].steps.clone() {
                    it.look_on(system, local, to, transfer, meter)?;
                }
                for rule in it.waiting.remove(&(control, local)).unwrap_or_default() {
                    it.take_if_possible(system, control, rule, meter)?;
                }
                for rule in system.rules(control, Some(local), meter)?.iter() {
                    it.take_if_possible(system, control, rule.clone(), meter)?;
                }
            } else {
                return Ok(it);
            }
        }
    }

    pub fn occurs(&self, control: ControlId, local: LocalId) -> bool {
        self.pairs.contains(&(control, local))
    }

    /// Whether a state may be covered, as far as single threads tell.
    pub fn allows(&self, control: ControlId, counts: &Counts) -> bool {
        self.controls.contains_key(&control)
            && counts.locals().all(|local| self.occurs(control, local))
    }

    /// In order of discovery.
    pub fn locals(&self, control: ControlId) -> &[LocalId] {
        self.controls.get(&control).map_or(&[], |seen| &seen.locals)
    }

    pub fn controls(&self) -> Vec<ControlId> {
        let mut all: Vec<_> = self.controls.keys().copied().collect();
        all.sort_unstable();
        all
    }

    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    fn reach(&mut self, control: ControlId) {
        if let std::collections::hash_map::Entry::Vacant(place) = self.controls.entry(control) {
            place.insert(Seen::default());
            self.new_controls.push(control);
        }
    }

    fn occur(&mut self, control: ControlId, local: LocalId) {
        if self.pairs.insert((control, local)) {
            self.controls.entry(control).or_default().locals.push(local);
            self.new_pairs.push((control, local));
        }
    }

    fn take_if_possible(
        &mut self,
        system: &mut dyn System,
        control: ControlId,
        rule: Rule,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        meter.tick()?;
        let missing = rule.take.locals().find(|&local| !self.occurs(control, local));
        if let Some(missing) = missing {
            self.waiting.entry((control, missing)).or_default().push(rule);
            return Ok(());
        }
        self.reach(rule.to);
        rule.put.locals().for_each(|local| self.occur(rule.to, local));
        let step = (rule.to, rule.transfer);
        self.by_target.entry(rule.to).or_default().push(self.rules.len() as u32);
        self.rules.push((control, rule));
        let seen = self.controls.get_mut(&control).expect("its local states occur");
        if !seen.steps.contains(&step) {
            seen.steps.push(step);
            for local in seen.locals.clone() {
                self.look_on(system, local, step.0, step.1, meter)?;
            }
        }
        Ok(())
    }

    fn look_on(
        &mut self,
        system: &mut dyn System,
        local: LocalId,
        to: ControlId,
        transfer: Option<TransferId>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        match transfer {
            None => self.occur(to, local),
            Some(transfer) => {
                for &after in system.react(transfer, local, meter)?.iter() {
                    self.occur(to, after);
                }
            }
        }
        Ok(())
    }
}
