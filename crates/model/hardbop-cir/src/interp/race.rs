//! Which accesses of a run are ordered: each thread has a clock with an entry for each thread, and knows of
//! another's steps up to that time (vector clocks; Flanagan, Freund: FastTrack, PLDI 2009).
//!
//! Steps between `begin` and `end` are atomic. One that writes leaves the clock of its thread at the bytes it
//! wrote, one that reads takes over what was left there: locks, barriers and all the rest of the library are made
//! of such steps. Starting a thread, and seeing that one has ended, order too. The first race of a run is one of
//! the program: what came before it is ordered, so the two accesses can be made side by side.
//!
//! Atomic accesses may do less (C17 5.1.2.4, 7.17.3 and 7.17.4). A write that does not release leaves what its thread knew at
//! its last release fence; of a read that does not acquire, an acquire fence takes over what it saw. A read-modify-write adds to what
//! is there (release sequences). So does a later plain store of the same thread: newer standards say that it does not, which
//! [`Order::is_doubtful`] remembers.

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

pub(super) type Clock = Vec<u64>;

/// The last access of its kind by a thread to a byte.
#[derive(Clone)]
pub(super) struct Mark {
    pub deed: Deed,
    pub time: u64,
    pub is_atomic: bool,
}

#[derive(Clone, Default)]
pub(super) struct Byte {
    pub marks: Vec<Mark>,
    /// What atomic writes left there, by the thread that released it: a read takes over all of them.
    pub left: Vec<(u32, Clock)>,
}

/// What an atomic step orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strength {
    pub acquires: bool,
    pub releases: bool,
}

impl Strength {
    pub const FULL: Strength = Strength { acquires: true, releases: true };
}

/// What fences of a thread hand over.
#[derive(Clone, Default)]
pub(super) struct Fences {
    /// What was left where it read.
    pub read: Clock,
    /// What it knew at its last release fence.
    pub released: Clock,
}

#[derive(Clone, Default)]
pub(super) struct Order {
    pub clocks: Vec<Clock>,
    pub bytes: FxHashMap<(u32, u64), Byte>,
    pub fences: Vec<Fences>,
    /// Of the atomic steps at hand: the bytes that were read, and what was left there.
    read: Vec<(u32, u64)>,
    seen: Clock,
    /// Whether something was ordered of which standards differ.
    pub is_doubtful: bool,
}

impl Order {
    /// Atomic steps begin.
    pub fn begins(&mut self) {
        self.read.clear();
        self.seen.clear();
    }

    /// What was read since then is taken over.
    pub fn acquires(&mut self, thread: u32) {
        let seen = std::mem::take(&mut self.seen);
        join(self.clock(thread), &seen);
        self.seen = seen;
    }

    pub fn fence(&mut self, thread: u32, Strength { acquires, releases }: Strength) {
        if acquires {
            let read = self.fences(thread).read.clone();
            join(self.clock(thread), &read);
        }
        if releases {
            self.fences(thread).released = self.clock(thread).clone();
            self.tick(thread);
        }
    }

    fn fences(&mut self, thread: u32) -> &mut Fences {
        let at = thread as usize;
        self.fences.resize_with(self.fences.len().max(at + 1), Fences::default);
        &mut self.fences[at]
    }

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
    pub fn accesses(
        &mut self,
        access: &Access,
        deed: &Deed,
        atomic: Option<Strength>,
    ) -> Option<Deed> {
        let (thread, is_atomic) = (deed.thread, atomic.is_some());
        let strength = atomic.unwrap_or(Strength::FULL);
        let mut raced = None;
        for at in access.from..access.from.saturating_add(access.size) {
            let byte = self.bytes.entry((access.instance, at)).or_default();
            let mut byte = std::mem::take(byte);
            if is_atomic && !access.is_write {
                self.read.push((access.instance, at));
                for (_, left) in &byte.left {
                    join(&mut self.seen, left);
                    join(&mut self.fences(thread).read, left);
                    if strength.acquires {
                        join(self.clock(thread), left);
                    }
                }
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
            if access.is_write {
                self.leaves(&mut byte, thread, (access.instance, at), atomic);
            }
            self.bytes.insert((access.instance, at), byte);
        }
        if is_atomic && access.is_write && strength.releases {
            self.tick(thread);
        }
        raced
    }

    fn leaves(&mut self, byte: &mut Byte, thread: u32, at: (u32, u64), atomic: Option<Strength>) {
        let mut before = std::mem::take(&mut byte.left);
        let mut own = match atomic {
            None => return,
            Some(Strength { releases: true, .. }) => self.clock(thread).clone(),
            Some(_) => self.fences(thread).released.clone(),
        };
        if !self.read.contains(&at) {
            // It ends what others began, and goes on with what the thread itself did.
            before.retain(|it| it.0 == thread);
            self.is_doubtful |= before.iter().any(|it| !is_within(&it.1, &own));
        }
        if let Some(at) = before.iter().position(|it| it.0 == thread) {
            join(&mut own, &before.swap_remove(at).1);
        }
        before.push((thread, own));
        before.sort_by_key(|it| it.0);
        byte.left = before;
    }
}

fn is_within(a: &Clock, b: &Clock) -> bool {
    a.iter().enumerate().all(|(at, &it)| it <= b.get(at).copied().unwrap_or(0))
}

fn join(into: &mut Clock, from: &Clock) {
    into.resize(into.len().max(from.len()), 0);
    into.iter_mut().zip(from).for_each(|(it, &other)| *it = (*it).max(other));
}
