//! The rings of a search over products, for the way back.

use std::cell::RefCell;

use crate::counted::counters::{Counters, LocalId};
use crate::counted::identify::perfect_matching;
use hardbop_base::Bits;
use hardbop_dd::{Dd, OutOfNodes};
use rustc_hash::FxHashMap;

use crate::symbolic::backtrack::{Config, Rings, Thread, Wanted};
use crate::symbolic::counter_search::{Ring, Witness};
use crate::symbolic::history::History;
use crate::symbolic::layout::Copy;
use crate::symbolic::sets::LocalSets;
use crate::symbolic::template::{Pc, Template};

/// See above.
#[derive(Debug)]
pub struct CounterRings<'r> {
    rings: &'r [Ring],
    history: &'r History,
    pub sets: &'r LocalSets,
    /// Of the ring that was asked last.
    index: RefCell<Index>,
}

/// A ring, and which of its states are at each list of places.
type Index = (usize, FxHashMap<Vec<Pc>, Vec<usize>>);

impl<'r> CounterRings<'r> {
    pub fn new(rings: &'r [Ring], history: &'r History, sets: &'r LocalSets) -> Self {
        CounterRings { rings, history, sets, index: RefCell::new((usize::MAX, Default::default())) }
    }

    /// The states of a ring whose threads are at these places, sorted.
    fn candidates(&self, ring: usize, places: &[Pc]) -> Vec<usize> {
        let mut index = self.index.borrow_mut();
        if index.0 != ring {
            *index = (ring, FxHashMap::default());
            for (at, (id, _)) in self.rings[ring].iter().enumerate() {
                index.1.entry(self.places(&self.history.threads(*id))).or_default().push(at);
            }
        }
        index.1.get(places).cloned().unwrap_or_default()
    }
}

impl Rings for CounterRings<'_> {
    fn n_rings(&self) -> usize {
        self.rings.len()
    }

    // Threads are interchangeable: a new slot is as good as any.
    fn empty_slots(&self, threads: &[Option<Thread>]) -> Vec<usize> {
        vec![threads.len()]
    }

    fn starts_in(&self, _before: &[Option<Pc>], _slot: usize) -> bool {
        true
    }

    fn find(
        &self,
        template: &Template<'_>,
        ring: usize,
        wanted: &Wanted,
    ) -> Result<Option<Config>, OutOfNodes> {
        let mover = wanted.places[wanted.mover].expect("the mover is somewhere");
        let mut places: Vec<Pc> = wanted.places.iter().flatten().copied().collect();
        places.sort_unstable();
        for at in self.candidates(ring, &places) {
            let (id, shared) = &self.rings[ring][at];
            if template.dd.disjoint(shared, &wanted.pair) {
                continue;
            }
            let state = self.history.threads(*id);
            if state.holder.is_some() != wanted.holder.is_some() {
                continue;
            }
            for local in movers(&state) {
                if self.place(local) == mover
                    && let Some(config) = self.fit(template, wanted, &state, shared, local)?
                {
                    return Ok(Some(config));
                }
            }
        }
        Ok(None)
    }
}

/// The sets of which a thread may move.
fn movers(state: &Counters) -> Vec<LocalId> {
    match state.holder {
        Some(holder) => vec![holder],
        None => state.counts.iter().map(|it| it.0).collect(),
    }
}

impl CounterRings<'_> {
    fn place(&self, local: LocalId) -> Pc {
        self.sets.only(local).0
    }

    /// The places of all threads, sorted.
    fn places(&self, state: &Counters) -> Vec<Pc> {
        let locals = copies(state).into_iter().chain(state.holder);
        let mut places: Vec<Pc> = locals.map(|local| self.place(local)).collect();
        places.sort_unstable();
        places
    }

    /// A state of the product as wanted, whose mover is of the set `mover`.
    fn fit(
        &self,
        template: &Template<'_>,
        wanted: &Wanted,
        state: &Counters,
        shared: &Dd,
        mover: LocalId,
    ) -> Result<Option<Config>, OutOfNodes> {
        let dd = template.dd;
        let own = &self.sets.only(mover).1;
        let pair = dd.and(&dd.and(shared, own)?, &wanted.pair)?;
        if dd.is_false(&pair) {
            return Ok(None);
        }
        let mut rest = state.clone();
        if state.holder.is_some() {
            rest.holder = None;
        } else {
            rest.take(mover);
        }
        let sets: Vec<LocalId> = copies(&rest);
        let others: Vec<usize> =
            (0..wanted.others.len()).filter(|&slot| wanted.others[slot].is_some()).collect();
        let fits = |other: usize, set: usize| {
            let slot = others[other];
            let it = self.sets.only(sets[set]);
            Some(it.0) == wanted.places[slot]
                && wanted.others[slot].as_ref().is_some_and(|values| !dd.disjoint(values, &it.1))
        };
        if sets.len() != others.len() {
            return Ok(None);
        }
        let Some(given) = perfect_matching(others.len(), fits) else { return Ok(None) };
        let mut threads = vec![None; wanted.places.len()];
        for (other, set) in given.into_iter().enumerate() {
            let slot = others[other];
            let it = self.sets.only(sets[set]);
            let wanted = wanted.others[slot].as_ref().expect("another thread");
            threads[slot] = Some(pick_thread(template, it.0, &dd.and(wanted, &it.1)?));
        }
        let pc = self.place(mover);
        threads[wanted.mover] = Some(pick_thread(template, pc, &pair));
        let shared = pick(template, &template.live_shared(), &pair);
        Ok(Some(Config { shared, threads, holder: wanted.holder }))
    }

    /// A state in which the goal is reached, and the slot of the thread that does.
    pub fn last(
        &self,
        template: &Template<'_>,
        found: &Witness,
        guard: &Dd,
    ) -> Result<(Config, usize), OutOfNodes> {
        let dd = template.dd;
        let culprit = self.sets.only(found.culprit);
        let pair = dd.and(&dd.and(&found.shared, &culprit.1)?, guard)?;
        let mut rest = found.threads.clone();
        let is_holder = rest.holder == Some(found.culprit);
        if !(is_holder || rest.take(found.culprit)) {
            unreachable!("the culprit is one of the threads");
        }
        let holder = if is_holder { None } else { rest.holder };
        let mut threads = vec![Some(pick_thread(template, culprit.0, &pair))];
        for set in copies(&rest).into_iter().chain(holder) {
            let it = self.sets.only(set);
            threads.push(Some(pick_thread(template, it.0, &it.1)));
        }
        let holder = if is_holder { Some(0) } else { holder.map(|_| threads.len() - 1) };
        let shared = pick(template, &template.live_shared(), &pair);
        Ok((Config { shared, threads, holder }, 0))
    }
}

/// Each set as often as it has threads, without the holder.
fn copies(state: &Counters) -> Vec<LocalId> {
    let copies = state.counts.iter();
    copies.flat_map(|&(local, n)| std::iter::repeat_n(local, n as usize)).collect()
}

/// A thread of a set that is not empty. The choice is the same every time, so that it agrees with
/// that of the shared values of the same set.
fn pick_thread(template: &Template<'_>, pc: Pc, set: &Dd) -> Thread {
    Thread { pc, values: pick(template, &template.live(pc), set).from(template.program.n_shared()) }
}

/// The positions that are true at the first point of a set.
fn pick(template: &Template<'_>, positions: &Bits, set: &Dd) -> Bits {
    let positions: Vec<usize> = positions.iter().collect();
    let levels: Vec<_> =
        positions.iter().map(|&position| template.layout.level(position, Copy::Now)).collect();
    let values = template.dd.pick_assignment(set, &levels).expect("the set is not empty");
    positions.into_iter().zip(values).filter(|it| it.1).map(|it| it.0).collect()
}
