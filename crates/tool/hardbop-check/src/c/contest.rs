//! Engines for C side by side (see [`race`](mod@crate::race)).

use std::time::Duration;

use hardbop_base::{Bits, Exhausted};
use hardbop_engine::c::Finding;
use hardbop_engine::{Reason, RunCtx, Stats};
use hardbop_fsoft::Method;

use super::engine::{CEngine, Claim, Question};
use super::share;
use crate::race::{Judge, Rival, Worth, race};

/// `None` is `auto`: `bmc`, `kind` and `runs` side by side, and for a short time diagrams. A fixed bound
/// is a question to `bmc`, and of all violations at once `runs` cannot say when they are all.
pub(super) fn contest(engine: Option<CEngine>, question: &Question, ctx: &RunCtx) -> Claim {
    let engines = match engine {
        Some(engine) => vec![engine],
        None if question.options.unwind.is_some() => vec![CEngine::Bmc],
        None => vec![CEngine::Bmc, CEngine::Kind, CEngine::Fsoft],
    };
    let is_auto = engine.is_none();
    let has_runs = engines.len() > 1 && question.options.stop_at_first;
    let mut rivals = Vec::new();
    let (forerunner, followers) = share::forerunner(if has_runs { engines.len() } else { 0 });
    let mut followers = followers.into_iter();
    for &engine in &engines {
        let (question, follower) = (question.clone(), followers.next());
        let run = move |ctx: &RunCtx| {
            let _at_work = follower.map(share::Follower::start);
            match engine {
                CEngine::Fsoft if is_auto => question.diagrams(ctx),
                _ => question.answer(engine, ctx),
            }
        };
        rivals.push(Rival { name: engine.name(), run: Box::new(run) });
    }
    if has_runs {
        let question = question.clone();
        let run = move |ctx: &RunCtx| {
            let report = forerunner.run(&question.program, &question.options, &ctx.budget);
            Claim { engine: CEngine::Runs, report, proof: None, stats: Stats::default() }
        };
        rivals.push(Rival { name: CEngine::Runs.name(), run: Box::new(run) });
    }
    race(rivals, &Preferences { question, first: engines[0] }, ctx).1
}

/// What diagrams get in `auto`: where few states can be reached they have them at once, whatever the
/// invariant is; elsewhere they must not be in the way.
const DIAGRAM_TIME: Duration = Duration::from_secs(3);
const DIAGRAM_NODES: usize = 1 << 17;

impl Question {
    fn diagrams(mut self, ctx: &RunCtx) -> Claim {
        self.fsoft.method = Method::Bdd;
        self.fsoft.nodes = DIAGRAM_NODES;
        let tenth = ctx.budget.time_left().map_or(DIAGRAM_TIME, |left| left / 10);
        let budget = ctx.budget.clone().at_most(tenth.min(DIAGRAM_TIME));
        self.answer(CEngine::Fsoft, &RunCtx::new(budget))
    }
}

/// How long the proof of `kind` waits for `bmc`: where loops end, that says more often the same.
const FIRST: Duration = Duration::from_millis(20);

/// The first verdict counts; of two at the same time that of `bmc`, and of two doubts, too.
struct Preferences<'a> {
    question: &'a Question,
    first: CEngine,
}

impl Judge<Claim> for Preferences<'_> {
    fn worth(&self, _: usize, claim: &Claim, heard: &Bits, _: Duration) -> Worth {
        match claim.report.overall() {
            Finding::Unknown(_) => Worth::Nothing,
            _ if heard.contains(0) || claim.engine == CEngine::Runs => Worth::Decides,
            _ => Worth::Waits(FIRST),
        }
    }

    fn is_better(&self, _: &Claim, _: &Claim) -> bool {
        false
    }

    fn contradiction(&self, one: (usize, &Claim), other: (usize, &Claim)) -> Option<Claim> {
        let (one, other) = (one.1, other.1);
        let (safe, unsafe_) = match (denies(one, other), denies(other, one)) {
            (true, _) => (one, other),
            (_, true) => (other, one),
            (false, false) => return None,
        };
        let reason = Reason::contradiction(safe.engine.name(), unsafe_.engine.name());
        Some(self.question.unknown(self.first, reason))
    }

    fn failed(&self, why: String) -> Claim {
        self.question.unknown(self.first, Reason::Internal(why))
    }

    fn exhausted(&self, limit: Exhausted) -> Claim {
        self.question.cut_off(self.first, Reason::Exhausted(limit))
    }
}

/// Whether a check is safe to the one and violated to the other.
fn denies(safe: &Claim, other: &Claim) -> bool {
    safe.report.checks.iter().any(|(check, verdict)| {
        *verdict == Finding::Safe
            && matches!(other.report.checks.get(check), Some(Finding::Unsafe(_)))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use hardbop_base::Exhausted;
    use hardbop_cir::{CheckId, Program};
    use hardbop_engine::c::{Counterexample, Finding, Report};
    use hardbop_engine::{Reason, Stats};

    use super::super::engine::{CEngine, Claim, Question};
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
        let found = Counterexample { inputs, fixes_all: false, fresh_byte: 0 };
        (program, check, Finding::Unsafe(found))
    }

    #[test]
    fn what_was_found_outlives_an_engine_that_does_not_stop() {
        let (program, check, violated) = program();
        let question = Question::new(&program, &Request::default());
        let judge = Preferences { question: &question, first: CEngine::Bmc };
        question.board.note(check, &violated);
        let limit = Exhausted::Time(Duration::from_secs(1));
        let report = judge.exhausted(limit).report;
        assert_eq!(report.checks.get(&check), Some(&violated));
        assert_eq!(report.incomplete, Some(Reason::Exhausted(limit)));
    }

    #[test]
    fn a_check_that_is_safe_to_one_and_violated_to_another_is_neither() {
        let (program, check, found) = program();
        let claim = |engine, verdict| {
            let checks = BTreeMap::from([(check, verdict)]);
            let report = Report::new(&program, &[], checks, None, 1);
            Claim { engine, report, proof: None, stats: Stats::default() }
        };
        let safe = claim(CEngine::Kind, Finding::Safe);
        let violated = claim(CEngine::Bmc, found);
        let open = claim(CEngine::Bmc, Finding::Unknown(Reason::Stopped));
        let question = Question::new(&program, &Request::default());
        let judge = Preferences { question: &question, first: CEngine::Bmc };
        let mistake = Some(Finding::Unknown(Reason::contradiction("kind", "bmc")));
        for (one, other) in [(&safe, &violated), (&violated, &safe)] {
            let said = judge.contradiction((0, one), (1, other));
            assert_eq!(said.map(|it| it.report.overall()), mistake);
        }
        assert!(judge.contradiction((0, &safe), (1, &open)).is_none());
        assert!(judge.contradiction((0, &open), (1, &violated)).is_none());
    }
}
