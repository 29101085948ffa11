//! What single threads may see, and combinations that never occur: the set of the states all of whose
//! views are listed and that are above no state listed as `never`.
//!
//! Closed under a step from a state s of the set to s':
//!
//! 1. *Views.* The mover T, a thread N it starts, and each other thread E see listed views in s'.
//!    This may use that {T}, or {T, E}, is not above a `never`, because s is not.
//! 2. *Never.* s' is above no `never`. Shown backwards: for each u of `never` and each move of a
//!    listed view into the shared values of u, the smallest states from which it leads above u are
//!    above a `never` themselves, or have a view that is not listed. Of the threads of u the mover
//!    and the started thread are taken out where they occur: a state that keeps them as threads
//!    beside is larger, so nothing more has to be shown for it.

use hardbop_cfg::LocRef;
use hardbop_evidence::threads::{Count, Counted, Flag, SharedValues, ThreadState, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cover::Cover;
use super::moves::{BroadcastId, Move, Moved, Moves};
use super::{Counts, FAILURE, INITIAL, LABEL, STARTED, SUCCESSOR, add, entry_of_main, take};
use crate::Rejected;

const NEVER: &str = "this statement leads to a state that the certificate calls unreachable";
const INTERFERENCE: &str = "what another thread sees after this statement is missing";

/// Returns the number of questions asked.
pub fn check(moves: &mut Moves<'_>, views: &[View], never: &[Counted]) -> Result<usize, Rejected> {
    let mut sorted: Vec<View> = views.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut at: FxHashMap<(SharedValues, Flag), Vec<ThreadState>> = FxHashMap::default();
    for view in &sorted {
        at.entry((view.shared, view.flag)).or_default().push(view.thread);
    }
    let checker = Checker { set: sorted.iter().copied().collect(), at, never: Cover::new(never) };
    let mut n_obligations = checker.initial(moves, never)?;
    let mut into: FxHashMap<SharedValues, Vec<Arrow>> = FxHashMap::default();
    for &view in &sorted {
        n_obligations += 1;
        checker.label(moves, view)?;
        for arrow in checker.arrows(moves, view)? {
            n_obligations += 1;
            checker.closed(moves, &arrow)?;
            into.entry(arrow.shared).or_default().push(arrow);
        }
    }
    for state in never {
        for arrow in into.get(&state.shared).into_iter().flatten() {
            n_obligations += 1;
            checker.backward(moves, state, arrow)?;
        }
    }
    Ok(n_obligations)
}

/// A move of a thread in a listed view.
struct Arrow {
    at: LocRef,
    from: View,
    shared: SharedValues,
    /// `None`: the mover ends.
    to: Option<ThreadState>,
    /// Whether the mover holds the flag afterwards.
    holds: bool,
    /// One of these threads is started; empty: none.
    started: Vec<ThreadState>,
    broadcast: Option<BroadcastId>,
}

impl Arrow {
    /// How another thread sees the flag before, and after.
    fn flags_beside(&self) -> (Flag, Flag) {
        let beside = |held| if held { Flag::Others } else { Flag::Free };
        (beside(self.from.flag == Flag::Mine), beside(self.holds))
    }
}

struct Checker<'a> {
    set: FxHashSet<View>,
    /// The threads that have a view with these shared values and flag, sorted.
    at: FxHashMap<(SharedValues, Flag), Vec<ThreadState>>,
    never: Cover<'a>,
}

impl Checker<'_> {
    fn initial(&self, moves: &mut Moves<'_>, never: &[Counted]) -> Result<usize, Rejected> {
        let initial = moves.initial()?;
        let blame = |why: &str| Err(Rejected::At(entry_of_main(moves.program), why.into()));
        for (shared, threads) in &initial {
            let view = |&thread| View { shared: *shared, flag: Flag::Free, thread };
            if !threads.iter().all(|thread| self.set.contains(&view(thread))) {
                return blame(INITIAL);
            }
        }
        for state in never.iter().filter(|state| state.holder.is_none()) {
            let starts = initial.iter().find(|(shared, _)| *shared == state.shared);
            let Some((_, starts)) = starts else { continue };
            let total = state.counts.iter().fold(Count::finite(0), |all, &(_, n)| all + n);
            let mut threads = state.counts.iter().map(|(thread, _)| thread);
            if total <= moves.proof.initial && threads.all(|it| starts.binary_search(it).is_ok()) {
                return blame("an initial state is among those that never occur");
            }
        }
        Ok(initial.len() + never.len())
    }

    /// No state of the set has a thread with this view at the label.
    fn label(&self, moves: &Moves<'_>, view: View) -> Result<(), Rejected> {
        let Some(at) = moves.at_label(view.thread) else { return Ok(()) };
        let excluded = match view.flag {
            Flag::Free | Flag::Mine => self.never_has(view, None),
            Flag::Others => self.threads_at(view.shared, Flag::Mine).iter().all(|&holder| {
                self.never_has(View { flag: Flag::Mine, thread: holder, ..view }, Some(view.thread))
            }),
        };
        if excluded { Ok(()) } else { Err(Rejected::At(at, LABEL.into())) }
    }

    /// What a thread with this view can do, in states of the set.
    fn arrows(&self, moves: &mut Moves<'_>, view: View) -> Result<Vec<Arrow>, Rejected> {
        // Only the holder of the flag runs while it is held.
        if view.flag == Flag::Others || self.never_has(view, None) {
            return Ok(Vec::new());
        }
        let known = moves.of(view.shared, view.thread)?;
        if let Some(at) = moves.failure(&known) {
            return Err(Rejected::At(at, FAILURE.into()));
        }
        let mut arrows = Vec::new();
        for Move { at, shared, effect } in &known.moves {
            // Where no thread can be started there is no step.
            if matches!(effect, Moved::Start(_, started) if started.is_empty()) {
                continue;
            }
            let missing = |why: &str| Rejected::At(*at, why.into());
            let shared = shared.ok_or_else(|| missing(SUCCESSOR))?;
            let mut arrow = Arrow {
                at: *at,
                from: view,
                shared,
                to: None,
                holds: view.flag == Flag::Mine,
                started: Vec::new(),
                broadcast: None,
            };
            let to = match effect {
                Moved::End => {
                    arrow.holds = false;
                    arrows.push(arrow);
                    continue;
                }
                Moved::Go(to) => to,
                Moved::Flag(to, takes) => {
                    arrow.holds = *takes;
                    to
                }
                Moved::Start(to, started) => {
                    let started: Option<Vec<_>> = started.iter().copied().collect();
                    arrow.started = started.ok_or_else(|| missing(STARTED))?;
                    to
                }
                Moved::Broadcast(to, broadcast) => {
                    arrow.broadcast = Some(*broadcast);
                    to
                }
            };
            arrow.to = Some(to.ok_or_else(|| missing(SUCCESSOR))?);
            arrows.push(arrow);
        }
        Ok(arrows)
    }

    /// Obligation 1.
    fn closed(&self, moves: &mut Moves<'_>, arrow: &Arrow) -> Result<(), Rejected> {
        let Arrow { at, from, shared, to, .. } = *arrow;
        let (before, after) = arrow.flags_beside();
        let missing = |why: &str| Err(Rejected::At(at, why.into()));
        let flag = if arrow.holds { Flag::Mine } else { Flag::Free };
        let listed = |flag, thread| self.set.contains(&View { shared, flag, thread });
        if !to.is_none_or(|to| listed(flag, to)) {
            return missing(SUCCESSOR);
        }
        if !arrow.started.iter().all(|&new| listed(after, new)) {
            return missing(STARTED);
        }
        if from.shared == shared && before == after && arrow.broadcast.is_none() {
            return Ok(());
        }
        for &other in self.threads_at(from.shared, before) {
            moves.tick()?;
            let kept = match arrow.broadcast {
                None => listed(after, other),
                Some(broadcast) => {
                    let become_ = moves.reactions(broadcast, other)?;
                    become_.iter().all(|it| it.is_some_and(|it| listed(after, it)))
                }
            };
            if !kept && !self.never_has(from, Some(other)) {
                return missing(INTERFERENCE);
            }
        }
        Ok(())
    }

    /// Obligation 2, for one state that never occurs and one move into its shared values.
    fn backward(
        &self,
        moves: &mut Moves<'_>,
        state: &Counted,
        arrow: &Arrow,
    ) -> Result<(), Rejected> {
        moves.tick()?;
        // Only the mover can hold the flag after its step.
        let mut rest = state.counts.clone();
        match state.holder {
            Some(holder) if arrow.holds && arrow.to == Some(holder) => {}
            None if !arrow.holds => {
                if let Some(to) = arrow.to {
                    take(&mut rest, to);
                }
            }
            _ => return Ok(()),
        }
        let n_cases = arrow.started.len().max(1);
        for case in 0..n_cases {
            let mut rest = rest.clone();
            if let Some(&new) = arrow.started.get(case) {
                take(&mut rest, new);
            }
            for others in self.before(moves, &rest, arrow)? {
                if !self.is_never(arrow.from, others) {
                    return Err(Rejected::At(arrow.at, NEVER.into()));
                }
            }
        }
        Ok(())
    }

    /// What the other threads may have been, so that each had a listed view.
    fn before(
        &self,
        moves: &mut Moves<'_>,
        after: &Counts,
        arrow: &Arrow,
    ) -> Result<Vec<Counts>, Rejected> {
        let candidates = self.threads_at(arrow.from.shared, arrow.flags_beside().0);
        let Some(broadcast) = arrow.broadcast else {
            let all_listed = after.iter().all(|(it, _)| candidates.binary_search(it).is_ok());
            return Ok(if all_listed { vec![after.clone()] } else { Vec::new() });
        };
        let mut all = vec![Counts::new()];
        for &(thread, n) in after {
            let mut origins = Vec::new();
            for &candidate in candidates {
                if moves.reactions(broadcast, candidate)?.contains(&Some(thread)) {
                    origins.push(candidate);
                }
            }
            for _ in 0..n.as_finite().unwrap_or(0) {
                let mut longer = Vec::new();
                for counts in &all {
                    for &origin in &origins {
                        moves.tick()?;
                        let mut counts: Counts = counts.clone();
                        add(&mut counts, origin, Count::ONE);
                        longer.push(counts);
                    }
                }
                longer.sort_unstable();
                longer.dedup();
                all = longer;
            }
        }
        Ok(all)
    }

    fn threads_at(&self, shared: SharedValues, flag: Flag) -> &[ThreadState] {
        self.at.get(&(shared, flag)).map_or(&[], Vec::as_slice)
    }

    /// Whether no state of the set has the thread of this view, beside this other one.
    fn never_has(&self, view: View, other: Option<ThreadState>) -> bool {
        self.is_never(view, other.into_iter().map(|other| (other, Count::ONE)).collect())
    }

    /// Whether a thread with this view, the holder of the flag if anybody is, and these others are
    /// above a state that never occurs.
    fn is_never(&self, mover: View, mut others: Counts) -> bool {
        let holder = (mover.flag == Flag::Mine).then_some(mover.thread);
        if holder.is_none() {
            add(&mut others, mover.thread, Count::ONE);
        }
        self.never.is_below(&Counted { shared: mover.shared, holder, counts: others })
    }
}
