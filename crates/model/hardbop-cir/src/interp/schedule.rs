//! Which thread runs when: given, or by chance with few preemptions.
//!
//! Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of
//! finding bugs (ASPLOS 2010): threads have priorities by chance, the highest that can move does, and at a few
//! steps by chance the running one becomes the lowest.

use hardbop_base::rng::Rng;

/// So many steps of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    pub thread: u32,
    pub n_steps: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// These turns; then each thread as long as it can move, the lowest number first.
    Turns(Vec<Turn>),
    /// By chance.
    Seed(u64),
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule::Turns(Vec::new())
    }
}

/// Preemptions of a schedule by chance.
const N_CHANGES: usize = 3;
/// They come among the first steps.
const HORIZON: u64 = 20_000;
/// Steps that one thread takes in a row before another is tried.
const PATIENCE: u64 = 2_000;

/// A schedule at work.
#[derive(Clone, Debug)]
pub(super) enum Scheduler {
    Turns { turns: Vec<Turn>, at: usize, done: u64 },
    Chance { rng: Rng, priorities: Vec<u64>, changes: Vec<u64>, n_steps: u64, in_a_row: u64 },
}

impl Scheduler {
    pub fn new(schedule: &Schedule) -> Scheduler {
        match schedule {
            Schedule::Turns(turns) => Scheduler::Turns { turns: turns.clone(), at: 0, done: 0 },
            Schedule::Seed(seed) => {
                let mut rng = Rng::new(*seed);
                // Short programs and long ones: the horizon is one of many sizes.
                let horizon = HORIZON >> rng.below(9);
                let changes = (0..N_CHANGES).map(|_| rng.below(horizon as usize) as u64);
                let changes = changes.collect();
                Scheduler::Chance { rng, priorities: Vec::new(), changes, n_steps: 0, in_a_row: 0 }
            }
        }
    }

    /// The thread that takes the next step, of those that can (by number, rising); `current` took the last.
    pub fn next(&mut self, current: u32, can_move: &[u32]) -> u32 {
        let first = can_move.first().copied().unwrap_or(current);
        let same = if can_move.contains(&current) { current } else { first };
        match self {
            Scheduler::Turns { turns, at, done } => {
                while turns.get(*at).is_some_and(|turn| turn.n_steps <= *done) {
                    (*at, *done) = (*at + 1, 0);
                }
                let Some(turn) = turns.get(*at) else { return same };
                *done += 1;
                // A schedule that does not fit is followed as far as it does.
                if can_move.contains(&turn.thread) { turn.thread } else { same }
            }
            Scheduler::Chance { rng, priorities, changes, n_steps, in_a_row } => {
                *n_steps += 1;
                let most = can_move.last().map_or(0, |&it| it as usize);
                while priorities.len() <= most {
                    priorities.push(1 << 20 | rng.below(1 << 20) as u64);
                }
                if let Some(at) = changes.iter().position(|it| it == n_steps) {
                    // Lower than all first priorities, and than earlier changes.
                    priorities[current as usize] = (changes.len() - at) as u64;
                }
                // Who waits in a loop of its own waits for someone.
                if *in_a_row > PATIENCE {
                    priorities[current as usize] = rng.below(1 << 20) as u64;
                    *in_a_row = 0;
                }
                let best = can_move.iter().copied().max_by_key(|&it| priorities[it as usize]);
                let best = best.unwrap_or(current);
                *in_a_row = if best == current { *in_a_row + 1 } else { 0 };
                best
            }
        }
    }
}
