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
//! **Departures.** Predecessors are restricted to what [`crate::cover::modular`] lets occur and to sums of tokens
//! within their [bounds](crate::cover::bounds) (after ICover, which uses sign analysis and the state equation): what
//! is dropped cannot be covered from an initial state.
//! Elements with few threads are looked at first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_engine::RunCtx;
use rustc_hash::FxHashMap;

use crate::cover::antichain::{Antichain, Keep};
use crate::cover::board::Listener;
use crate::cover::bounds::Bound;
use crate::cover::counts::LocalId;
use crate::cover::modular::Modular;
use crate::cover::run::{Moved, Run, execute, pre};
use crate::cover::system::{ControlId, State, System, TransferId};
use crate::cover::unroll::run_to;

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
    /// Hold in every state that is reached: elements outside are left out.
    pub bounds: Vec<Bound>,
    /// More elements are not looked for.
    pub max_elements: usize,
    /// Elements with more threads are left out.
    pub max_threads: u64,
    /// Whether an element was left out.
    left_out: bool,
    found: Option<Found>,
    listener: Option<Listener>,
    /// Elements looked at.
    n_looked: usize,
}

/// An element that can be covered.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// An initial state of this number covers it.
    Initially(u32, usize),
    /// Another engine has covered it.
    Elsewhere(u32),
}

impl Found {
    fn element(self) -> u32 {
        match self {
            Found::Initially(element, _) | Found::Elsewhere(element) => element,
        }
    }
}

/// Others are listened to after so many elements, and in the beginning more often.
const LISTEN: usize = 1024;

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
            bounds: Vec::new(),
            max_elements: usize::MAX,
            max_threads: u64::MAX,
            left_out: false,
            found: None,
            listener: None,
            n_looked: 0,
        })
    }

    /// From now on uses what other engines tell.
    pub fn listen(&mut self, ctx: &RunCtx) {
        self.listener = Listener::of(ctx);
    }

    /// States that cannot be covered, and whose predecessors cannot either: nothing above them is looked at.
    pub fn exclude(&mut self, states: impl IntoIterator<Item = State>) {
        for state in states {
            if self.minimal.find(state.control, &state.counts).is_none() {
                self.insert(state, None);
            }
        }
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
            self.meet(system, target.clone(), None);
        }
        self.go_on(system, ctx, &mut meter)?;
        let Some(found) = self.found else { return Ok(None) };
        let mut last = &self.elements[found.element() as usize];
        while let Some((next, _, _)) = &last.next {
            last = &self.elements[*next as usize];
        }
        // Soundness: what was found leads to a target, so it is never "none".
        let target = targets.iter().position(|target| *target == last.state);
        Ok(Some(target.expect("every element leads to a target")))
    }

    /// Looks at elements until one can be covered, or there are no more.
    fn go_on(
        &mut self,
        system: &mut dyn System,
        ctx: &RunCtx,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        while let (None, Some(Reverse((_, number)))) = (self.found, self.work.pop()) {
            self.n_looked += 1;
            if self.n_looked.is_power_of_two() || self.n_looked.is_multiple_of(LISTEN) {
                self.hear(system);
            }
            if self.elements[number as usize].redundant {
                continue;
            }
            ctx.progress.set_found(self.elements.len() as u64);
            ctx.progress.set_waiting(self.work.len() as u64);
            if self.elements.len() > self.max_elements {
                return Err(Exhausted::States(self.max_elements as u64));
            }
            self.look_at(system, number, meter)?;
        }
        Ok(())
    }

    /// The run of a search that has found one. If another engine has told how it ends, the search first goes on
    /// by itself for half of the time, because the other's way is not known here.
    pub fn run(&mut self, system: &mut dyn System, ctx: &RunCtx) -> Result<Option<Run>, Exhausted> {
        if let Some(Found::Elsewhere(_)) = self.found {
            let told = self.found.take();
            self.listener = None;
            let half = ctx.budget.time_left().map(|left| left / 2);
            let budget = ctx.budget.clone();
            let ctx = RunCtx::new(half.map_or(budget.clone(), |half| budget.at_most(half)));
            // Whatever ends it, there is the other's word.
            let _ = self.go_on(system, &ctx, &mut ctx.budget.meter(256));
            self.found = self.found.or(told);
        }
        let Some(found) = self.found else { return Ok(None) };
        let mut at = &self.elements[found.element() as usize];
        let mut meter = ctx.budget.meter(256);
        let (begin, mut steps) = match found {
            Found::Initially(_, initial) => {
                (system.begin(&self.initial[initial], &at.state.counts), Vec::new())
            }
            Found::Elsewhere(_) => match run_to(system, &at.state, ctx)? {
                Some(run) => {
                    (run.initial, run.steps.into_iter().map(|it| (it.rule, it.moved)).collect())
                }
                None => return Ok(None),
            },
        };
        while let Some((next, rule, moved)) = &at.next {
            steps.push((self.modular.rules[*rule as usize].1.clone(), moved.clone()));
            at = &self.elements[*next as usize];
        }
        execute(system, begin, steps, &mut meter)
    }

    /// The smallest states found, in order of discovery.
    pub fn basis(&self) -> Vec<&State> {
        let all = self.minimal.numbers();
        all.into_iter().map(|number| &self.elements[number as usize].state).collect()
    }

    /// All elements by their numbers, redundant ones included.
    pub fn elements(&self, numbers: Range<usize>) -> Vec<State> {
        self.elements[numbers].iter().map(|it| it.state.clone()).collect()
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
                    self.meet(system, state, Some((number, index, moved)));
                }
            }
        }
        Ok(())
    }

    fn meet(&mut self, system: &dyn System, state: State, next: Option<(u32, u32, Moved)>) {
        let State { control, ref counts } = state;
        if self.found.is_some()
            || !self.modular.allows(control, counts)
            || !self.bounds.iter().all(|bound| bound.admits(counts))
            || self.minimal.find(control, counts).is_some()
        {
            return;
        }
        let n_threads = counts.total();
        if n_threads > self.max_threads {
            self.left_out = true;
            return;
        }
        let initial = self.initial.iter().position(|initial| initial.covers(&state));
        let number = self.insert(state, next);
        self.found = initial.map(|initial| Found::Initially(number, initial));
        if let Some(listener) = &mut self.listener {
            listener.want(system, number, &self.elements[number as usize].state);
        }
        self.work.push(Reverse((n_threads, number)));
    }

    /// Adds an element that no smaller one makes redundant.
    fn insert(&mut self, state: State, next: Option<(u32, u32, Moved)>) -> u32 {
        let number = self.elements.len() as u32;
        for redundant in self.minimal.insert(state.control, &state.counts, number) {
            self.elements[redundant as usize].redundant = true;
        }
        self.elements.push(Element { state, next, redundant: false });
        number
    }

    /// What other engines have found meanwhile.
    fn hear(&mut self, system: &dyn System) {
        let Some(listener) = &mut self.listener else { return };
        self.found = listener.covered().map(Found::Elsewhere);
        let never = listener.never(system, self.modular);
        self.exclude(never);
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
