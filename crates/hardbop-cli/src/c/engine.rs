//! The engines that decide C programs, and how `auto` takes turns with them.

use std::time::Duration;

use hardbop_base::Budget;
use hardbop_bmc::{Options, Report, Verdict};
use hardbop_cir::Program;
use hardbop_kind::Proof;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CEngine {
    Bmc,
    Kind,
}

impl CEngine {
    pub const ALL: [CEngine; 2] = [CEngine::Bmc, CEngine::Kind];

    pub fn name(self) -> &'static str {
        match self {
            CEngine::Bmc => "bmc",
            CEngine::Kind => "kind",
        }
    }

    /// One line for `hardbop engines`.
    pub fn about(self) -> &'static str {
        match self {
            CEngine::Bmc => "C: unrolls loops and calls bit by bit; proves where they end",
            CEngine::Kind => "C: proves by k-induction over loops with invariants it guesses",
        }
    }

    pub fn named(name: &str) -> Option<CEngine> {
        CEngine::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// What the engine that had the last word found.
pub struct Found {
    pub engine: CEngine,
    pub report: Report,
    pub proof: Option<Proof>,
}

/// The first turns of `auto` where no limit says otherwise; the last one has no limit of its own.
const FIRST_TURN: Duration = Duration::from_secs(4);
const SECOND_TURN: Duration = Duration::from_secs(60);

/// `None` is `auto`: `bmc` for a moment, `kind`, and `bmc` for the rest. A fixed bound is a question
/// to `bmc`.
pub fn run(
    engine: Option<CEngine>,
    program: &Program,
    options: &Options,
    budget: &Budget,
) -> Found {
    match engine {
        Some(engine) => turn(engine, program, options, budget),
        None if options.unwind.is_some() => turn(CEngine::Bmc, program, options, budget),
        None => {
            let left = budget.time_left();
            let first = left.map_or(FIRST_TURN, |left| (left * 3 / 20).min(FIRST_TURN));
            let second = left.map_or(SECOND_TURN, |left| left * 2 / 5);
            for (engine, time) in [(CEngine::Bmc, first), (CEngine::Kind, second)] {
                let time = budget.time_left().map_or(time, |left| left.min(time));
                let found = turn(engine, program, options, &budget.clone().with_time(time));
                if !matches!(found.report.overall(), Verdict::Unknown(_)) {
                    return found;
                }
            }
            turn(CEngine::Bmc, program, options, budget)
        }
    }
}

fn turn(engine: CEngine, program: &Program, options: &Options, budget: &Budget) -> Found {
    let (report, proof) = match engine {
        CEngine::Bmc => (hardbop_bmc::check(program, options, budget), None),
        CEngine::Kind => hardbop_kind::check(program, options, budget),
    };
    Found { engine, report, proof }
}
