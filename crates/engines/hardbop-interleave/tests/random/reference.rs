//! All interleavings of a program's steps, without any reduction; accesses are ordered by clocks.

use std::collections::BTreeSet;

use crate::programs::{N_LOCKS, N_VARS, Step, is_nested};

// After the variables.
const SEMAPHORE: usize = N_VARS;
const CONDITION: usize = N_VARS + 1;
const POINTER: usize = N_VARS + 2;
/// One for threads with an even number, one for the others.
const OWN: usize = N_VARS + 3;
const N_CELLS: usize = N_VARS + 5;

type Clock = [u8; 3];

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    vars: [i32; N_CELLS],
    at: Vec<(usize, i32)>,
    holders: [Option<usize>; N_LOCKS],
    clocks: [Clock; 3],
    /// What the last unlock, or the last atomic write, left.
    of_locks: [Clock; N_LOCKS],
    of_vars: [Clock; N_CELLS],
    /// Which variable the shared pointer points to.
    points_to: usize,
    /// What each thread has read of the shared pointer, where it has not followed it yet.
    follows: [Option<usize>; 3],
    /// What each thread does in `pthread_cond_wait`.
    waits: [Waits; 3],
    /// Whether the last thread has been started.
    is_started: bool,
    /// Variable, thread, whether it writes, whether it is atomic; when last.
    marks: BTreeSet<((usize, usize, bool, bool), u8)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waits {
    Not,
    ForSignal,
    Woken,
    ForLock,
}

fn join(into: &mut Clock, from: Clock) {
    into.iter_mut().zip(from).for_each(|(it, other)| *it = (*it).max(other));
}

impl State {
    fn first(n_threads: usize, is_started: bool) -> State {
        State {
            vars: [0; N_CELLS],
            at: vec![(0, 0); n_threads],
            holders: [None; N_LOCKS],
            clocks: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            of_locks: [[0; 3]; N_LOCKS],
            of_vars: [[0; 3]; N_CELLS],
            points_to: 0,
            follows: [None; 3],
            waits: [Waits::Not; 3],
            is_started,
            marks: BTreeSet::new(),
        }
    }

    /// Whether the access is in a race with an earlier one.
    fn accesses(&mut self, thread: usize, var: usize, is_write: bool, is_atomic: bool) -> bool {
        if is_atomic && !is_write {
            join(&mut self.clocks[thread], self.of_vars[var]);
        }
        let clock = self.clocks[thread];
        let is_raced = self.marks.iter().any(|&((v, other, writes, atomic), time)| {
            v == var
                && other != thread
                && (writes || is_write)
                && !(atomic && is_atomic)
                && time > clock[other]
        });
        let key = (var, thread, is_write, is_atomic);
        self.marks.retain(|it| it.0 != key);
        self.marks.insert((key, clock[thread]));
        if is_atomic && is_write {
            self.of_vars[var] = clock;
            self.clocks[thread][thread] += 1;
        }
        is_raced
    }
}

impl State {
    fn release(&mut self, thread: usize, lock: usize) {
        self.holders[lock] = None;
        self.of_locks[lock] = self.clocks[thread];
        self.clocks[thread][thread] += 1;
    }

    fn acquire(&mut self, thread: usize, lock: usize) {
        self.holders[lock] = Some(thread);
        join(&mut self.clocks[thread], self.of_locks[lock]);
    }

    fn touches_condition(&mut self, thread: usize) {
        self.accesses(thread, CONDITION, false, true);
        self.accesses(thread, CONDITION, true, true);
    }

    /// What a thread that is in `pthread_cond_wait`, or about to be, may do next.
    fn wait(&self, thread: usize) -> Vec<State> {
        let mut next = self.clone();
        match self.waits[thread] {
            Waits::Not => {
                let mut registered = self.clone();
                registered.touches_condition(thread);
                registered.release(thread, 0);
                registered.waits[thread] = Waits::ForSignal;
                // Or it returns although nobody wakes it.
                next.release(thread, 0);
                next.waits[thread] = Waits::ForLock;
                return vec![next, registered];
            }
            Waits::ForSignal => return Vec::new(),
            Waits::Woken => {
                next.touches_condition(thread);
                next.waits[thread] = Waits::ForLock;
            }
            Waits::ForLock if self.holders[0].is_some() => return Vec::new(),
            Waits::ForLock => {
                next.acquire(thread, 0);
                next.waits[thread] = Waits::Not;
                next.at[thread].0 += 1;
            }
        }
        vec![next]
    }

    /// What a signal does, which wakes any one, or a broadcast, which wakes all.
    fn signalled(&self, is_for_all: bool) -> Vec<State> {
        let waiting: Vec<usize> = (0..3).filter(|&it| self.waits[it] == Waits::ForSignal).collect();
        let wake = |woken: &[usize]| {
            let mut next = self.clone();
            woken.iter().for_each(|&it| next.waits[it] = Waits::Woken);
            next
        };
        match is_for_all || waiting.is_empty() {
            true => vec![wake(&waiting)],
            false => waiting.iter().map(|&it| wake(&[it])).collect(),
        }
    }
}

#[derive(Default)]
pub struct Expected {
    pub is_wrong: bool,
    pub is_dead: bool,
    pub is_raced: bool,
}

/// What some interleaving comes to.
pub fn expected(threads: &[Vec<Step>]) -> Expected {
    let mut all = Expected::default();
    let mut todo = vec![State::first(threads.len(), !is_nested(threads)); 2];
    todo[1].vars[SEMAPHORE] = 1;
    let mut seen = BTreeSet::from_iter(todo.iter().cloned());
    while let Some(state) = todo.pop() {
        let (mut is_over, mut can_move) = (true, false);
        for (thread, steps) in threads.iter().enumerate() {
            let mut next = state.clone();
            let (at, r) = next.at[thread];
            let Some(&step) = steps.get(at) else { continue };
            is_over = false;
            if thread == threads.len() - 1 && !state.is_started {
                continue;
            }
            if matches!(step, Step::Wait) {
                for next in state.wait(thread) {
                    can_move = true;
                    if seen.insert(next.clone()) {
                        todo.push(next);
                    }
                }
                continue;
            }
            if matches!(step, Step::Signal | Step::Broadcast) {
                next.touches_condition(thread);
                next.at[thread].0 += 1;
                can_move = true;
                for next in next.signalled(matches!(step, Step::Broadcast)) {
                    if seen.insert(next.clone()) {
                        todo.push(next);
                    }
                }
                continue;
            }
            let follows = matches!(step, Step::LoadThrough | Step::StoreThrough(_));
            if follows && state.follows[thread].is_none() {
                all.is_raced |= next.accesses(thread, POINTER, false, false);
                next.follows[thread] = Some(state.points_to);
                can_move = true;
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
                continue;
            }
            let through = next.follows[thread].take().unwrap_or_default();
            let own = OWN + (thread & 1);
            next.at[thread].0 += 1;
            if matches!(step, Step::Down) && state.vars[SEMAPHORE] == 0 {
                continue;
            }
            let mut access = |var, writes, atomic| {
                all.is_raced |= next.accesses(thread, var, writes, atomic);
            };
            match step {
                Step::Load(v) => access(v, false, false),
                Step::AtomicLoad(v) => access(v, false, true),
                Step::StoreIf(c, ..) if r != c => {}
                Step::Store(v, _) | Step::StoreIf(_, v, _) => access(v, true, false),
                Step::Add(v, _) | Step::Mix(v) => {
                    access(v, false, true);
                    access(v, true, true);
                }
                Step::Down | Step::Up => {
                    access(SEMAPHORE, false, true);
                    access(SEMAPHORE, true, true);
                }
                Step::LoadBy => access(usize::from(r & 1 == 0), false, false),
                Step::Point(_) => access(POINTER, true, false),
                Step::LoadThrough => access(through, false, false),
                Step::StoreThrough(_) => access(through, true, false),
                Step::LoadOwn => access(own, false, false),
                Step::StoreOwn(_) => access(own, true, false),
                Step::Swap(v, c, _) => {
                    access(v, false, true);
                    if state.vars[v] == c {
                        access(v, true, true);
                    }
                }
                Step::Wait | Step::Signal | Step::Broadcast | Step::Start => {}
                Step::Check(_) | Step::Lock(_) | Step::Unlock(_) | Step::Input => {}
            }
            match step {
                Step::Load(v) | Step::AtomicLoad(v) => next.at[thread].1 = next.vars[v],
                Step::StoreIf(c, ..) if r != c => {}
                Step::Store(v, k) | Step::StoreIf(_, v, k) => next.vars[v] = r + k,
                Step::Add(v, k) => next.vars[v] += k,
                Step::Mix(v) => next.vars[v] = next.vars[v] * 3 - r,
                Step::Down => next.vars[SEMAPHORE] -= 1,
                Step::Up => next.vars[SEMAPHORE] += 1,
                Step::LoadBy => next.at[thread].1 = next.vars[usize::from(r & 1 == 0)],
                Step::Point(v) => next.points_to = v,
                Step::LoadThrough => next.at[thread].1 = next.vars[through],
                Step::StoreThrough(k) => next.vars[through] = r + k,
                Step::LoadOwn => next.at[thread].1 = next.vars[own],
                Step::StoreOwn(k) => next.vars[own] = r + k,
                Step::Swap(v, c, k) => {
                    next.at[thread].1 = next.vars[v];
                    if next.vars[v] == c {
                        next.vars[v] = k;
                    }
                }
                Step::Start => {
                    next.is_started = true;
                    let clock = next.clocks[thread];
                    join(&mut next.clocks[threads.len() - 1], clock);
                    next.clocks[thread][thread] += 1;
                }
                Step::Wait | Step::Signal | Step::Broadcast => {}
                Step::Input => {
                    for value in 0..4 {
                        let mut given = next.clone();
                        given.at[thread].1 = value;
                        if seen.insert(given.clone()) {
                            todo.push(given);
                        }
                    }
                    can_move = true;
                    continue;
                }
                Step::Check(c) if r == c => {
                    // The program ends here.
                    (all.is_wrong, can_move) = (true, true);
                    continue;
                }
                Step::Check(_) => {}
                Step::Lock(m) if state.holders[m].is_some() => continue,
                Step::Lock(m) => next.acquire(thread, m),
                Step::Unlock(m) => next.release(thread, m),
            }
            can_move = true;
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
        all.is_dead |= !is_over && !can_move;
    }
    all
}
