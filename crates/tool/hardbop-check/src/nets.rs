//! Nets: from a question to a verdict.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hardbop_base::{Bits, Exhausted, Name, SourceFile};
use hardbop_certify::certify_net;
use hardbop_engine::{Claim, Reason, RunCtx, Verdict};
use hardbop_evidence::Certificate;
use hardbop_net::{Marking, Net, NetTrace, Question, replay};
use hardbop_threads::cover::net_check::{self, Covered, NetEngine};

use crate::engines::{Kind, entries};
use crate::outcome::{Asked, Outcome, Violation, missing};
use crate::race::{Judge, Rival, Worth, race};
use crate::run::{CONFIRM, Request};
use crate::shown::ShownStep;
use crate::start::StartingLine;

/// How long the first engine is alone: most nets are small.
const HEAD_START: Duration = Duration::from_millis(20);

/// The first turn of each engine on few cores.
const SLICE: Duration = Duration::from_millis(100);

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
        None => entries().filter_map(|entry| entry.net()).collect(),
        Some(entry) => match entry.net() {
            Some(engine) => vec![engine],
            None => {
                let why = Reason::Unsupported(entry.refusal(Kind::Net));
                return Outcome { verdict: Verdict::Unknown(why), engine: entry.name, ..outcome };
            }
        },
    };
    let line = StartingLine::new(Some(HEAD_START));
    let rival = |(index, &engine): (usize, &NetEngine)| {
        let (net, question) = (Arc::clone(net), Arc::clone(question));
        let run = move |ctx: &RunCtx| net_check::check(&net, &question, engine, ctx);
        let rival = Rival::new(engine.name(), run).in_turns(SLICE);
        if index == 0 { rival.ahead_of(&line) } else { rival.behind(&line) }
    };
    let rivals = engines.iter().enumerate().map(rival).collect();
    let (at, mut claim) = race(rivals, &First(&engines), ctx);
    if !request.no_trace {
        net_check::show(&mut claim, net, question, ctx);
    }
    (outcome.engine, outcome.stats) = (engines[at].name(), claim.stats);
    match claim.answer {
        Verdict::Safe => {
            if let Some(Certificate::Net(proof)) =
                claim.certificate.filter(|_| !request.no_certificate)
            {
                let budget = ctx.budget.clone().at_most(CONFIRM + 10 * start.elapsed());
                let checked = certify_net(net, question, &proof, &budget);
                outcome.prove_by(proof.into(), checked);
            }
        }
        Verdict::Unknown(reason) => outcome.verdict = Verdict::Unknown(reason),
        Verdict::Unsafe(Covered { target, trace }) => {
            let what = format!("target {}", targets[target]);
            outcome.verdict = Verdict::Unsafe(Violation { file: None, line: None, what });
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
                }
            }
        }
    }
    outcome.time = start.elapsed();
    outcome
}

/// Every engine is right: the first that decides is taken.
struct First<'a>(&'a [NetEngine]);

impl Judge<Claim<Covered>> for First<'_> {
    fn worth(&self, _: usize, claim: &Claim<Covered>, _: &Bits, _: Duration) -> Worth {
        if claim.answer.is_unknown() { Worth::Nothing } else { Worth::Decides }
    }

    fn words(&self, claim: &Claim<Covered>) -> String {
        claim.answer.words()
    }

    fn is_better(&self, _: &Claim<Covered>, _: &Claim<Covered>) -> bool {
        false
    }

    fn contradiction(
        &self,
        one: (usize, &Claim<Covered>),
        other: (usize, &Claim<Covered>),
    ) -> Option<Claim<Covered>> {
        let (safe, unsafe_) =
            Verdict::contradiction((one.0, &one.1.answer), (other.0, &other.1.answer))?;
        let (safe, unsafe_) = (self.0[safe].name(), self.0[unsafe_].name());
        Some(Claim::unknown(Reason::contradiction(safe, unsafe_)))
    }

    fn failed(&self, why: String) -> Claim<Covered> {
        Claim::unknown(Reason::Internal(why))
    }

    fn exhausted(&self, limit: Exhausted) -> Claim<Covered> {
        Claim::unknown(Reason::Exhausted(limit))
    }
}

/// One line a rule, with the state it is taken in; the last line is the state that covers the target.
fn shown(subject: &NetSubject<'_>, states: &[Marking], trace: &NetTrace) -> Vec<ShownStep> {
    let NetSubject { net, source, .. } = *subject;
    let line = |line, text: String, state: &Marking| ShownStep {
        thread: 0,
        depth: 0,
        proc: Name::from("net"),
        line,
        text,
        values: Vec::new(),
        counts: counts(net, state),
        over: None,
    };
    let mut steps: Vec<_> = trace
        .steps
        .iter()
        .zip(states)
        .map(|(step, before)| {
            let span = net.rules[step.rule].span;
            let words = source.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
            let text = format!("{words}    from {}", net.show(before));
            line(Some(source.line(span.start)), text, before)
        })
        .collect();
    steps.extend(states.last().map(|last| line(None, net.show(last), last)));
    steps
}

/// How many are where; a net without names also has a state that all share.
fn counts(net: &Net, state: &Marking) -> Vec<(String, u32)> {
    let of = |&(place, count): &(u32, u32)| match net.names.is_empty() {
        true => (format!("in place {place}"), count),
        false => (net.place_name(place), count),
    };
    let control = net.names.is_empty().then(|| ("shared state".to_string(), state.control));
    control.into_iter().chain(state.counts.iter().map(of)).collect()
}
