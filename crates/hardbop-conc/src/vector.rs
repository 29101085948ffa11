//! One component of a Cartesian vector: what a thread can do while it runs alone in its region
//! (BOOM section 6.4).

use std::collections::VecDeque;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_cfg::EdgeRef;
use rustc_hash::FxHashMap;

use crate::counters::{LocalId, SharedId};
use crate::explore::{Explorer, KnownEffect, KnownMove};
use crate::por::{Por, RegionId};

/// All runs of the thread from where it stands to where they leave the region.
#[derive(Debug, Default)]
pub struct Component {
    /// Where it stands, then every state it runs through, nearest first.
    pub inner: Vec<Inner>,
    /// The moves that leave the region, each with the position it starts from.
    pub last: Vec<(usize, KnownMove)>,
    /// Assertions that may fail, each with the position where.
    pub failures: Vec<(usize, EdgeRef)>,
}

/// A state of the thread and the shared variables.
#[derive(Clone, Copy, Debug)]
pub struct Inner {
    pub shared: SharedId,
    pub local: LocalId,
    /// The position it was reached from; its own for the first.
    pub from: usize,
    /// Statements since the first.
    pub distance: u32,
}

impl Component {
    pub fn of(
        explorer: &mut Explorer<'_>,
        por: &Por<'_>,
        (shared, local, region): (SharedId, LocalId, RegionId),
        meter: &mut Meter<'_>,
    ) -> Result<Self, Exhausted> {
        let first = Inner { shared, local, from: 0, distance: 0 };
        let mut component = Component { inner: vec![first], ..Component::default() };
        let mut known = FxHashMap::from_iter([((shared, local), 0)]);
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let Inner { shared, local, distance, .. } = component.inner[at];
            let moves = explorer.moves_of(shared, local, meter)?;
            component.failures.extend(moves.failures.iter().map(|&edge| (at, edge)));
            for it in &moves.moves {
                meter.tick()?;
                match (&it.effect, it.edge) {
                    (&KnownEffect::Go(to), Some(edge)) if por.runs_on(region, edge) => {
                        let next = component.inner.len();
                        if *known.entry((it.shared, to)).or_insert(next) == next {
                            let distance = distance.saturating_add(it.weight);
                            component.inner.push(Inner {
                                shared: it.shared,
                                local: to,
                                from: at,
                                distance,
                            });
                            queue.push_back(next);
                        }
                    }
                    _ => component.last.push((at, it.clone())),
                }
            }
        }
        Ok(component)
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
