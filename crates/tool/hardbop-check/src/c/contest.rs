//! Engines for C side by side (see [`race`](mod@crate::race)).

use std::time::Duration;

use hardbop_base::{Bits, Exhausted};
use hardbop_cegar_threads::can_prove;
use hardbop_engine::{Reason, RunCtx, Verdict};
use hardbop_fsoft::Method;

use super::ahead;
use super::engine::{CEngine, Claim, Question, claim};
use crate::race::{Judge, Rival, Worth, race};
use crate::start::StartingLine;

/// `None` is `auto`: `bmc`, `kind`, `shape`, `cegar` and `runs` side by side or in turns, and for a short time diagrams; of threads
/// `interleave`, and `cegar` where it can say all that is asked. A fixed bound is a question to `bmc`.
///
/// The first verdict counts; where all checks are asked about, they go on until each is known to one of them.
pub(super) fn contest(
    engine: Option<CEngine>,
    question: &Question,
    ctx: &RunCtx,
) -> (CEngine, Claim) {
    let has_threads = question.program.has_threads();
    let mut engines = match engine {
        Some(engine) => vec![engine],
        None if has_threads && can_prove(&question.program, &question.options.classes) => {
            vec![CEngine::Interleave, CEngine::Cegar]
        }
        None if has_threads => vec![CEngine::Interleave],
        None if question.options.unwind.is_some() => vec![CEngine::Bmc],
        None => {
            vec![CEngine::Bmc, CEngine::Kind, CEngine::Shape, CEngine::Fsoft, CEngine::Cegar]
        }
    };
    let is_auto = engine.is_none();
    let has_runs = engines.len() > 1 && !has_threads;
    let line = StartingLine::new(None);
    let mut rivals = Vec::new();
    for &engine in &engines {
        let question = question.clone();
        let run = move |ctx: &RunCtx| match engine {
            CEngine::Fsoft if is_auto => question.diagrams(ctx),
            _ => question.answer(engine, ctx),
        };
        let rival = Rival::new(engine.name(), run).in_turns(slice(engine));
        rivals.push(if has_runs { rival.behind(&line) } else { rival });
    }
    if has_runs {
        let (question, others) = (question.clone(), line.clone());
        let run = move |ctx: &RunCtx| {
            claim(ahead::runs(&question.program, &question.options, &ctx.budget, &others))
        };
        let rival = Rival::new(CEngine::Runs.name(), run).in_turns(slice(CEngine::Runs));
        rivals.push(rival.ahead_of(&line));
        engines.push(CEngine::Runs);
    }
    let open = question.unknown(Reason::Stopped);
    let judge = Preferences { question, engines: &engines, open };
    let (at, claim) = race(rivals, &judge, ctx);
    question.completed(engines[at], claim)
}

/// The first turn of an engine on few cores. Most programs are decided by `bmc` or `kind` at once, so these
/// come first.
fn slice(engine: CEngine) -> Duration {
    Duration::from_millis(match engine {
        CEngine::Bmc | CEngine::Kind | CEngine::Runs => 200,
        CEngine::Cegar | CEngine::Interleave => 150,
        CEngine::Fsoft | CEngine::Shape => 100,
    })
}

/// What diagrams get in `auto`: where few states can be reached they have them soon, whatever the
/// invariant is; elsewhere they must not be in the way. On few cores their turns are short anyway, and on a busy machine
/// these seconds of the clock are much less of the processor.
const DIAGRAM_TIME: Duration = Duration::from_secs(10);
const DIAGRAM_NODES: usize = 1 << 20;

impl Question {
    fn diagrams(mut self, ctx: &RunCtx) -> Claim {
        self.fsoft.method = Method::Bdd;
        self.fsoft.nodes = DIAGRAM_NODES;
        let part = ctx.budget.time_left().map_or(DIAGRAM_TIME, |left| left / 4);
        let budget = ctx.budget.clone().at_most(part.min(DIAGRAM_TIME));
        self.answer(CEngine::Fsoft, &RunCtx::new(budget))
    }
}

/// How long the proof of `kind` waits for `bmc`: where loops end, that says more often the same.
const FIRST: Duration = Duration::from_millis(20);

/// For a claim that leaves checks open which others may close: it counts when the race is over.
const TO_THE_END: Duration = Duration::from_secs(u32::MAX as u64);

/// The first verdict counts; of two at the same time that of `bmc`, and of two doubts, too.
struct Preferences<'a> {
    question: &'a Question,
    engines: &'a [CEngine],
    /// What is known without any answer.
    open: Claim,
}

impl Judge<Claim> for Preferences<'_> {
    fn worth(&self, at: usize, claim: &Claim, heard: &Bits, _: Duration) -> Worth {
        match claim.answer {
            Verdict::Unknown(_) => Worth::Nothing,
            _ if self.goes_on(claim) => Worth::Waits(TO_THE_END),
            _ if heard.contains(0) || self.engines[at] == CEngine::Runs => Worth::Decides,
            Verdict::Safe | Verdict::Unsafe(()) => Worth::Waits(FIRST),
        }
    }

    fn words(&self, claim: &Claim) -> String {
        claim.answer.words()
    }

    fn is_better(&self, _: &Claim, _: &Claim) -> bool {
        false
    }

    fn contradiction(&self, one: (usize, &Claim), other: (usize, &Claim)) -> Option<Claim> {
        let (safe, unsafe_) = match (denies(one.1, other.1), denies(other.1, one.1)) {
            (true, _) => (one.0, other.0),
            (_, true) => (other.0, one.0),
            (false, false) => return None,
        };
        let (safe, unsafe_) = (self.engines[safe].name(), self.engines[unsafe_].name());
        Some(self.question.unknown(Reason::contradiction(safe, unsafe_)))
    }

    fn failed(&self, why: String) -> Claim {
        self.question.unknown(Reason::Internal(why))
    }

    fn exhausted(&self, limit: Exhausted) -> Claim {
        self.question.unknown(Reason::Exhausted(limit))
    }

    fn settled(&self) -> Option<Claim> {
        let is_all = !self.question.options.stop_at_first
            && !self.open.goals.checks.is_empty()
            && self.question.is_settled(&self.open);
        is_all.then(|| self.open.clone())
    }
}

impl Preferences<'_> {
    /// Whether all checks are asked about, and others may find out about those that the claim leaves open.
    fn goes_on(&self, claim: &Claim) -> bool {
        !self.question.options.stop_at_first && !self.question.is_settled(claim)
    }
}

/// Whether a check is safe to the one and violated to the other.
fn denies(safe: &Claim, other: &Claim) -> bool {
    safe.goals.checks.iter().any(|(check, finding)| {
        finding.is_safe() && other.goals.checks.get(check).is_some_and(Verdict::is_unsafe)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use hardbop_base::Exhausted;
    use hardbop_cir::{CheckId, Program};
    use hardbop_engine::Reason;
    use hardbop_engine_c::{Counterexample, Finding, Report};

    use super::super::engine::{CEngine, Question, claim};
    use super::{Preferences, TO_THE_END};
    use crate::race::{Judge, Worth};
    use crate::run::Request;

    /// One check, its number, and what an engine may say of it.
    fn program() -> (Program, CheckId, Finding) {
        let texts = vec![("t.c".into(), "int main(void) { int a[2]; return a[0] = 1; }".into())];
        let loaded = hardbop_c::load_text(texts, &hardbop_c::Options::default());
        let program = loaded.expect("it is C").program;
        let is_asked = |it: &CheckId| program.checks[*it].class.is_default();
        let check = program.checks.ids().find(is_asked).expect("there is a check");
        let inputs = Vec::new();
        let found = Counterexample { inputs, ..Counterexample::default() };
        (program, check, Finding::Unsafe(found))
    }

    #[test]
    fn what_was_found_outlives_an_engine_that_does_not_stop() {
        let (program, check, violated) = program();
        let question = Question::new(&program, &Request::default());
        let (engines, open) = (&[CEngine::Kind, CEngine::Bmc], question.unknown(Reason::Stopped));
        let judge = Preferences { question: &question, engines, open };
        let limit = Exhausted::Time(Duration::from_secs(1));
        let (_, nothing) = question.completed(CEngine::Kind, judge.exhausted(limit));
        assert_eq!(nothing.goals.incomplete, Some(Reason::Exhausted(limit)));
        question.board.note(CEngine::Bmc, check, &violated);
        let (engine, claim) = question.completed(CEngine::Kind, judge.exhausted(limit));
        assert_eq!(claim.goals.checks.get(&check), Some(&violated));
        assert!(claim.answer.is_unsafe());
        assert_eq!(engine, CEngine::Bmc);
    }

    #[test]
    fn what_one_engine_proved_completes_the_claim_of_another() {
        let (program, check, violated) = program();
        let question = Question::new(&program, &Request::default());
        let said = |finding, why| {
            let checks = BTreeMap::from([(check, finding)]);
            claim(Report::new(&program, &[], checks, why, 1))
        };
        let open = || said(Finding::Unknown(Reason::NotShown), Some(Reason::NotShown));
        let (engine, still) = question.completed(CEngine::Bmc, open());
        assert_eq!((engine, still.answer.is_unknown()), (CEngine::Bmc, true));
        question.board.note(CEngine::Kind, check, &Finding::Safe);
        let (engine, done) = question.completed(CEngine::Bmc, open());
        assert_eq!((engine, done.answer.is_safe()), (CEngine::Kind, true));
        let (_, denied) = question.completed(CEngine::Bmc, said(violated, None));
        let mistake = Finding::Unknown(Reason::contradiction("kind", "bmc"));
        assert_eq!(denied.goals.overall(), mistake);
        let (_, still) = question.completed(CEngine::Bmc, denied);
        assert_eq!(still.goals.overall(), mistake, "a contradiction stays one");
    }

    #[test]
    fn where_all_checks_are_asked_about_engines_go_on_until_each_is_known() {
        let text = "int main(int n, char **v) { int a[2]; a[n] = 1; return a[n + 1]; }";
        let texts = vec![("t.c".into(), text.into())];
        let loaded = hardbop_c::load_text(texts, &hardbop_c::Options::default());
        let program = loaded.expect("it is C").program;
        let found = || Finding::Unsafe(Counterexample::default());
        for exhaustive in [false, true] {
            let question = Question::new(&program, &Request { exhaustive, ..Request::default() });
            let open = question.unknown(Reason::Stopped);
            let checks: Vec<CheckId> = open.goals.checks.keys().copied().collect();
            let (&first, others) = checks.split_first().expect("there are checks");
            assert!(!others.is_empty());
            let (classes, stopped) = (&question.options.classes, Some(Reason::Stopped));
            let report = Report::new(&program, classes, [(first, found())].into(), stopped, 1);
            let part = claim(report);
            let engines = &[CEngine::Kind, CEngine::Bmc];
            let judge = Preferences { question: &question, engines, open };
            let heard = [0, 1].into_iter().collect();
            let worth = || judge.worth(1, &part, &heard, Duration::ZERO);
            assert_eq!(worth(), if exhaustive { Worth::Waits(TO_THE_END) } else { Worth::Decides });
            others.iter().for_each(|it| question.board.note(CEngine::Kind, *it, &Finding::Safe));
            assert_eq!(worth(), Worth::Decides);
            assert!(judge.settled().is_none());
            question.board.note(CEngine::Bmc, first, &found());
            assert_eq!(judge.settled().is_some(), exhaustive);
        }
    }

    #[test]
    fn a_check_that_is_safe_to_one_and_violated_to_another_is_neither() {
        let (program, check, found) = program();
        let claim = |finding| {
            let checks = BTreeMap::from([(check, finding)]);
            claim(Report::new(&program, &[], checks, None, 1))
        };
        let safe = (0, &claim(Finding::Safe));
        let violated = (1, &claim(found));
        let open = (1, &claim(Finding::Unknown(Reason::Stopped)));
        let question = Question::new(&program, &Request::default());
        let (engines, nothing) =
            (&[CEngine::Kind, CEngine::Bmc], question.unknown(Reason::Stopped));
        let judge = Preferences { question: &question, engines, open: nothing };
        let mistake = Some(Finding::Unknown(Reason::contradiction("kind", "bmc")));
        for (one, other) in [(safe, violated), (violated, safe)] {
            let said = judge.contradiction(one, other);
            assert_eq!(said.map(|it| it.goals.overall()), mistake);
        }
        assert!(judge.contradiction(safe, open).is_none());
        assert!(judge.contradiction(open, violated).is_none());
    }
}
