//! Nets: from a question to a verdict.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hardbop_base::{Bits, Exhausted, Name, SourceFile};
use hardbop_certify::certify_net;
use hardbop_engine::{Reason, RunCtx};
use hardbop_net::{Marking, Net, NetTrace, Question, replay};
use hardbop_threads::cover::net_check::{self, NetAnswer, NetClaim, NetEngine};

use crate::engines::Kind;
use crate::outcome::{Asked, Outcome, Verdict, Violation, missing};
use crate::race::{Judge, Rival, Worth, race};
use crate::run::{CONFIRM, Request};
use crate::shown::ShownStep;

/// A net with what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct NetSubject<'a> {
    /// The net.
    pub net: &'a Arc<Net>,
    /// The initial state and the targets.
    pub question: &'a Arc<Question>,
    /// The file the net was read from.
    pub source: &'a SourceFile,
}

/// Decides whether a target can be covered. A run is replayed before it is shown.
pub(crate) fn check(subject: &NetSubject<'_>, request: &Request, ctx: &RunCtx) -> Outcome {
    let start = Instant::now();
    let NetSubject { net, question, .. } = *subject;
    let targets: Vec<_> = question.targets.iter().map(|target| net.show(target)).collect();
    let mut outcome = Outcome::new(Asked::Targets(targets.join(" or ")), Verdict::Safe);
    outcome.unbounded_threads = true;
    let engines = match request.engine {
        None => NetEngine::ALL.to_vec(),
        Some(entry) => match entry.net() {
            Some(engine) => vec![engine],
            None => {
                let why = Reason::Unsupported(entry.refusal(Kind::Net));
                return Outcome { verdict: Verdict::Unknown(why), engine: entry.name, ..outcome };
            }
        },
    };
    let rival = |engine: NetEngine| {
        let (net, question) = (Arc::clone(net), Arc::clone(question));
        let run = move |ctx: &RunCtx| net_check::check(&net, &question, engine, ctx);
        Rival { name: engine.name(), run: Box::new(run) }
    };
    let (_, mut claim) = race(engines.into_iter().map(rival).collect(), &First, ctx);
    if !request.no_trace {
        net_check::show(&mut claim, net, question, ctx);
    }
    (outcome.engine, outcome.stats) = (claim.engine, claim.stats);
    match claim.answer {
        NetAnswer::Safe => {
            if let Some(proof) = claim.proof.filter(|_| !request.no_certificate) {
                let budget = ctx.budget.clone().at_most(CONFIRM + 10 * start.elapsed());
                let checked = certify_net(net, question, &proof, &budget);
                outcome.prove_by(proof.into(), checked);
            }
        }
        NetAnswer::Unknown(reason) => outcome.verdict = Verdict::Unknown(reason),
        NetAnswer::Unsafe { target, trace } => {
            outcome.verdict = Verdict::Unsafe;
            let what = format!("target {}", targets[target]);
            outcome.violation = Some(Violation { file: None, line: None, what });
            // Soundness: an unconfirmed run is no counterexample.
            match trace
                .filter(|_| !request.no_trace)
                .map(|trace| (replay(net, question, &trace), trace))
            {
                None if request.no_trace => {}
                None => outcome.lacks = Some(missing("run", claim.lacks)),
                Some((Ok(states), trace)) => {
                    outcome.certified = true;
                    outcome.trace = Some(shown(subject, &states, &trace));
                }
                Some((Err(error), _)) => {
                    let why = Reason::NotConfirmed(format!("replaying the run: {error}"));
                    outcome.verdict = Verdict::Unknown(why);
                    outcome.violation = None;
                }
            }
        }
    }
    outcome.time = start.elapsed();
    outcome
}

/// Every engine is right: the first that decides is taken.
struct First;

impl Judge<NetClaim> for First {
    fn worth(&self, _: usize, claim: &NetClaim, _: &Bits, _: Duration) -> Worth {
        match claim.answer {
            NetAnswer::Unknown(_) => Worth::Nothing,
            NetAnswer::Safe | NetAnswer::Unsafe { .. } => Worth::Decides,
        }
    }

    fn is_better(&self, _: &NetClaim, _: &NetClaim) -> bool {
        false
    }

    fn contradiction(
        &self,
        one: (usize, &NetClaim),
        other: (usize, &NetClaim),
    ) -> Option<NetClaim> {
        let (safe, unsafe_) = match (&one.1.answer, &other.1.answer) {
            (NetAnswer::Safe, NetAnswer::Unsafe { .. }) => (one.1, other.1),
            (NetAnswer::Unsafe { .. }, NetAnswer::Safe) => (other.1, one.1),
            _ => return None,
        };
        Some(NetClaim::unknown(Reason::contradiction(safe.engine, unsafe_.engine)))
    }

    fn failed(&self, why: String) -> NetClaim {
        NetClaim::unknown(Reason::Internal(why))
    }

    fn exhausted(&self, limit: Exhausted) -> NetClaim {
        NetClaim::unknown(Reason::Exhausted(limit))
    }
}

/// One line a rule, with the state it is taken in; the last line is the state that covers the target.
fn shown(subject: &NetSubject<'_>, states: &[Marking], trace: &NetTrace) -> Vec<ShownStep> {
    let NetSubject { net, source, .. } = *subject;
    let line = |line, text: String| ShownStep {
        thread: 0,
        depth: 0,
        proc: Name::from("net"),
        line,
        text,
        values: Vec::new(),
        over: None,
    };
    let mut steps: Vec<_> = trace
        .steps
        .iter()
        .zip(states)
        .map(|(step, before)| {
            let span = net.rules[step.rule].span;
            let words = source.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
            line(Some(source.line(span.start)), format!("{words}    from {}", net.show(before)))
        })
        .collect();
    steps.extend(states.last().map(|last| line(None, net.show(last))));
    steps
}
