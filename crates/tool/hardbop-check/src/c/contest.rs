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
/// `interleave`, and `cegar` where it can say all that is asked. A fixed bound
/// is a question to `bmc`, and of all violations at once `runs` cannot say when they are all.
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
    let has_runs = engines.len() > 1 && !has_threads && question.options.stop_at_first;
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
    let (at, claim) = race(rivals, &Preferences { question, engines: &engines }, ctx);
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

/// The first verdict counts; of two at the same time that of `bmc`, and of two doubts, too.
struct Preferences<'a> {
    question: &'a Question,
    engines: &'a [CEngine],
}

impl Judge<Claim> for Preferences<'_> {
    fn worth(&self, at: usize, claim: &Claim, heard: &Bits, _: Duration) -> Worth {
        match claim.answer {
            Verdict::Unknown(_) => Worth::Nothing,
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
        self.question.cut_off(Reason::Exhausted(limit))
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
    use super::Preferences;
    use crate::race::Judge;
    use crate::run::Request;

    /// One check, its number, and what an engine may say of it.
    fn program() -> (Program, CheckId, Finding) {
        let texts = vec![("t.c".into(), "int main(void) { int a[2]; return a[0] = 1; }".into())];
        let loaded = hardbop_c::load_text(texts, &hardbop_c::Options::default());
        let program = loaded.expect("it is C").program;
        let check = program.checks.ids().next().expect("there is a check");
        let inputs = Vec::new();
        let found = Counterexample { inputs, ..Counterexample::default() };
        (program, check, Finding::Unsafe(found))
    }

    #[test]
    fn what_was_found_outlives_an_engine_that_does_not_stop() {
        let (program, check, violated) = program();
        let question = Question::new(&program, &Request::default());
        let judge = Preferences { question: &question, engines: &[CEngine::Kind, CEngine::Bmc] };
        question.board.note(CEngine::Bmc, check, &violated);
        let limit = Exhausted::Time(Duration::from_secs(1));
        let report = judge.exhausted(limit).goals;
        assert_eq!(report.checks.get(&check), Some(&violated));
        assert_eq!(report.incomplete, Some(Reason::Exhausted(limit)));
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
        let judge = Preferences { question: &question, engines: &[CEngine::Kind, CEngine::Bmc] };
        let mistake = Some(Finding::Unknown(Reason::contradiction("kind", "bmc")));
        for (one, other) in [(safe, violated), (violated, safe)] {
            let said = judge.contradiction(one, other);
            assert_eq!(said.map(|it| it.goals.overall()), mistake);
        }
        assert!(judge.contradiction(safe, open).is_none());
        assert!(judge.contradiction(open, violated).is_none());
    }
}
