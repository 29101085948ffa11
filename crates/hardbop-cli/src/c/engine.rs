//! The engines that decide C programs, and how `auto` runs three of them side by side.

use std::sync::Arc;
use std::time::Duration;

use hardbop_base::{Bits, Exhausted};
use hardbop_bmc::{Options, Reason, Report, Verdict};
use hardbop_check::{Judge, Rival, Worth, race};
use hardbop_cir::{Class, Program};
use hardbop_engine::RunCtx;
use hardbop_kind::Proof;

use super::share;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CEngine {
    Bmc,
    Kind,
    Runs,
    Fsoft,
}

impl CEngine {
    pub const ALL: [CEngine; 4] = [CEngine::Bmc, CEngine::Kind, CEngine::Runs, CEngine::Fsoft];

    pub fn name(self) -> &'static str {
        match self {
            CEngine::Bmc => "bmc",
            CEngine::Kind => "kind",
            CEngine::Runs => "runs",
            CEngine::Fsoft => "fsoft",
        }
    }

    /// One line for `hardbop engines`.
    pub fn about(self) -> &'static str {
        match self {
            CEngine::Bmc => "C: unrolls loops and calls bit by bit; proves where they end",
            CEngine::Kind => "C: proves by k-induction over loops with invariants it guesses",
            CEngine::Runs => "C: executes the program on chosen inputs; finds violations far away",
            CEngine::Fsoft => {
                "C: an experiment: F-SOFT's steps from block to block, SAT or diagrams"
            }
        }
    }

    pub fn named(name: &str) -> Option<CEngine> {
        CEngine::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// What an engine found.
pub struct Found {
    pub engine: CEngine,
    pub report: Report,
    pub proof: Option<Proof>,
}

/// What is asked.
#[derive(Clone)]
pub struct Question {
    pub program: Arc<Program>,
    pub options: Options,
    pub fsoft: hardbop_fsoft::Options,
}

/// `None` is `auto`: `bmc`, `kind` and `runs` side by side. A fixed bound is a question to `bmc`, and
/// of all violations at once `runs` cannot say when they are all.
pub fn run(engine: Option<CEngine>, question: &Question, ctx: &RunCtx) -> Found {
    let engines = match engine {
        Some(engine) => vec![engine],
        None if question.options.unwind.is_some() => vec![CEngine::Bmc],
        None => vec![CEngine::Bmc, CEngine::Kind],
    };
    let has_runs = engines.len() > 1 && question.options.stop_at_first;
    let mut rivals = Vec::new();
    let (forerunner, followers) = share::forerunner(if has_runs { engines.len() } else { 0 });
    let mut followers = followers.into_iter();
    for &engine in &engines {
        let (question, follower) = (question.clone(), followers.next());
        let run = move |ctx: &RunCtx| {
            let _at_work = follower.map(share::Follower::start);
            question.answer(engine, ctx)
        };
        rivals.push(Rival { name: engine.name(), run: Box::new(run) });
    }
    if has_runs {
        let question = question.clone();
        let run = move |ctx: &RunCtx| {
            let report = forerunner.run(&question.program, &question.options, &ctx.budget);
            Found { engine: CEngine::Runs, report, proof: None }
        };
        rivals.push(Rival { name: CEngine::Runs.name(), run: Box::new(run) });
    }
    race(rivals, &Preferences { question, first: engines[0] }, ctx).1
}

impl Question {
    fn answer(&self, engine: CEngine, ctx: &RunCtx) -> Found {
        let (program, options) = (&self.program, &self.options);
        let (report, proof) = match engine {
            CEngine::Bmc => (hardbop_bmc::check(program, options, &ctx.budget), None),
            CEngine::Kind => hardbop_kind::check(program, options, &ctx.budget),
            CEngine::Runs => (hardbop_runs::check(program, options, &ctx.budget), None),
            CEngine::Fsoft => {
                (hardbop_fsoft::check(program, options, &self.fsoft, &ctx.budget).0, None)
            }
        };
        Found { engine, report, proof }
    }

    fn classes(&self) -> &[Class] {
        &self.options.classes
    }
}

/// How long the proof of `kind` waits for `bmc`: where loops end, that says more often the same.
const FIRST: Duration = Duration::from_millis(20);

/// The first verdict counts; of two at the same time that of `bmc`, and of two doubts, too.
struct Preferences<'a> {
    question: &'a Question,
    first: CEngine,
}

impl Preferences<'_> {
    fn unknown(&self, reason: Reason) -> Found {
        let report = Report::unknown(&self.question.program, self.question.classes(), reason);
        Found { engine: self.first, report, proof: None }
    }
}

impl Judge<Found> for Preferences<'_> {
    fn worth(&self, _: usize, found: &Found, heard: &Bits, _: Duration) -> Worth {
        match found.report.overall() {
            Verdict::Unknown(_) => Worth::Nothing,
            _ if heard.contains(0) || found.engine == CEngine::Runs => Worth::Decides,
            _ => Worth::Waits(FIRST),
        }
    }

    fn is_better(&self, _: &Found, _: &Found) -> bool {
        false
    }

    fn failed(&self, why: String) -> Found {
        self.unknown(Reason::Internal(why.into()))
    }

    fn exhausted(&self, limit: Exhausted) -> Found {
        self.unknown(Reason::Exhausted(limit))
    }
}
