//! Backward coverability: from the targets to all states that lead there.
//!
//! **Computes** the smallest elements of the upward-closed set of states from which a target can be
//! covered, by predecessors up to a fixpoint (Abdulla, Čerāns, Jonsson, Tsay 1996; field-map part 2 (b)).
//! The targets can be covered exactly if an initial state is in the set. Broadcasts are no obstacle.
//!
//! **Invariant.** Every element found leads to a target by the rules noted with it. For every element that
//! was looked at and every rule of the thread-modular approximation, the predecessor is above an element,
//! or has a thread state that cannot occur.
//!
//! **Departures.** Predecessors are restricted to what [`crate::modular`] lets occur (after ICover, which
//! uses sign analysis and the state equation): what is dropped cannot be covered from an initial state.
//! Elements with few threads are looked at first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_engine::RunCtx;
use rustc_hash::FxHashMap;

use crate::antichain::{Antichain, Keep};
use crate::counts::LocalId;
use crate::modular::Modular;
use crate::run::{Moved, Run, execute, pre};
use crate::system::{ControlId, State, System, TransferId};

/// The search.
#[derive(Debug)]
pub struct Backward<'m> {
    modular: &'m Modular,
    initial: Vec<State>,
    elements: Vec<Element>,
    minimal: Antichain,
    /// Fewest threads first, then oldest.
    work: BinaryHeap<Reverse<(u64, u32)>>,
    inverse: FxHashMap<(TransferId, ControlId), Rc<Inverse>>,
    /// More elements are not looked for.
    pub max_elements: usize,
    /// Elements with more threads are left out.
    pub max_threads: u64,
    /// Whether an element was left out.
    left_out: bool,
    /// An element that an initial state covers, and that state.
    found: Option<(u32, usize)>,
}

/// Which local states may become a given one.
type Inverse = FxHashMap<LocalId, Vec<LocalId>>;

#[derive(Debug)]
struct Element {
    state: State,
    /// The element it leads to, by which rule and reactions; none for targets.
    next: Option<(u32, u32, Moved)>,
    redundant: bool,
}

impl<'m> Backward<'m> {
    pub fn new(
        system: &mut dyn System,
        modular: &'m Modular,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Exhausted> {
        Ok(Backward {
            modular,
            initial: system.initial(meter)?,
            elements: Vec::new(),
            minimal: Antichain::new(Keep::Smallest),
            work: BinaryHeap::new(),
            inverse: FxHashMap::default(),
            max_elements: usize::MAX,
            max_threads: u64::MAX,
            left_out: false,
            found: None,
        })
    }

    /// Which of the targets can be covered, if one can.
    pub fn search(
        &mut self,
        system: &mut dyn System,
        targets: &[State],
        ctx: &RunCtx,
    ) -> Result<Option<usize>, Exhausted> {
        let mut meter = ctx.budget.meter(256);
        for target in targets {
            meter.tick()?;
            self.meet(target.clone(), None);
        }
        while let (None, Some(Reverse((_, number)))) = (self.found, self.work.pop()) {
            if self.elements[number as usize].redundant {
                continue;
            }
            ctx.progress.set_found(self.elements.len() as u64);
            ctx.progress.set_waiting(self.work.len() as u64);
            if self.elements.len() > self.max_elements {
                return Err(Exhausted::States(self.max_elements as u64));
            }
            self.look_at(system, number, &mut meter)?;
        }
        let Some((first, _)) = self.found else { return Ok(None) };
        let mut last = &self.elements[first as usize];
        while let Some((next, _, _)) = &last.next {
            last = &self.elements[*next as usize];
        }
        Ok(targets.iter().position(|target| *target == last.state))
    }

    /// The run of a search that has found one.
    pub fn run(
        &self,
        system: &mut dyn System,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Run>, Exhausted> {
        let Some((first, initial)) = self.found else { return Ok(None) };
        let mut steps = Vec::new();
        let mut at = &self.elements[first as usize];
        let begin = system.begin(&self.initial[initial], &at.state.counts);
        while let Some((next, rule, moved)) = &at.next {
            steps.push((self.modular.rules[*rule as usize].1.clone(), moved.clone()));
            at = &self.elements[*next as usize];
        }
        execute(system, begin, steps, meter)
    }

    /// The smallest states found, in order of discovery.
    pub fn basis(&self) -> Vec<&State> {
        let all = self.minimal.numbers();
        all.into_iter().map(|number| &self.elements[number as usize].state).collect()
    }

    /// Whether a search without result is a proof: nothing was left out.
    pub fn is_complete(&self) -> bool {
        !self.left_out
    }

    pub fn n_elements(&self) -> usize {
        self.elements.len()
    }

    fn look_at(
        &mut self,
        system: &mut dyn System,
        number: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let State { control, counts } = self.elements[number as usize].state.clone();
        let modular = self.modular;
        for &index in modular.by_target.get(&control).map_or(&[][..], |all| all) {
            meter.tick()?;
            let (from, rule) = &modular.rules[index as usize];
            let helps = rule.put.locals().any(|local| counts.get(local) > 0);
            if *from == control && rule.transfer.is_none() && !helps {
                continue;
            }
            let inverse = match rule.transfer {
                Some(transfer) => Some(self.inverse(system, transfer, *from, meter)?),
                None => None,
            };
            let sources = |local: LocalId| {
                inverse.as_ref().and_then(|all| all.get(&local)).cloned().unwrap_or_default()
            };
            for (need, moved) in pre(&counts, rule, sources, meter)? {
                if modular.allows(*from, &need) {
                    let state = State { control: *from, counts: need };
                    self.meet(state, Some((number, index, moved)));
                }
            }
        }
        Ok(())
    }

    fn meet(&mut self, state: State, next: Option<(u32, u32, Moved)>) {
        let State { control, ref counts } = state;
        if self.found.is_some()
            || !self.modular.allows(control, counts)
            || self.minimal.find(control, counts).is_some()
        {
            return;
        }
        if counts.total() > self.max_threads {
            self.left_out = true;
            return;
        }
        let number = self.elements.len() as u32;
        for redundant in self.minimal.insert(control, counts, number) {
            self.elements[redundant as usize].redundant = true;
        }
        if let Some(initial) = self.initial.iter().position(|initial| initial.covers(&state)) {
            self.found = Some((number, initial));
        }
        self.work.push(Reverse((counts.total(), number)));
        self.elements.push(Element { state, next, redundant: false });
    }

    fn inverse(
        &mut self,
        system: &mut dyn System,
        transfer: TransferId,
        from: ControlId,
        meter: &mut Meter<'_>,
    ) -> Result<Rc<Inverse>, Exhausted> {
        if let Some(known) = self.inverse.get(&(transfer, from)) {
            return Ok(known.clone());
        }
        let mut inverse = Inverse::default();
        for &local in self.modular.locals(from) {
            for &to in system.react(transfer, local, meter)?.iter() {
                inverse.entry(to).or_default().push(local);
            }
        }
        let inverse = Rc::new(inverse);
        self.inverse.insert((transfer, from), inverse.clone());
        Ok(inverse)
    }
}
