//! Cutoffs: a number of threads beyond which nothing new happens.
//!
//! **Computes** for n = 1, 2, … the thread states R reached with at most n threads, and whether more
//! threads can add any (Kaiser, Kroening, Wahl, CAV 2010: ECUT, as in field-map part 2; BOOM chapter 9). A
//! *candidate* is a pair of threads in R of which one moves and the other, looking on, would be in a thread
//! state outside of R. No candidate: R is closed under steps, so n is a cutoff. Else the pairs are asked for by
//! backward coverability: if none can be covered, n is a cutoff too; otherwise n grows. Where that takes too long for all
//! pairs together, they are asked for one by one: what is proved then is kept, and told to the other engines.
//!
//! **Invariant.** R only has thread states that occur. When n is called a cutoff, R with the states that lead
//! to a candidate excluded is inductive, whatever the number of threads.
//!
//! **Departures.** A rule of the flag's holder takes no thread: what it does to a thread that looks on is no
//! candidate but certain, and so is what a thread does itself but for the bound (a start at the bound is cut).
//! Where something certain is missing n grows without a query. Queries have a limit that grows with n, because
//! a small n with hopeless candidates should not be studied for long.
//!
//! A target of several threads whose thread states all occur is asked for together with the candidates.
//!
//! **Limits.** Rules that take several threads at once (Petri nets) have more than pairs as candidates: refused.

use std::collections::BTreeSet;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_engine::RunCtx;
use smallvec::SmallVec;

use crate::cover::backward::Backward;
use crate::cover::board::{Board, Reporter};
use crate::cover::bounded::Bounded;
use crate::cover::counts::{Counts, LocalId, OMEGA};
use crate::cover::modular::Modular;
use crate::cover::system::{Rule, State, System};

/// How the search ended.
#[derive(Debug)]
pub enum Outcome {
    /// This target is covered with at most so many threads.
    Covered {
        target: usize,
        n_threads: u64,
    },
    Cutoff(Proof),
}

/// Why so many threads are a cutoff.
#[derive(Debug)]
pub struct Proof {
    pub n_threads: u64,
    /// The thread states that occur.
    pub reached: Bounded,
    /// The smallest of the states that lead to a candidate; none of them can be covered.
    pub never: Vec<State>,
    /// Candidates that had to be asked for.
    pub n_queries: usize,
}

/// States of one bounded run.
const MOST_STATES: usize = 5_000_000;

/// Elements of the first query; those for n threads may have n times as many.
const MOST_ELEMENTS: usize = 20_000;

/// The smallest number of threads that settles the question.
pub fn search(system: &mut dyn System, ctx: &RunCtx) -> Result<Outcome, Exhausted> {
    let mut meter = ctx.budget.meter(256);
    let initial = system.initial(&mut meter)?;
    let (mut modular, mut never) = (None, Vec::new());
    let (board, mut reporter) = (Board::of(ctx), Reporter::of(ctx));
    // With fewer threads there is no initial state.
    let fixed = |n| if n == OMEGA { 0 } else { u64::from(n) };
    let least = |state: &State| state.counts.iter().map(|(_, n)| fixed(n)).sum();
    let first: u64 = initial.iter().map(least).min().unwrap_or(0);
    for n_threads in first.max(1).. {
        ctx.budget.check()?;
        ctx.progress.count("states", "threads");
        ctx.progress.set_round(n_threads);
        let reached = Bounded::explore(system, n_threads, MOST_STATES, &mut meter)?;
        ctx.progress.set_found(reached.n_states as u64);
        if let Some(target) = reached.covered {
            return Ok(Outcome::Covered { target, n_threads });
        }
        if let Some(reporter) = &mut reporter {
            reached.tell(system, reporter);
        }
        // Soundness: what threads may be in the beginning is the base of the induction; with few threads
        // not all of them may have been there.
        let occurs = |state: &State| {
            reached.reaches(state.control)
                && state.counts.locals().all(|local| reached.occurs(state.control, local))
        };
        if !initial.iter().all(occurs) {
            continue;
        }
        let found = candidates(system, &reached, board.as_deref(), &mut meter)?;
        let Some(mut candidates) = found else { continue };
        // Soundness: thread states alone do not exclude a target of several threads.
        candidates.extend(system.targets().into_iter().filter(occurs));
        let most = MOST_ELEMENTS.saturating_mul(n_threads as usize);
        let n_queries = candidates.len();
        if n_queries > most {
            continue;
        }
        if n_queries > 0 {
            let modular = match &mut modular {
                Some(known) => known,
                none => none.insert(Modular::new(system, &mut meter)?),
            };
            let mut queries = Queries { system, modular, never: &mut never, most, ctx };
            match queries.all(&candidates) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Exhausted::States(_)) => {
                    let new = queries.one_by_one(&candidates)?;
                    if let Some(board) = &board {
                        board.tell_never(system, &new);
                    }
                    never.extend(new);
                    continue;
                }
                Err(other) => return Err(other),
            }
        }
        return Ok(Outcome::Cutoff(Proof { n_threads, reached, never, n_queries }));
    }
    unreachable!("nobody has so many threads")
}

/// Questions whether candidates can be covered.
struct Queries<'a> {
    system: &'a mut dyn System,
    modular: &'a Modular,
    /// What is known to be never covered.
    never: &'a mut Vec<State>,
    /// Elements of one search.
    most: usize,
    ctx: &'a RunCtx,
}

impl<'a> Queries<'a> {
    fn search(&mut self) -> Result<Backward<'a>, Exhausted> {
        let mut meter = self.ctx.budget.meter(256);
        let mut backward = Backward::new(self.system, self.modular, &mut meter)?;
        backward.exclude(self.never.iter().cloned());
        backward.max_elements = backward.n_elements() + self.most;
        Ok(backward)
    }

    /// Whether no candidate can be covered. Asked for together: one that can be covered is found soon.
    fn all(&mut self, candidates: &[State]) -> Result<bool, Exhausted> {
        let mut backward = self.search()?;
        let covered = backward.search(self.system, candidates, self.ctx)?;
        if covered.is_none() {
            *self.never = backward.basis().into_iter().cloned().collect();
        }
        Ok(covered.is_none())
    }

    /// Where that is too much at once: what is proved before a query fails. A query that fails may make a proved
    /// element redundant by one that is not, so redundant ones are kept.
    fn one_by_one(&mut self, candidates: &[State]) -> Result<Vec<State>, Exhausted> {
        let mut backward = self.search()?;
        let n_known = backward.n_elements();
        for candidate in candidates {
            let n_proved = backward.n_elements();
            match backward.search(self.system, std::slice::from_ref(candidate), self.ctx) {
                Ok(None) => {}
                Ok(Some(_)) | Err(Exhausted::States(_)) => {
                    return Ok(backward.elements(n_known..n_proved));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(backward.elements(n_known..backward.n_elements()))
    }
}

/// The pairs that would lead out of R; `None` if something outside is certain.
fn candidates(
    system: &mut dyn System,
    reached: &Bounded,
    board: Option<&Board>,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<State>>, Exhausted> {
    let mut pairs = BTreeSet::new();
    for control in reached.controls() {
        let locals = &reached.locals[&control];
        for anchor in std::iter::once(None).chain(locals.iter().copied().map(Some)) {
            for rule in system.rules(control, anchor, meter)?.iter() {
                meter.tick()?;
                let is_active = |local| reached.occurs(rule.to, local);
                if !reached.reaches(rule.to) || !rule.put.locals().all(is_active) {
                    return Ok(None);
                }
                if rule.to == control && rule.transfer.is_none() {
                    continue;
                }
                for &bystander in locals {
                    meter.tick()?;
                    let outside = outside(system, reached, rule, bystander, meter)?;
                    if outside.is_empty() {
                        continue;
                    }
                    let Some(mover) = anchor else { return Ok(None) };
                    // Another engine has been there.
                    let is_covered = |board: &Board| {
                        outside.iter().any(|&it| board.is_covered(system, rule.to, it))
                    };
                    if board.is_some_and(is_covered) {
                        return Ok(None);
                    }
                    let mut counts = Counts::one(mover);
                    counts.add(bystander, 1);
                    pairs.insert(State { control, counts });
                }
            }
        }
    }
    Ok(Some(pairs.into_iter().collect()))
}

/// The local states outside of R that a thread which looks on may come to.
fn outside(
    system: &mut dyn System,
    reached: &Bounded,
    rule: &Rule,
    bystander: LocalId,
    meter: &mut Meter<'_>,
) -> Result<SmallVec<[LocalId; 4]>, Exhausted> {
    let is_outside = |local: &LocalId| !reached.occurs(rule.to, *local);
    Ok(match rule.transfer {
        None => Some(bystander).into_iter().filter(is_outside).collect(),
        Some(transfer) => {
            system.react(transfer, bystander, meter)?.iter().copied().filter(is_outside).collect()
        }
    })
}
