//! The engines that decide C programs.

use hardbop_base::Budget;
use hardbop_bmc::{Options, Report};
use hardbop_cir::Program;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CEngine {
    Bmc,
}

impl CEngine {
    pub const ALL: [CEngine; 1] = [CEngine::Bmc];

    pub fn name(self) -> &'static str {
        match self {
            CEngine::Bmc => "bmc",
        }
    }

    /// One line for `hardbop engines`.
    pub fn about(self) -> &'static str {
        match self {
            CEngine::Bmc => "C: unrolls loops and calls bit by bit; proves where they end",
        }
    }

    pub fn named(name: &str) -> Option<CEngine> {
        CEngine::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The engine's name with what it found.
pub fn run(
    engine: Option<CEngine>,
    program: &Program,
    options: &Options,
    budget: &Budget,
) -> (CEngine, Report) {
    let engine = engine.unwrap_or(CEngine::Bmc);
    let report = match engine {
        CEngine::Bmc => hardbop_bmc::check(program, options, budget),
    };
    (engine, report)
}
