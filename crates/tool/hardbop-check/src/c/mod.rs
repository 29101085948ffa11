//! C: from a question to a verdict.
//!
//! ```text
//! CProgram ─ contest (bmc, kind, runs) ─► Claim ─ confirm: each violation once more, on the whole program
//!          ─► properties, told in the source ─► Outcome ─ certify: a proof, by code that no engine uses
//! ```
//! A violation counts only if the interpreter shows it on the recorded values.

mod ahead;
mod assumptions;
mod certify;
mod confirm;
mod contest;
mod coverage;
mod depends;
mod engine;
mod invariants;
mod property;
mod rounds;
mod trace;
mod witness;
mod words;

use std::sync::PoisonError;
use std::time::Instant;

use hardbop_c::CProgram;
use hardbop_cegar_threads::Cover;
use hardbop_cir::{CheckId, Class};
use hardbop_engine::{Horizon, Reason, RunCtx, Verdict};
use hardbop_engine_c::Counterexample;
use hardbop_kind::Proof;

use crate::engines::Kind;
use crate::outcome::{Asked, Outcome, Violation};
use crate::run::Request;
use confirm::{Confirmed, Shown, confirm};
use depends::{Decided, Settled};
use engine::{Claim, Question};
use rounds::Book;

pub use certify::told as told_certifier;
pub use confirm::told as told_race;
pub use coverage::{Coverage, Reached, coverage};
pub use engine::CEngine;
pub use invariants::loop_span;
pub(crate) use invariants::{invariants, of_threads};
pub use property::Property;
pub use rounds::{At, Round};
pub use trace::{Happening, Run, RunStep};
pub use witness::{Blame, Judgement, judge_correctness, judge_violation};

/// What is asked of a C program.
#[derive(Clone, Debug)]
pub struct CRequest {
    /// The properties; the program must have been read with the checks of these classes.
    pub classes: Vec<Class>,
    /// A fixed number of rounds of each loop instead of more and more.
    pub unwind: Option<u32>,
    /// The switches of engine `fsoft`.
    pub fsoft: hardbop_fsoft::Options,
    /// The switches of engine `cegar`, for programs without threads.
    pub cegar: hardbop_cegar::Settings,
    /// Whether the rounds of engine `cegar` are kept.
    pub keeps_rounds: bool,
}

impl Default for CRequest {
    /// Only `runs` follows which bytes have been written: others say unknown, so it must be asked for.
    fn default() -> Self {
        let classes = Class::ALL.into_iter().filter(|it| it.is_default()).collect();
        CRequest {
            classes,
            unwind: None,
            fsoft: hardbop_fsoft::Options::default(),
            cegar: hardbop_cegar::Settings::DEFAULT,
            keeps_rounds: false,
        }
    }
}

/// What a verdict about a C program rests on.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The check that fails, and the values on which it does.
    Violation(CheckId, Counterexample),
    /// Invariants of the loops.
    Proof(Box<Proof>),
    /// Of threads: states of a Boolean program.
    Cover(Box<Cover>),
}

pub(crate) fn check(loaded: &CProgram, request: &Request, ctx: &RunCtx) -> Outcome {
    let start = Instant::now();
    let settled =
        depends::settle(loaded, decide(loaded, request, ctx), |it| decide(it, request, ctx));
    let mut outcome = outcome(loaded, request, settled);
    if outcome.verdict == Verdict::Safe && !request.no_certificate {
        let (classes, took) = (&request.c.classes, start.elapsed());
        let proof = match &outcome.evidence {
            Some(Evidence::Proof(proof)) => Some(&**proof),
            _ => None,
        };
        match certify::certified(loaded, classes, outcome.engine, proof, took, &ctx.budget) {
            Ok((certificate, accepted)) => {
                outcome.certified = true;
                outcome.stats.set("obligations", accepted.n_obligations as u64);
                outcome.stats.set("proof_steps", accepted.n_steps as u64);
                outcome.c_certificate = Some(certificate);
            }
            Err(why) => {
                let wordless = certify::wordless(&loaded.program, outcome.engine, proof);
                outcome.lacks = Some(wordless.unwrap_or(why));
            }
        }
    }
    outcome.time = start.elapsed();
    outcome
}

/// What an engine, or the race of several, claims and a run confirms.
fn decide(loaded: &CProgram, request: &Request, ctx: &RunCtx) -> Decided {
    let mut question = Question::new(&loaded.program, request);
    question.brief.clone_from(&loaded.brief);
    question.book = request.c.keeps_rounds.then(|| Book::of(&loaded.sources));
    let (engine, claim) = match request.engine.map(|entry| entry.c().ok_or(entry)) {
        Some(Err(entry)) => {
            (CEngine::Bmc, question.unknown(Reason::Unsupported(entry.refusal(Kind::C))))
        }
        Some(Ok(engine)) => contest::contest(Some(engine), &question, ctx),
        None => contest::contest(None, &question, ctx),
    };
    let cover = question.cover.lock().unwrap_or_else(PoisonError::into_inner).take();
    let cover = cover.filter(|_| engine == CEngine::Cegar).map(Box::new);
    let rounds = question.book.filter(|_| engine == CEngine::Cegar).map(|it| it.read());
    let confirmed = confirm(loaded, claim, &request.c.classes, &ctx.budget);
    Decided { engine, confirmed, rounds: rounds.unwrap_or_default(), cover }
}

/// What was confirmed, in the words of the source.
fn outcome(loaded: &CProgram, request: &Request, settled: Settled) -> Outcome {
    let Settled { decided, trusting, depending } = settled;
    let Decided { engine, confirmed, rounds, cover } = decided;
    let loaded = trusting.as_deref().unwrap_or(loaded);
    let Confirmed { claim: Claim { goals: report, certificate, stats, .. }, runs } = confirmed;
    let classes = request.c.classes.clone();
    // The shortest of those known is the easiest to follow; then the first in the source.
    let by_length = |it: &&Shown| (it.n_steps, property::order(loaded, it.place, it.check));
    let shortest = runs.iter().min_by_key(by_length);
    let verdict = match (report.overall().bare(), shortest) {
        (Verdict::Safe, _) => Verdict::Safe,
        (Verdict::Unknown(reason), _) => Verdict::Unknown(reason),
        (Verdict::Unsafe(()), Some(shown)) => Verdict::Unsafe(violation(loaded, shown)),
        // Soundness: what no run has shown is not unsafe.
        (Verdict::Unsafe(()), None) => Verdict::Unknown(Reason::NotShown),
    };
    let mut outcome = Outcome::new(Asked::Properties(classes), verdict);
    outcome.engine = engine.name();
    outcome.rounds = rounds;
    outcome.is_exhaustive = request.exhaustive;
    outcome.stats.set("bound", u64::from(report.bound));
    stats.iter().for_each(|(name, value)| outcome.stats.set(name, value));
    outcome.properties = property::properties(loaded, &report, &runs);
    outcome.assumptions = assumptions::assumptions(&loaded.program, &request.c.classes);
    match &outcome.verdict {
        Verdict::Safe => {
            outcome.unbounded_threads = stats.get(engine::MANY).is_some_and(|it| it > 0);
            let more = report.assumptions.iter().map(ToString::to_string);
            for it in more {
                if !outcome.assumptions.contains(&it) {
                    outcome.assumptions.push(it);
                }
            }
            let proof = certificate.map(|it| Evidence::Proof(Box::new(it)));
            outcome.evidence = proof.or(cover.map(Evidence::Cover));
            outcome.warnings.extend(assumptions::vacuity(&loaded.program, &request.c.classes));
        }
        Verdict::Unknown(reason) => {
            if matches!(reason, Reason::Bounded(horizon) if *horizon != Horizon::Scope) {
                outcome.scope.depth = Some(report.bound);
            }
            outcome.detail = Some(property::told(loaded, reason));
            // What it depends on is worth more than any other doubt.
            if let Some(it) = depending.iter().min_by_key(|it| it.shown.n_steps) {
                let reason = Reason::DependsOn(it.on.clone());
                let violation = violation(loaded, &it.shown);
                outcome.detail = Some(format!("{violation}: {reason}"));
                outcome.verdict = Verdict::Unknown(reason);
                outcome.depending = Some(violation);
                outcome.run = (!request.no_trace).then(|| Run::of(loaded, &it.shown));
            }
        }
        Verdict::Unsafe(_) => {
            if let Some(shortest) = shortest {
                outcome.certified = true;
                outcome.run = (!request.no_trace).then(|| Run::of(loaded, shortest));
                let counterexample = shortest.counterexample.clone();
                outcome.evidence = Some(Evidence::Violation(shortest.check, counterexample));
            }
        }
    }
    outcome.program = trusting;
    outcome
}

fn violation(loaded: &CProgram, shown: &Shown) -> Violation {
    let info = &loaded.program.checks[shown.check];
    let at = loaded.sources.position(shown.place);
    let what = format!("{}: {}", info.class, shown.told.as_deref().unwrap_or(&info.message));
    Violation { file: Some(at.file.to_string()), line: Some(at.line), what }
}
