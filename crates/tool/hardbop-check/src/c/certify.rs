//! Proofs about C, checked by code that no engine uses ([`hardbop_certify_c`]).
//!
//! Engines work on what is left of the program when all that does not matter is cut away; the certificate is about the whole
//! program. Loops that are left are unrolled, or cut by the invariants of the proof; those that are gone are cut
//! without any claim. A certificate that is not accepted does not take the verdict back: the certifier knows less of
//! memory than the engines do, and says where it stopped.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use cpu_time::ProcessTime;
use hardbop_base::{Budget, CancelToken, Exhausted, memory};
use hardbop_c::CProgram;
use hardbop_certify_c::{Accepted, Certificate, Rejected, certify_naming, loops_of};
use hardbop_cir::pass::Passes;
use hardbop_cir::{Class, Program};
use hardbop_engine_c::{Options, prepare};
use hardbop_kind::Proof;

use super::engine::CEngine;
use super::words::{LoopId, Words, same_loops};
use crate::processor;

/// At least so long is given to a certificate, and as long as finding the proof took.
const LEAST: Duration = Duration::from_secs(4);
/// How much longer than its share of the processor a certificate may take by the clock.
const PATIENCE: u32 = 8;
/// How often it is looked how much was used.
const NAP: Duration = Duration::from_millis(10);

/// Rounds of loops, and calls inside each other, that are looked at: time is the limit. What was enough becomes the bound.
const ROUNDS: u32 = 1 << 24;
const CALLS: u32 = 10_000;

/// How often claims are left out of a certificate.
const MAX_WEAKER: u32 = 12;

/// What separate code says of a safe verdict: the certificate it accepted, or why there is none. Where loops do not end
/// and the engine has no invariants, `kind` is asked for some: who finds a proof does not matter to the certifier.
pub(super) fn certified(
    loaded: &CProgram,
    classes: &[Class],
    engine: &str,
    proof: Option<&Proof>,
    took: Duration,
    budget: &Budget,
) -> Result<(Certificate, Accepted), String> {
    let program = &loaded.program;
    // Nor may the verdict be lost to the end of the processor time.
    let share = processor::left().map_or(LEAST + took, |left| (LEAST + took).min(left / 2));
    let budget = with_half_the_memory(budget.clone());
    if proof.is_some_and(|it| it.is_brief) {
        return Err("not certified: the proof is about another program".into());
    }
    let start = ProcessTime::now();
    // What is tried first gets most of it, and what comes after it all that was left over.
    let left = |part: u32| share.saturating_sub(start.elapsed()) * part / 4;
    let by = |proof: &Proof, share: Duration| {
        within(share, &budget, |budget| {
            first_accepted(loaded, vec![cut_by(program, classes, proof)], budget)
        })
    };
    let unrolled = |share: Duration| {
        within(share, &budget, |budget| {
            first_accepted(loaded, unrollings(program, classes), budget)
        })
    };
    let of_kind = |share: Duration, why: String| {
        within(share, &budget, |budget| {
            let options = Options { classes: classes.to_vec(), ..Options::default() };
            match hardbop_kind::check(program, &options, budget).1 {
                Some(proof) => {
                    first_accepted(loaded, vec![cut_by(program, classes, &proof)], budget)
                }
                None => Err(why),
            }
        })
    };
    let Some(proof) = proof else {
        return unrolled(left(2)).or_else(|why| of_kind(left(4), why));
    };
    by(proof, left(3)).or_else(|why| {
        // Where the words of the proof are not enough for the whole program, its loops may end all the same. But a walk
        // through memory of any length has no last round: to unroll it takes all the memory there is.
        let is_walk = is_walk(proof);
        let unrolled = if is_walk { Err(why.clone()) } else { unrolled(left(3)) };
        unrolled.or_else(|_| match engine == CEngine::Kind.name() {
            true => Err(why),
            false => of_kind(left(4), why),
        })
    })
}

/// Works for at most so much time of the processor: on a machine that is busy with other things a share of the clock's
/// would be next to nothing. The clock may show [`PATIENCE`] times as much.
fn within<T>(share: Duration, budget: &Budget, work: impl FnOnce(&Budget) -> T) -> T {
    let stop = CancelToken::default();
    let own = budget.clone().at_most(share * PATIENCE).with_cancel(stop.clone());
    std::thread::scope(|scope| {
        // Dropped when the work ends, by a panic too.
        let (working, ended) = mpsc::channel::<()>();
        let watch = move || {
            let start = ProcessTime::now();
            while ended.recv_timeout(NAP) == Err(mpsc::RecvTimeoutError::Timeout) {
                if start.elapsed() >= share || budget.check().is_err() {
                    stop.cancel();
                }
            }
        };
        let is_watched = std::thread::Builder::new().spawn_scoped(scope, watch).is_ok();
        let result = match is_watched {
            true => work(&own),
            false => work(&budget.clone().at_most(share)),
        };
        drop(working);
        result
    })
}

/// A verdict that is known must not be lost to its certificate.
fn with_half_the_memory(budget: Budget) -> Budget {
    match (budget.memory_limit(), memory::recent_resident_bytes()) {
        (Some(limit), Some(used)) => budget.with_memory(used + limit.saturating_sub(used) / 2),
        _ => budget,
    }
}

fn first_accepted(
    loaded: &CProgram,
    candidates: Vec<Certificate>,
    budget: &Budget,
) -> Result<(Certificate, Accepted), String> {
    let mut why = String::new();
    for mut certificate in candidates {
        for _ in 0..MAX_WEAKER {
            let mut broken = BTreeSet::new();
            let mut name = |claims| broken = claims;
            let checked = catch_unwind(AssertUnwindSafe(|| {
                certify_naming(&loaded.program, &certificate, budget, &mut name)
            }));
            match checked {
                Ok(Ok(accepted)) => {
                    certificate.unroll = accepted.unroll;
                    certificate.recursion = accepted.recursion;
                    return Ok((certificate, accepted));
                }
                Ok(Err(rejected)) => why = told(loaded, &rejected),
                Err(_) => why = "not certified: the certifier failed".into(),
            }
            if broken.is_empty() {
                break;
            }
            // What rests on something that could not be said is left out: the rest may be enough.
            certificate = certificate.without(&broken);
        }
    }
    Err(why)
}

/// A proof about pointers that walk to an end nobody knows.
fn is_walk(proof: &Proof) -> bool {
    let is_of_pointers = proof.cells.as_ref().is_some_and(|it| it.indices.is_empty());
    is_of_pointers && proof.contracts.contracts.is_empty()
}

/// What a proof is made of that certificates have no words for: then it does not matter where unrolling has ended.
pub(super) fn wordless(program: &Program, engine: &str, proof: Option<&Proof>) -> Option<String> {
    let what = match proof {
        _ if program.has_threads() => "threads",
        Some(proof) if proof.is_brief => "what functions of the library do with texts",
        Some(_) => return None,
        None if engine == CEngine::Shape.name() => "lists of any length",
        None if engine == CEngine::Cegar.name() => "what a function does in any call",
        None => return None,
    };
    Some(format!("not certified: certificates have no words for {what}"))
}

/// Why a certificate is not accepted, with the place in the source.
pub fn told(loaded: &CProgram, why: &Rejected) -> String {
    match why {
        Rejected::At(span, what) => {
            let at = loaded.sources.position(*span);
            format!("not certified: {what} at {}:{}", at.file, at.line)
        }
        Rejected::Unfit(_) | Rejected::Mistaken(_) => format!("not certified: {why}"),
        Rejected::Exhausted(Exhausted::Cancelled) => {
            "not certified: its share of the time was over before all was checked".into()
        }
        Rejected::Exhausted(limit) => format!("not certified: {limit} before all was checked"),
    }
}

/// All loops to their ends, those first without which nothing is left out.
fn unrollings(program: &Program, classes: &[Class]) -> Vec<Certificate> {
    let unrolled = Certificate::new(program, classes, ROUNDS, CALLS);
    let left = prepare(program, classes, Passes { inline: false, ..Passes::ALL });
    let cut = without_lost(unrolled.clone(), program, &left);
    match cut.cuts.is_empty() {
        true => vec![unrolled],
        false => vec![cut, unrolled],
    }
}

/// Loops cut by the invariants of a proof.
fn cut_by(program: &Program, classes: &[Class], proof: &Proof) -> Certificate {
    let unrolled = Certificate::new(program, classes, ROUNDS, CALLS);
    let mut cut = without_lost(unrolled, program, &proof.program);
    cut.k = proof.k;
    Words::new(&mut cut, program, proof).say_all();
    cut
}

/// Cuts the loops of which nothing is left.
fn without_lost(mut certificate: Certificate, program: &Program, left: &Program) -> Certificate {
    let found: BTreeSet<LoopId> = same_loops(program, left).into_values().collect();
    for (id, func) in program.funcs.iter_enumerated() {
        for head in loops_of(func).into_keys().filter(|&head| !found.contains(&(id, head))) {
            certificate.cuts.insert((id, head), Vec::new());
        }
    }
    certificate
}
