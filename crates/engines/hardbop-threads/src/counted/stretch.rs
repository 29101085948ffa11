//! Stretches: what a thread can do before another one gets a turn.
//!
//! A stretch begins where the thread stands and ends with a move after which others may move. An atomic
//! section is always part of one stretch. How far it goes otherwise is said by [`Runs`].

use std::collections::VecDeque;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_cfg::EdgeRef;
use rustc_hash::FxHashMap;

use crate::counted::counters::{LocalId, SharedId};
use crate::counted::explore::{Explorer, KnownEffect, KnownMove};
use crate::counted::por::RegionId;

/// How far a thread runs alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Runs {
    /// One statement or section.
    OneStep,
    /// As long as it stays in its region of a Cartesian vector (BOOM section 6.4).
    Within(RegionId),
    /// Through steps that concern nobody else, and one that does: see [`leap`](crate::counted::leap).
    Leap,
}

/// Where a stretch begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    pub shared: SharedId,
    pub local: LocalId,
    /// Whether the thread holds the atomic flag.
    pub holds: bool,
    pub runs: Runs,
}

/// All runs of the thread from a start to the moves that end them.
#[derive(Debug, Default)]
pub struct Stretch {
    /// Where it starts, then every state it runs through.
    pub inner: Vec<Inner>,
    /// The moves after which others may move, each with the position it starts from.
    pub last: Vec<(usize, KnownMove)>,
    /// Assertions that may fail, each with the position where.
    pub failures: Vec<(usize, EdgeRef)>,
}

/// A state of the thread and the shared variables.
#[derive(Clone, Copy, Debug)]
pub struct Inner {
    pub shared: SharedId,
    pub local: LocalId,
    pub holds: bool,
    /// The position it was reached from; its own for the first.
    pub from: usize,
    /// The fewest statements since the first.
    pub distance: u32,
    visited: bool,
}

impl Stretch {
    /// `goes_on` says whether a thread that does not hold the flag runs on after a move that leaves
    /// others as they are.
    pub fn of(
        explorer: &mut Explorer<'_>,
        start: Start,
        goes_on: impl Fn(&Explorer<'_>, LocalId, &KnownMove) -> bool,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Exhausted> {
        let Start { shared, local, holds, .. } = start;
        let mut stretch = Stretch::default();
        let mut known = FxHashMap::from_iter([((shared, local, holds), 0)]);
        stretch.inner.push(Inner { shared, local, holds, from: 0, distance: 0, visited: false });
        // Returns count no statement, so the queue has two ends.
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            if std::mem::replace(&mut stretch.inner[at].visited, true) {
                continue;
            }
            let Inner { shared, local, holds, distance, .. } = stretch.inner[at];
            let moves = explorer.moves_of(shared, local, meter)?;
            stretch.failures.extend(moves.failures.iter().map(|&edge| (at, edge)));
            for it in &moves.moves {
                meter.tick()?;
                let (to, holds) = match it.effect {
                    KnownEffect::Flag(to, true) => (to, true),
                    KnownEffect::Go(to) if holds => (to, true),
                    KnownEffect::Go(to) if goes_on(explorer, local, it) => (to, false),
                    _ => {
                        stretch.last.push((at, it.clone()));
                        continue;
                    }
                };
                let distance = distance.saturating_add(it.weight);
                let (shared, from) = (it.shared, at);
                let next = Inner { shared, local: to, holds, from, distance, visited: false };
                let position = *known.entry((shared, to, holds)).or_insert(stretch.inner.len());
                match stretch.inner.get_mut(position) {
                    None => stretch.inner.push(next),
                    Some(old) if !old.visited && distance < old.distance => *old = next,
                    Some(_) => continue,
                }
                if it.weight == 0 {
                    queue.push_front(position);
                } else {
                    queue.push_back(position);
                }
            }
        }
        Ok(stretch)
    }

    /// The states from after the first one up to the one at `at`.
    pub fn run_to(&self, at: usize) -> Vec<Inner> {
        let mut run = Vec::new();
        let mut at = at;
        while at != 0 {
            run.push(self.inner[at]);
            at = self.inner[at].from;
        }
        run.reverse();
        run
    }
}
