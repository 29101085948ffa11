//! Which level stands for which value of which thread.
//!
//! A *position* is a shared variable or a place among the pooled locals of a thread's frames (see
//! `crate::counted::inline`). The levels of the statement encoder (`hardbop_encode::slots`) come first and
//! occur in no state: a statement is encoded there once and then moved to the positions of its
//! context.
//!
//! Two arrangements. [`Layout::apart`]: all shared variables above all locals of one thread, so that
//! a set of thread states falls into products where its diagram crosses from the one to the other.
//! [`Layout::together`]: variables that meet in statements are neighbours, and so are the copies of a
//! local in all threads (BOOM example 10.1).

use hardbop_base::{Idx, IndexVec};
use hardbop_cfg::analysis::{CallGraph, Follow};
use hardbop_cfg::{ProcId, Program, VarId};
use hardbop_dd::Level;
use hardbop_encode::slots::{Moment, Slots};

/// Of a value, at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copy {
    Now,
    /// After the step at hand.
    Next,
    /// Of the thread that the step starts. Shared variables have none.
    Started,
}

/// The level of every copy of every position.
#[derive(Debug)]
pub struct Layout {
    n_shared: usize,
    n_threads: usize,
    /// The first level of the copies of each position: now and next, thread by thread.
    first: Vec<u32>,
    /// The level of each position for a started thread.
    started: Vec<u32>,
    n_levels: usize,
    /// The first level that belongs to no position.
    above: u32,
    /// The first level of locals and the first level of locals of a started thread, if they are kept
    /// apart.
    cuts: (Level, Level),
}

/// More levels than this are refused: a manager spends memory on each.
pub const MOST_LEVELS: usize = 1 << 20;

impl Layout {
    pub fn apart(program: &Program, slots: &Slots) -> Self {
        let mut layout = Layout::empty(program, slots, 1);
        let order = layout.order(slots);
        let (shared, locals): (Vec<_>, Vec<_>) =
            order.into_iter().partition(|&position| position < layout.n_shared);
        shared.into_iter().for_each(|position| layout.first[position] = layout.take(2));
        layout.cuts.0 = Level::new(layout.n_levels);
        locals.iter().for_each(|&position| layout.first[position] = layout.take(2));
        layout.cuts.1 = Level::new(layout.n_levels);
        locals.iter().for_each(|&position| layout.started[position] = layout.take(1));
        layout
    }

    /// With `n_above` levels above all positions, for those who need more: see [`Layout::above`].
    pub fn together(program: &Program, slots: &Slots, n_threads: usize, n_above: usize) -> Self {
        let mut layout = Layout::empty(program, slots, n_threads);
        layout.above = layout.take(n_above);
        for position in layout.order(slots) {
            if position < layout.n_shared {
                layout.first[position] = layout.take(2);
            } else {
                layout.first[position] = layout.take(2 * n_threads);
                layout.started[position] = layout.take(1);
            }
        }
        layout
    }

    fn empty(program: &Program, slots: &Slots, n_threads: usize) -> Self {
        let n_positions = n_positions(program);
        let n_levels = slots.n_levels();
        Layout {
            n_shared: program.n_shared(),
            n_threads,
            first: vec![0; n_positions],
            started: vec![0; n_positions],
            n_levels,
            above: 0,
            cuts: (Level::new(n_levels), Level::new(n_levels)),
        }
    }

    fn take(&mut self, n: usize) -> u32 {
        let first = Level::new(self.n_levels);
        self.n_levels += n;
        first.as_u32()
    }

    /// All positions: those of a first frame as the encoder orders them, deeper ones after them.
    pub fn order(&self, slots: &Slots) -> Vec<usize> {
        let n_slots = slots.n_levels() / 3;
        let mut positions: Vec<usize> = (0..self.first.len()).collect();
        positions.sort_by_key(|&position| {
            let place = position < n_slots;
            let place = place.then(|| slots.level(VarId::new(position), Moment::Now));
            (place.is_none(), place, position)
        });
        positions
    }

    pub fn n_levels(&self) -> usize {
        self.n_levels
    }

    pub fn n_positions(&self) -> usize {
        self.first.len()
    }

    pub fn n_threads(&self) -> usize {
        self.n_threads
    }

    pub fn is_shared(&self, position: usize) -> bool {
        position < self.n_shared
    }

    /// The level of a position, of the first thread if it is a local.
    pub fn level(&self, position: usize, copy: Copy) -> Level {
        self.level_of(0, position, copy)
    }

    /// The level of a position of a thread. There is one started thread at a time.
    pub fn level_of(&self, thread: usize, position: usize, copy: Copy) -> Level {
        let thread = if self.is_shared(position) { 0 } else { thread as u32 };
        Level::from_u32(match copy {
            Copy::Now => self.first[position] + 2 * thread,
            Copy::Next => self.first[position] + 2 * thread + 1,
            Copy::Started => self.started[position],
        })
    }

    /// The first of the levels above all positions.
    pub fn above(&self) -> Level {
        Level::from_u32(self.above)
    }

    /// Where locals begin, and where those of a started thread do.
    pub fn cuts(&self) -> (Level, Level) {
        self.cuts
    }
}

/// The number of positions: shared variables, and the locals of the widest stack.
pub fn n_positions(program: &Program) -> usize {
    let calls = CallGraph::of(program);
    let mut widths: IndexVec<ProcId, usize> = IndexVec::from_elem(0, program.procs.len());
    // Callees come first. Inside a cycle of calls there is no widest stack; such are not inlined.
    for component in calls.components(Follow::Calls) {
        for &proc in component {
            let deepest = calls.callees(proc).iter().map(|&callee| widths[callee]).max();
            widths[proc] = deepest.unwrap_or(0).saturating_add(program.procs[proc].locals.len());
        }
    }
    program.n_shared().saturating_add(widths.iter().copied().max().unwrap_or(0))
}

/// `Err` says, in words for the user, that so many threads have too many variables.
pub fn check_levels(program: &Program, n_threads: usize) -> Result<(), String> {
    let positions = n_positions(program);
    let levels = positions.saturating_mul(n_threads.saturating_mul(2).saturating_add(4));
    if levels <= MOST_LEVELS {
        return Ok(());
    }
    Err(format!(
        "{n_threads} threads with up to {positions} variables each are too many for diagrams"
    ))
}
