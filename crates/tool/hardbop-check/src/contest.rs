//! Engines for Boolean programs side by side (see [`race`](mod@crate::race)).
//!
//! **Computes** the claim of the first engine that says safe or unsafe; if none does, the claim of
//! the first engine of the list, so that the answer does not depend on who gave up when. Which of
//! two right engines is first does depend on timing, and with it which trace or proof is shown.
//! A safe claim and an unsafe one that were both heard of make it unknown.
//! A claim waits for a better one: one without the evidence that is wanted for one with it, half as long
//! again and [`PROOF`], unless those that are still to come prove nothing; any for that of the first engine, whose evidence is preferred, [`FIRST`].
//! The first engine has a [`HEAD_START`]; then they run side by side, or in turns.

use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Bits, Exhausted};
use hardbop_cfg::Program;
use hardbop_engine::{Claim, Engine, Reached, Reason, RunCtx, Verdict};

use crate::race::{Judge, Rival, Worth, race};
use crate::run::Request;
use crate::start::StartingLine;

/// How long a claim without evidence waits for one with it at least.
const PROOF: Duration = Duration::from_secs(1);

/// How long any claim waits for the first engine's: on small programs it comes in time, so that
/// people see the same trace and the same proof every time.
const FIRST: Duration = Duration::from_millis(20);

/// How long the first engine is alone, unless it gives up before.
const HEAD_START: Duration = Duration::from_millis(50);

/// The first turn of an engine on few cores: less for those that are seldom the best.
fn slice(engine: &dyn Engine) -> Duration {
    Duration::from_millis(match engine.name() {
        "cutoff" => 50,
        "backward" => 100,
        _ => 200,
    })
}

/// Runs the engines, all of which accept the request, on the program.
pub fn contest(
    program: &Arc<Program>,
    request: &Request,
    engines: &[&'static dyn Engine],
    ctx: &RunCtx,
) -> (&'static str, Claim) {
    let (wants_proof, wants_trace) = (!request.no_certificate, !request.no_trace);
    let preferences = Preferences { engines, wants_proof, wants_trace };
    let line = StartingLine::new(Some(HEAD_START));
    let rival = |(index, &engine): (usize, &&'static dyn Engine)| {
        let (program, request) = (Arc::clone(program), request.clone());
        let run = move |ctx: &RunCtx| engine.check(&request.task(&program), ctx);
        let rival = Rival::new(engine.name(), run).in_turns(slice(engine));
        if index == 0 { rival.ahead_of(&line) } else { rival.behind(&line) }
    };
    let rivals = engines.iter().enumerate().map(rival).collect();
    let (index, claim) = race(rivals, &preferences, ctx);
    (engines[index].name(), claim)
}

struct Preferences<'a> {
    engines: &'a [&'static dyn Engine],
    /// Whether a safe claim should come with a certificate.
    wants_proof: bool,
    /// Whether an unsafe claim should come with a trace.
    wants_trace: bool,
}

impl Preferences<'_> {
    /// Whether a claim comes without the evidence that is wanted.
    fn is_bare(&self, claim: &Claim) -> bool {
        match &claim.answer {
            Verdict::Safe => self.wants_proof && claim.certificate.is_none(),
            Verdict::Unsafe(Reached { trace, .. }) => self.wants_trace && trace.is_none(),
            Verdict::Unknown(_) => true,
        }
    }

    /// Whether those not heard of prove nothing, so that no better proof will come.
    fn is_last_word(&self, heard: &Bits) -> bool {
        let mut engines = self.engines.iter().enumerate();
        engines.all(|(index, engine)| heard.contains(index) || engine.bounds_switches())
    }
}

impl Judge<Claim> for Preferences<'_> {
    fn worth(&self, _: usize, claim: &Claim, heard: &Bits, elapsed: Duration) -> Worth {
        match claim.answer {
            Verdict::Unknown(_) => Worth::Nothing,
            Verdict::Safe if self.is_last_word(heard) => Worth::Decides,
            // So that evidence does not cost twice the time.
            _ if self.is_bare(claim) => Worth::Waits(elapsed / 2 + PROOF),
            _ if (self.wants_proof || self.wants_trace) && !heard.contains(0) => {
                Worth::Waits(FIRST)
            }
            Verdict::Safe | Verdict::Unsafe(_) => Worth::Decides,
        }
    }

    fn words(&self, claim: &Claim) -> String {
        claim.answer.words()
    }

    fn is_better(&self, new: &Claim, known: &Claim) -> bool {
        self.is_bare(known) && !self.is_bare(new)
    }

    fn contradiction(&self, one: (usize, &Claim), other: (usize, &Claim)) -> Option<Claim> {
        let (safe, unsafe_) =
            Verdict::contradiction((one.0, &one.1.answer), (other.0, &other.1.answer))?;
        let (safe, unsafe_) = (self.engines[safe].name(), self.engines[unsafe_].name());
        Some(Claim::unknown(Reason::contradiction(safe, unsafe_)))
    }

    fn failed(&self, why: String) -> Claim {
        Claim::unknown(Reason::Internal(why))
    }

    fn exhausted(&self, limit: Exhausted) -> Claim {
        Claim::unknown(Reason::Exhausted(limit))
    }
}
