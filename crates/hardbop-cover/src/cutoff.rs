//! Cutoffs: a number of threads beyond which nothing new happens.
//!
//! **Computes** for n = 1, 2, … the thread states R reached with at most n threads, and whether more
//! threads can add any (Kaiser, Kroening, Wahl, CAV 2010: ECUT, as in field-map part 2; BOOM chapter 9). A
//! *candidate* is a pair of threads in R of which one moves and the other, looking on, would be in a thread
//! state outside of R. No candidate: R is closed under steps, so n is a cutoff. Else the pairs are asked for by
//! backward coverability: if none can be covered, n is a cutoff too; otherwise n grows.
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

use crate::backward::Backward;
use crate::bounded::Bounded;
use crate::counts::{Counts, LocalId, OMEGA};
use crate::modular::Modular;
use crate::system::{ControlId, Rule, State, System};

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
    let mut modular = None;
    // With fewer threads there is no initial state.
    let fixed = |n| if n == OMEGA { 0 } else { u64::from(n) };
    let least = |state: &State| state.counts.iter().map(|(_, n)| fixed(n)).sum();
    let first: u64 = initial.iter().map(least).min().unwrap_or(0);
    for n_threads in first.max(1).. {
        ctx.budget.check()?;
        ctx.progress.set_round(n_threads);
        let reached = Bounded::explore(system, n_threads, MOST_STATES, &mut meter)?;
        ctx.progress.set_found(reached.n_states as u64);
        if let Some(target) = reached.covered {
            return Ok(Outcome::Covered { target, n_threads });
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
        let most = MOST_ELEMENTS.saturating_mul(n_threads as usize);
        let Some(mut candidates) = candidates(system, &reached, &mut meter)? else { continue };
        // Soundness: thread states alone do not exclude a target of several threads.
        candidates.extend(system.targets().into_iter().filter(occurs));
        let n_queries = candidates.len();
        if n_queries > most {
            continue;
        }
        let mut never = Vec::new();
        if n_queries > 0 {
            let modular = match &mut modular {
                Some(known) => known,
                none => none.insert(Modular::new(system, &mut meter)?),
            };
            let mut backward = Backward::new(system, modular, &mut meter)?;
            backward.max_elements = most;
            match backward.search(system, &candidates, ctx) {
                Ok(None) => never.extend(backward.basis().into_iter().cloned()),
                Ok(Some(_)) | Err(Exhausted::States(_)) => continue,
                Err(other) => return Err(other),
            }
        }
        return Ok(Outcome::Cutoff(Proof { n_threads, reached, never, n_queries }));
    }
    unreachable!("nobody has so many threads")
}

/// The pairs that would lead out of R; `None` if something outside is certain.
fn candidates(
    system: &mut dyn System,
    reached: &Bounded,
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
                    if stays_inside(system, reached, rule, bystander, meter)? {
                        continue;
                    }
                    let Some(mover) = anchor else { return Ok(None) };
                    let mut counts = Counts::one(mover);
                    counts.add(bystander, 1);
                    pairs.insert(State { control, counts });
                }
            }
        }
    }
    Ok(Some(pairs.into_iter().collect()))
}

fn stays_inside(
    system: &mut dyn System,
    reached: &Bounded,
    rule: &Rule,
    bystander: LocalId,
    meter: &mut Meter<'_>,
) -> Result<bool, Exhausted> {
    let inside = |local: LocalId, control: ControlId| reached.occurs(control, local);
    Ok(match rule.transfer {
        None => inside(bystander, rule.to),
        Some(transfer) => {
            system.react(transfer, bystander, meter)?.iter().all(|&it| inside(it, rule.to))
        }
    })
}
