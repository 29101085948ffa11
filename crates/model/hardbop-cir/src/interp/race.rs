//! Which accesses of a run are ordered: each thread has a clock with an entry for each thread, and knows of
//! another's steps up to that time (vector clocks; Flanagan, Freund: FastTrack, PLDI 2009).
//!
//! Steps between `begin` and `end` are atomic. One that writes leaves the clock of its thread at the bytes it
//! wrote, one that reads takes over what was left there: locks, barriers and all the rest of the library are made
//! of such steps. Starting a thread, and seeing that one has ended, order too. The first race of a run is one of
//! the program: what came before it is ordered, so the two accesses can be made side by side.

use std::rc::Rc;

use hardbop_base::Span;
use rustc_hash::FxHashMap;

use super::access::Access;

/// An access that takes part in a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    pub thread: u32,
    pub is_write: bool,
    /// Where its calls were, outermost first.
    pub stack: Rc<[Span]>,
}

/// Two accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// What is accessed, in C notation.
    pub place: String,
    pub earlier: Deed,
    pub later: Deed,
}

type Clock = Vec<u64>;

/// The last access of its kind by a thread to a byte.
#[derive(Clone)]
struct Mark {
    deed: Deed,
    time: u64,
    is_atomic: bool,
}

#[derive(Clone, Default)]
struct Byte {
    marks: Vec<Mark>,
    /// What the last atomic write left.
    left: Clock,
}

#[derive(Clone, Default)]
pub(super) struct Order {
    clocks: Vec<Clock>,
    bytes: FxHashMap<(u32, u64), Byte>,
}

impl Order {
    fn clock(&mut self, thread: u32) -> &mut Clock {
        let at = thread as usize;
        while self.clocks.len() <= at {
            let mut clock = vec![0; self.clocks.len() + 1];
            clock[self.clocks.len()] = 1;
            self.clocks.push(clock);
        }
        &mut self.clocks[at]
    }

    fn tick(&mut self, thread: u32) {
        self.clock(thread)[thread as usize] += 1;
    }

    /// What comes before the start of a thread comes before all it does.
    pub fn starts(&mut self, by: u32, thread: u32) {
        let mut clock = self.clock(by).clone();
        clock.resize((thread as usize + 1).max(clock.len()), 0);
        clock[thread as usize] = 1;
        *self.clock(thread) = clock;
        self.tick(by);
    }

    /// What a thread did comes before what the one does that sees that it has ended.
    pub fn sees_end(&mut self, by: u32, thread: u32) {
        let ended = self.clock(thread).clone();
        join(self.clock(by), &ended);
    }

    /// Notes an access; the earlier one that it is not ordered with, if there is one.
    pub fn accesses(&mut self, access: &Access, deed: &Deed, is_atomic: bool) -> Option<Deed> {
        let thread = deed.thread;
        let mut raced = None;
        for at in access.from..access.from.saturating_add(access.size) {
            let byte = self.bytes.entry((access.instance, at)).or_default();
            let mut byte = std::mem::take(byte);
            if is_atomic && !access.is_write {
                join(self.clock(thread), &byte.left);
            }
            let clock = self.clock(thread);
            let time = clock[thread as usize];
            let known = |it: &Mark| clock.get(it.deed.thread as usize).copied().unwrap_or(0);
            let is_raced = |it: &&Mark| {
                it.deed.thread != thread
                    && (it.deed.is_write || access.is_write)
                    && !(it.is_atomic && is_atomic)
                    && it.time > known(it)
            };
            if raced.is_none() {
                raced = byte.marks.iter().find(is_raced).map(|it| it.deed.clone());
            }
            let is_same = |it: &Mark| {
                (it.deed.thread, it.deed.is_write, it.is_atomic)
                    == (thread, access.is_write, is_atomic)
            };
            byte.marks.retain(|it| !is_same(it));
            byte.marks.push(Mark { deed: deed.clone(), time, is_atomic });
            if is_atomic && access.is_write {
                byte.left = clock.clone();
            }
            self.bytes.insert((access.instance, at), byte);
        }
        if is_atomic && access.is_write {
            self.tick(thread);
        }
        raced
    }
}

fn join(into: &mut Clock, from: &Clock) {
    into.resize(into.len().max(from.len()), 0);
    into.iter_mut().zip(from).for_each(|(it, &other)| *it = (*it).max(other));
}
