//! What a step does to the values of the thread that takes it.
//!
//! A conjunction of parts, joined as long as they stay small: one relation for a large parallel
//! assignment may be far larger than its parts, in the order of `Layout::apart` above all. The parts
//! are sorted by what they mention. A step without [`Relation::mixed`] parts acts on the shared
//! variables and on the thread's own independently; the others are the splice statements of BOOM
//! definition 7.3, found syntactically.

use hardbop_base::Bits;
use hardbop_dd::{Cube, Dd, Level, Manager, OutOfNodes, Renaming};

use crate::symbolic::layout::Copy;
use crate::symbolic::template::{Pc, Template};

/// See above. Levels are those of the first thread.
#[derive(Debug)]
pub struct Relation {
    /// Parts that mention shared variables only.
    pub shared: Vec<Dd>,
    /// Parts that mention locals only.
    pub own: Vec<Dd>,
    pub mixed: Vec<Dd>,
    /// All positions that get next values; the others keep theirs.
    pub writes: Bits,
    /// Positions that occur afterwards only as next values.
    pub kept: Bits,
    /// Current values that are written or do not matter any more, next values that do not matter.
    pub gone: Cube,
    /// The next values that matter become current.
    pub shift: Renaming,
}

/// Parts are joined up to this size.
const MOST_NODES: usize = 1000;

impl Relation {
    /// `to` is the place afterwards; without one the thread ends.
    pub fn new(
        template: &Template<'_>,
        parts: impl IntoIterator<Item = Dd>,
        writes: &Bits,
        from: Pc,
        to: Option<Pc>,
    ) -> Result<Self, OutOfNodes> {
        let (dd, layout) = (template.dd, template.layout);
        let (locals, _) = layout.cuts();
        let (mut shared, mut own, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            if dd.is_true(&part) {
                continue;
            }
            let support = dd.support(&part);
            let is_shared = |level: &Level| *level < locals;
            let list = if support.iter().all(is_shared) {
                &mut shared
            } else if support.iter().any(is_shared) {
                &mut mixed
            } else {
                &mut own
            };
            join(dd, list, part)?;
        }
        let before = template.live(from);
        let after = to.map_or_else(|| template.live_shared(), |to| template.live(to));
        let mut kept = writes.clone();
        kept.intersect_with(&after);
        // Written, or of no interest any more. A dead target may read only what was live.
        let mut gone = (*before).clone();
        gone.subtract(&after);
        gone.union_with(writes);
        let mut dead = writes.clone();
        dead.subtract(&after);
        let level = |copy| move |position| layout.level(position, copy);
        let gone = gone.iter().map(level(Copy::Now)).chain(dead.iter().map(level(Copy::Next)));
        let gone = dd.cube(gone)?;
        let shift = kept.iter().map(|p| (layout.level(p, Copy::Next), layout.level(p, Copy::Now)));
        let shift = Renaming::new(shift);
        Ok(Relation { shared, own, mixed, writes: writes.clone(), kept, gone, shift })
    }

    /// Whether the step may relate shared variables and locals with each other.
    pub fn is_splice(&self) -> bool {
        !self.mixed.is_empty()
    }

    pub fn parts(&self) -> impl Iterator<Item = &Dd> {
        self.shared.iter().chain(&self.own).chain(&self.mixed)
    }

    /// The states after the step.
    pub fn post<'p>(
        &self,
        dd: &Manager,
        states: &Dd,
        parts: impl IntoIterator<Item = &'p Dd>,
    ) -> Result<Dd, OutOfNodes> {
        dd.rename(&post(dd, states, parts, &self.gone)?, &self.shift)
    }
}

/// `∃ gone. states ∧ ⋀ parts`
pub fn post<'p>(
    dd: &Manager,
    states: &Dd,
    parts: impl IntoIterator<Item = &'p Dd>,
    gone: &Cube,
) -> Result<Dd, OutOfNodes> {
    let mut parts = parts.into_iter().peekable();
    let mut states = states.clone();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return dd.and_exists(&states, part, gone);
        }
        states = dd.and(&states, part)?;
    }
    dd.exists(&states, gone)
}

fn join(dd: &Manager, list: &mut Vec<Dd>, part: Dd) -> Result<(), OutOfNodes> {
    if let Some(last) = list.last_mut() {
        let joined = dd.and(last, &part)?;
        if dd.node_count(&joined) <= MOST_NODES {
            *last = joined;
            return Ok(());
        }
    }
    list.push(part);
    Ok(())
}
