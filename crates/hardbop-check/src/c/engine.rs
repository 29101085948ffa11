//! The engines that decide C programs.

use std::sync::Arc;

use hardbop_bmc::{Options, Report};
use hardbop_cir::Program;
use hardbop_engine::{Reason, RunCtx};
use hardbop_kind::Proof;

use crate::run::Request;

/// An engine for C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CEngine {
    /// Unrolling.
    Bmc,
    /// k-induction.
    Kind,
    /// Executions.
    Runs,
    /// Steps from block to block.
    Fsoft,
}

impl CEngine {
    /// In the order `hardbop engines` lists them.
    pub const ALL: [CEngine; 4] = [CEngine::Bmc, CEngine::Kind, CEngine::Runs, CEngine::Fsoft];

    /// As on the command line.
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

    /// What its bound counts.
    pub fn unit(self) -> &'static str {
        match self {
            CEngine::Fsoft => "blocks deep",
            CEngine::Runs => "runs",
            CEngine::Bmc | CEngine::Kind => "rounds",
        }
    }
}

/// What an engine says of a C program.
pub(super) struct Claim {
    pub engine: CEngine,
    pub report: Report,
    pub proof: Option<Proof>,
}

/// What is asked.
#[derive(Clone)]
pub(super) struct Question {
    pub program: Arc<Program>,
    pub options: Options,
    pub fsoft: hardbop_fsoft::Options,
}

impl Question {
    pub fn new(program: &Program, request: &Request) -> Question {
        let (classes, unwind) = (request.c.classes.clone(), request.c.unwind);
        let options = Options { classes, unwind, stop_at_first: !request.exhaustive };
        Question { program: Arc::new(program.clone()), options, fsoft: request.c.fsoft.clone() }
    }

    pub fn answer(&self, engine: CEngine, ctx: &RunCtx) -> Claim {
        let (program, options) = (&self.program, &self.options);
        let (report, proof) = match engine {
            CEngine::Bmc => (hardbop_bmc::check(program, options, &ctx.budget), None),
            CEngine::Kind => hardbop_kind::check(program, options, &ctx.budget),
            CEngine::Runs => (hardbop_runs::check(program, options, &ctx.budget), None),
            CEngine::Fsoft => {
                (hardbop_fsoft::check(program, options, &self.fsoft, &ctx.budget).0, None)
            }
        };
        Claim { engine, report, proof }
    }

    pub fn unknown(&self, engine: CEngine, reason: Reason) -> Claim {
        let report = Report::unknown(&self.program, &self.options.classes, reason);
        Claim { engine, report, proof: None }
    }
}
