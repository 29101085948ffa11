//! Places of threads as bits of a diagram.
//!
//! A thread's place is a number: 0 for an empty slot, else one more than that of its [`Pc`]. A bit
//! beside them says whether the thread holds the atomic flag.

use crate::counted::inline::{Context, Contexts};
use hardbop_base::{Bits, Idx};
use hardbop_cfg::{Action, LocRef, Program, Spawn};
use hardbop_dd::{Dd, Level, Manager, OutOfNodes, Product};
use rustc_hash::FxHashSet;

use crate::symbolic::layout::{Copy, Layout};
use crate::symbolic::template::Pc;

/// Where the bits are.
#[derive(Clone, Copy, Debug)]
pub struct PcBits {
    first: Level,
    n_bits: usize,
}

impl PcBits {
    /// Levels needed for so many threads and places.
    pub fn n_levels(n_threads: usize, n_places: usize) -> usize {
        2 * n_threads * (n_bits(n_places) + 1)
    }

    pub fn new(layout: &Layout, n_places: usize) -> Self {
        PcBits { first: layout.above(), n_bits: n_bits(n_places) }
    }

    fn level(&self, slot: usize, bit: usize, copy: Copy) -> Level {
        let at = 2 * (slot * (self.n_bits + 1) + bit) + usize::from(copy == Copy::Next);
        Level::new(self.first.index() + at)
    }

    /// The levels of a slot.
    pub fn levels(&self, slot: usize, copy: Copy) -> impl Iterator<Item = Level> + '_ {
        (0..=self.n_bits).map(move |bit| self.level(slot, bit, copy))
    }

    /// Says that the slot holds the flag, or not.
    pub fn holds(&self, slot: usize, copy: Copy, value: bool) -> (Level, bool) {
        (self.level(slot, self.n_bits, copy), value)
    }

    /// Says where the thread of a slot is.
    pub fn at(&self, slot: usize, copy: Copy, place: Option<Pc>) -> Product {
        let number = place.map_or(0, |pc| pc.index() + 1);
        (0..self.n_bits).map(|bit| (self.level(slot, bit, copy), number >> bit & 1 == 1)).collect()
    }

    /// The slot is empty.
    pub fn is_empty(&self, dd: &Manager, slot: usize) -> Result<Dd, OutOfNodes> {
        dd.product(&self.at(slot, Copy::Now, None))
    }
}

fn n_bits(n_places: usize) -> usize {
    usize::BITS as usize - n_places.leading_zeros() as usize
}

/// The number of places in the graph of the program, calls inlined; `None` if it is above `most`.
pub fn count_places(program: &Program, most: usize) -> Option<usize> {
    let mut contexts = Contexts::new(program);
    let main = contexts.root(program.main);
    let mut seen: FxHashSet<(Context, LocRef)> = FxHashSet::default();
    let mut todo = vec![(main, program.procs[program.main].entry)];
    let mut exits = Bits::new();
    while let Some((context, loc)) = todo.pop() {
        let proc = contexts.proc(context);
        if !seen.insert((context, LocRef { proc, loc })) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let body = &program.procs[proc];
        if loc == body.exit
            && exits.insert(context.index())
            && let Some((below, edge)) = contexts.caller(context)
        {
            todo.push((below, program.procs[contexts.proc(below)].edges[edge].to));
        }
        for (id, edge) in body.out_edges(loc) {
            match &edge.action {
                Action::EndThread => {}
                Action::Call(call) => {
                    let callee = contexts.call(context, id, call.callee);
                    todo.push((callee, program.procs[call.callee].entry));
                }
                Action::StartThread(spawn) => {
                    todo.push((context, edge.to));
                    match **spawn {
                        Spawn::Goto(loc) => todo.push((contexts.root(proc), loc)),
                        Spawn::Call { callee, .. } => {
                            todo.push((contexts.root(callee), program.procs[callee].entry));
                        }
                    }
                }
                _ => todo.push((context, edge.to)),
            }
        }
    }
    Some(seen.len())
}
