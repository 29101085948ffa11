//! What C17 says of the events of an execution in which each read sees the last write: 5.1.2.4 (release sequences, happens before,
//! data races), 7.17.3 (orders), 7.17.4 (fences).

use crate::{N_VARS, Order, RELAXED, Step};

#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    order: Order,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Fence,
    /// Of an atomic variable: whether it reads and writes.
    Atomic {
        var: usize,
        reads: bool,
        writes: bool,
    },
    Plain {
        var: usize,
        writes: bool,
    },
}

impl Event {
    fn writes(&self, to: usize) -> bool {
        matches!(self.what, What::Atomic { var, writes: true, .. } if var == to)
    }

    fn is_update(&self) -> bool {
        matches!(self.what, What::Atomic { reads: true, writes: true, .. })
    }
}

#[derive(Clone)]
struct State {
    /// How far each thread is, and its register.
    at: Vec<(usize, i32)>,
    atomics: [i32; N_VARS],
    /// In the order of the execution, which is also that of the changes of each variable.
    events: Vec<Event>,
}

/// Whether some execution has a race.
pub fn is_raced(threads: &[Vec<Step>]) -> bool {
    let first = State { at: vec![(0, 0); threads.len()], atomics: [0; N_VARS], events: Vec::new() };
    let mut todo = vec![first];
    while let Some(state) = todo.pop() {
        let mut is_over = true;
        for (thread, steps) in threads.iter().enumerate() {
            let Some(&step) = steps.get(state.at[thread].0) else { continue };
            is_over = false;
            let mut next = state.clone();
            next.step(thread, step);
            todo.push(next);
        }
        if is_over && has_race(&state.events) {
            return true;
        }
    }
    false
}

impl State {
    fn step(&mut self, thread: usize, step: Step) {
        self.at[thread].0 += 1;
        let register = &mut self.at[thread].1;
        let is_on = |when: Option<i32>| when.is_none_or(|it| it == *register);
        let (order, what) = match step {
            Step::Load(var, order) => {
                *register = self.atomics[var];
                (order, What::Atomic { var, reads: true, writes: false })
            }
            Step::Store(var, k, order) => {
                self.atomics[var] = k;
                (order, What::Atomic { var, reads: false, writes: true })
            }
            Step::Add(var, k, order) => {
                *register = self.atomics[var];
                self.atomics[var] += k;
                (order, What::Atomic { var, reads: true, writes: true })
            }
            Step::Exchange(var, c, k, done, fails) => {
                let is_done = self.atomics[var] == c;
                match is_done {
                    true => self.atomics[var] = k,
                    false => *register = self.atomics[var],
                }
                let order = if is_done { done } else { fails };
                (order, What::Atomic { var, reads: true, writes: is_done })
            }
            Step::Fence(order) => (order, What::Fence),
            Step::Write(_, when) | Step::Read(_, when) if !is_on(when) => return,
            Step::Write(var, _) => (RELAXED, What::Plain { var, writes: true }),
            Step::Read(var, _) => (RELAXED, What::Plain { var, writes: false }),
        };
        self.events.push(Event { thread, order, what });
    }
}

/// Whether the write `at` is in the release sequence that `head` begins: what comes in between is by the same thread, or reads, too.
fn is_in_sequence(events: &[Event], var: usize, head: usize, at: usize) -> bool {
    head <= at
        && (head + 1..=at)
            .filter(|&it| events[it].writes(var))
            .all(|it| events[it].thread == events[head].thread || events[it].is_update())
}

/// Whether the first synchronises with the second.
fn synchronises(events: &[Event], from: usize, to: usize) -> bool {
    if !events[from].order.releases || !events[to].order.acquires {
        return false;
    }
    // The write that counts for a release, and the read that counts for an acquire: itself, or beside a fence any one.
    let heads = |var: usize| {
        let is_head = move |it: usize| match events[from].what {
            What::Fence => {
                it > from && events[it].thread == events[from].thread && events[it].writes(var)
            }
            _ => it == from && events[it].writes(var),
        };
        (0..events.len()).filter(move |&it| is_head(it))
    };
    let is_read = |it: usize| match events[to].what {
        What::Fence => it < to && events[it].thread == events[to].thread,
        _ => it == to,
    };
    (0..events.len()).filter(|&it| is_read(it)).any(|read| {
        let What::Atomic { var, reads: true, .. } = events[read].what else { return false };
        let Some(seen) = (0..read).rev().find(|&it| events[it].writes(var)) else { return false };
        heads(var).any(|head| is_in_sequence(events, var, head, seen))
    })
}

fn has_race(events: &[Event]) -> bool {
    let n = events.len();
    let mut before = vec![vec![false; n]; n];
    for a in 0..n {
        for b in a + 1..n {
            before[a][b] = events[a].thread == events[b].thread || synchronises(events, a, b);
        }
    }
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                before[a][b] |= before[a][middle] && before[middle][b];
            }
        }
    }
    (0..n).any(|a| {
        (a + 1..n).any(|b| match (events[a].what, events[b].what) {
            (What::Plain { var: x, writes: v }, What::Plain { var: y, writes: w }) => {
                x == y && (v || w) && !before[a][b]
            }
            _ => false,
        })
    })
}
