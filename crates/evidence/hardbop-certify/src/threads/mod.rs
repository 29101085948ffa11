//! The obligations of a program with threads (design section 5).
//!
//! A certificate is a set of global states. Whatever its kind, three things are checked: the initial
//! states are in it, no step leads out of it, and the goal is not in it; by induction no run reaches
//! the goal. Steps are read off the control-flow graph by enumeration, for values of which some may
//! be open: the certificate says which variables a state fixes, all others have either value, and
//! nothing is believed about them.
//!
//! Reading order: [`expr`] and [`open`] (values), [`step`] (what a thread can do), [`fit`] (does the
//! certificate speak about this program), [`moves`] (steps in the certificate's numbers), then
//! [`closed`] for sets that are listed, with [`cover`] for those listed by their largest states, and
//! [`views`] for those listed by what single threads see.

mod closed;
mod cover;
mod expr;
mod fit;
mod moves;
mod open;
mod step;
mod views;

use hardbop_base::Budget;
use hardbop_cfg::{LocRef, Program};
use hardbop_evidence::threads::{Count, Counted, ThreadState};
use hardbop_evidence::{ThreadProof, ThreadSet};
use rustc_hash::FxHashSet;

use self::cover::Cover;
use self::moves::Moves;
use crate::{Accepted, Rejected};

pub fn check(
    program: &Program,
    proof: &ThreadProof,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let places = fit::check(program, proof)?;
    let mut moves = Moves::new(program, proof, places, budget);
    let n_obligations = match &proof.set {
        ThreadSet::Bounded { bound, states } => {
            let set: FxHashSet<&Counted> = states.iter().collect();
            closed::check(&mut moves, Some(*bound), states, |state| set.contains(state))?
        }
        ThreadSet::Cover { states } => {
            let cover = Cover::new(states);
            closed::check(&mut moves, None, states, |state| cover.is_above(state))?
        }
        ThreadSet::Views { views, never } => views::check(&mut moves, views, never)?,
    };
    Ok(Accepted { n_obligations })
}

const INITIAL: &str = "an initial state of the program is missing";
const SUCCESSOR: &str = "a successor of this statement is missing";
const STARTED: &str = "the state of a thread that this statement starts is missing";
const FAILURE: &str = "the set of states admits a failing assertion";
const LABEL: &str = "the set of states admits a thread at the label";

/// The first location of `main`, to blame for a missing initial state.
fn entry_of_main(program: &Program) -> LocRef {
    LocRef { proc: program.main, loc: program.procs[program.main].entry }
}

/// Numbers of threads by state, sorted.
type Counts = Vec<(ThreadState, Count)>;

fn add(counts: &mut Counts, thread: ThreadState, n: Count) {
    match counts.binary_search_by_key(&thread, |&(thread, _)| thread) {
        Ok(at) => counts[at].1 = counts[at].1 + n,
        Err(at) => counts.insert(at, (thread, n)),
    }
}

/// One thread less; false if there is none.
fn take(counts: &mut Counts, thread: ThreadState) -> bool {
    let Ok(at) = counts.binary_search_by_key(&thread, |&(thread, _)| thread) else { return false };
    counts[at].1 = counts[at].1.minus_one();
    if counts[at].1.is_zero() {
        counts.remove(at);
    }
    true
}

/// Whether each count of `low` is at most that of `high`.
fn is_below(low: &[(ThreadState, Count)], high: &[(ThreadState, Count)]) -> bool {
    let mut high = high.iter();
    low.iter().all(|&(thread, n)| {
        high.find(|&&(other, _)| other >= thread)
            .is_some_and(|&(other, m)| other == thread && n <= m)
    })
}

/// Every way to give each of `n` threads one of the options, as counts; ω threads take each option
/// any number of times. Stops at the first error.
fn multisets(
    options: &[ThreadState],
    n: Count,
    each: &mut impl FnMut(&Counts) -> Result<(), Rejected>,
) -> Result<(), Rejected> {
    let Some(n) = n.as_finite() else {
        return each(&options.iter().map(|&option| (option, Count::OMEGA)).collect());
    };
    let Some((&last, first)) = options.split_last() else {
        return if n == 0 { each(&Counts::new()) } else { Ok(()) };
    };
    // How many take each option but the last, which takes what is left; counted like an odometer.
    let mut taken = vec![0; first.len()];
    loop {
        let left = n - taken.iter().sum::<u32>();
        let all = first.iter().copied().zip(taken.iter().copied()).chain([(last, left)]);
        let counts = all.filter(|&(_, n)| n > 0).map(|(option, n)| (option, Count::finite(n)));
        each(&counts.collect())?;
        let mut rest = left;
        let mut at = 0;
        loop {
            let Some(digit) = taken.get_mut(at) else { return Ok(()) };
            if rest > 0 {
                *digit += 1;
                break;
            }
            rest += std::mem::take(digit);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(n: u32) -> ThreadState {
        ThreadState::from_u32(n)
    }

    #[test]
    fn below_means_no_more_of_any() {
        let counts = |list: &[(u32, u32)]| -> Counts {
            list.iter().map(|&(q, n)| (thread(q), Count::finite(n))).collect()
        };
        let high = counts(&[(1, 2), (3, 1), (4, 5)]);
        for low in [&[][..], &[(1, 1)], &[(3, 1), (4, 5)], &[(1, 2), (3, 1), (4, 5)]] {
            assert!(is_below(&counts(low), &high), "{low:?}");
        }
        for low in [&[(0, 1)][..], &[(1, 3)], &[(2, 1)], &[(3, 1), (5, 1)], &[(4, 5), (5, 1)]] {
            assert!(!is_below(&counts(low), &high), "{low:?}");
        }
        assert!(is_below(&high, &[(thread(1), Count::OMEGA), high[1], high[2]]));
        assert!(!is_below(&[(thread(1), Count::OMEGA)], &high));
    }

    #[test]
    fn every_multiset_comes_once() {
        for (n_options, n, expected) in [(0, 0, 1), (0, 2, 0), (1, 5, 1), (2, 3, 4), (3, 4, 15)] {
            let options: Vec<_> = (0..n_options).map(thread).collect();
            let mut all = Vec::new();
            let each = &mut |counts: &Counts| {
                let total: u32 = counts.iter().map(|(_, n)| n.as_finite().unwrap()).sum();
                assert_eq!(total, n);
                all.push(counts.clone());
                Ok(())
            };
            multisets(&options, Count::finite(n), each).unwrap();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), expected, "{n_options} options, {n} threads");
        }
    }
}
