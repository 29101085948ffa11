//! The engines that decide C programs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hardbop_cegar::{Event, Saved, Settings, check_watched};
use hardbop_cir::{CheckId, Program};
use hardbop_engine::{Reason, RunCtx, Stats, Verdict};
use hardbop_engine_c::{Finding, Options, Report};
use hardbop_kind::Proof;

use super::rounds::Book;
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
    /// Predicate abstraction.
    Cegar,
    /// Graphs of memory.
    Shape,
    /// Steps from block to block.
    Fsoft,
    /// All interleavings of threads.
    Interleave,
}

impl CEngine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            CEngine::Bmc => "bmc",
            CEngine::Kind => "kind",
            CEngine::Runs => "runs",
            CEngine::Cegar => "cegar",
            CEngine::Shape => "shape",
            CEngine::Fsoft => "fsoft",
            CEngine::Interleave => "interleave",
        }
    }

    /// One line for `hardbop engines`.
    pub fn about(self) -> &'static str {
        match self {
            CEngine::Bmc => "C: unrolls loops and calls bit by bit; proves where they end",
            CEngine::Kind => "C: proves by k-induction over loops with invariants it guesses",
            CEngine::Runs => "C: executes the program on chosen inputs; finds violations far away",
            CEngine::Cegar => {
                "C: abstracts to Boolean programs by predicates, which it refines; any number of threads"
            }
            CEngine::Shape => "C: proves programs with lists of any length, folded into segments",
            CEngine::Interleave => "C: with threads: every interleaving, state by state",
            CEngine::Fsoft => {
                "C: an experiment: F-SOFT's steps from block to block, SAT or diagrams"
            }
        }
    }

    /// Why it could decide, for the sentence that says who won.
    pub fn because(self, is_safe: bool, bound: Option<u64>) -> &'static str {
        match (self, is_safe) {
            (CEngine::Bmc, true) if bound == Some(0) => {
                "what the program says of constants and calls leaves no check to be violated"
            }
            (CEngine::Bmc, true) => "all loops and calls end, and it has unrolled them all",
            (CEngine::Bmc, false) => "unrolling came to the violation",
            (CEngine::Kind, true) => "invariants it guessed are inductive",
            (CEngine::Kind, false) => "its first rounds came to the violation",
            (CEngine::Runs, true) => "the program has few executions, and it has seen them all",
            (CEngine::Runs, false) => "an execution on chosen inputs came to the violation",
            (CEngine::Cegar, true) => "the predicates it found exclude every violation",
            (CEngine::Cegar, false) => "an abstract path to the violation is one of the program",
            (CEngine::Shape, true) => "the shapes its lists can have exclude every violation",
            (CEngine::Shape, false) => "the shapes of its lists came to the violation",
            (CEngine::Fsoft, true) => "diagrams of the states it can reach have no violation",
            (CEngine::Interleave, true) => "no interleaving of the threads comes to a violation",
            (CEngine::Interleave, false) => "an interleaving of the threads came to the violation",
            (CEngine::Fsoft, false) => "its steps from block to block came to the violation",
        }
    }

    /// What its bound counts.
    pub fn unit(self) -> &'static str {
        match self {
            CEngine::Fsoft => "blocks deep",
            CEngine::Runs => "runs",
            CEngine::Interleave => "states",
            CEngine::Cegar => "Boolean programs",
            CEngine::Shape => "shapes",
            CEngine::Bmc | CEngine::Kind => "rounds",
        }
    }
}

/// How many functions any number of threads run, in what engine `cegar` has decided.
pub(super) const MANY: &str = "run_by_any_number";

/// What an engine says of a C program. The counterexamples are in the report, one for each check.
pub(super) type Claim = hardbop_engine::Claim<(), Proof, Report>;

/// A report as a claim.
pub(super) fn claim(report: Report) -> Claim {
    Claim { goals: report.clone(), ..Claim::new(report.overall().bare()) }
}

/// What is asked.
#[derive(Clone)]
pub(super) struct Question {
    pub program: Arc<Program>,
    pub options: Options,
    pub fsoft: hardbop_fsoft::Options,
    pub cegar: Settings,
    pub board: Board,
    /// Where the rounds of engine `cegar` are written down, if somebody wants to see them.
    pub book: Option<Book>,
}

/// What was found out about single checks while engines are at work: it outlives an engine that does not stop.
#[derive(Clone, Default)]
pub(super) struct Board(Arc<Mutex<BTreeMap<CheckId, (CEngine, Finding)>>>);

impl Board {
    pub fn note(&self, engine: CEngine, check: CheckId, verdict: &Finding) {
        // A writer that failed has left a whole entry or none.
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.insert(check, (engine, verdict.clone()));
    }

    fn read(&self) -> BTreeMap<CheckId, (CEngine, Finding)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Question {
    pub fn new(program: &Program, request: &Request) -> Question {
        let (classes, unwind) = (request.c.classes.clone(), request.c.unwind);
        let options = Options { classes, unwind, stop_at_first: !request.exhaustive };
        let (program, fsoft) = (Arc::new(program.clone()), request.c.fsoft);
        let cegar = request.c.cegar;
        Question { program, options, fsoft, cegar, board: Board::default(), book: None }
    }

    pub fn answer(&self, engine: CEngine, ctx: &RunCtx) -> Claim {
        let (program, options) = (&self.program, &self.options);
        let mut stats = Stats::default();
        let (report, certificate) = match engine {
            CEngine::Bmc => {
                let mut tell = |check, verdict: &Finding| self.board.note(engine, check, verdict);
                let report = hardbop_bmc::check_telling(program, options, &ctx.budget, &mut tell);
                (report, None)
            }
            CEngine::Kind => {
                let mut tell = |check, verdict: &Finding| self.board.note(engine, check, verdict);
                hardbop_kind::check_telling(program, options, &ctx.budget, &mut tell)
            }
            CEngine::Interleave => {
                let (report, numbers) = hardbop_interleave::check(program, options, &ctx.budget);
                stats.set("threads", numbers.n_threads as u64);
                (report, None)
            }
            CEngine::Runs => (hardbop_runs::check(program, options, &ctx.budget), None),
            CEngine::Cegar if program.has_threads() => {
                let said = hardbop_cegar_threads::check(program, options, &ctx.budget, &mut |_| {});
                stats.set("refinements", u64::from(said.stats.n_refinements));
                stats.set("predicates", said.stats.n_predicates as u64);
                stats.set("clauses", said.stats.n_clauses as u64);
                stats.set(MANY, said.stats.n_many as u64);
                (said.report, None)
            }
            CEngine::Cegar => {
                let mut watch = |event: Event<'_>| {
                    if let Event::Decided(check, finding) = event {
                        self.board.note(engine, check, finding);
                    }
                    if let Some(book) = &self.book {
                        book.note(&event);
                    }
                };
                let (budget, saved) = (&ctx.budget, Saved::default());
                let said = check_watched(program, options, budget, self.cegar, &saved, &mut watch);
                stats.set("refinements", u64::from(said.stats.n_refinements));
                stats.set("predicates", said.stats.n_predicates as u64);
                stats.set("clauses", said.stats.n_clauses as u64);
                (said.report, said.proof)
            }
            CEngine::Shape => (hardbop_shape::check(program, options, &ctx.budget), None),
            CEngine::Fsoft => {
                (hardbop_fsoft::check(program, options, &self.fsoft, &ctx.budget).0, None)
            }
        };
        Claim { certificate, stats, ..claim(report) }
    }

    /// An engine was ended from outside: what it had found out by then stands.
    pub fn cut_off(&self, reason: Reason) -> Claim {
        let found = self.board.read().into_iter().map(|(check, (_, it))| (check, it));
        claim(Report::new(&self.program, &self.options.classes, found.collect(), Some(reason), 0))
    }

    /// What engines proved of single checks stands, also in the claim of one that left them open; with the engine that
    /// has the last word.
    pub fn completed(&self, engine: CEngine, mut claim: Claim) -> (CEngine, Claim) {
        // Soundness: where engines contradict each other, none of them is believed.
        let is_mistake = matches!(&claim.answer, Verdict::Unknown(why) if why.is_our_mistake());
        if claim.answer == Verdict::Safe || is_mistake {
            return (engine, claim);
        }
        let mut last = engine;
        for (check, (prover, noted)) in self.board.read() {
            let Some(finding) = claim.goals.checks.get_mut(&check).filter(|_| noted.is_safe())
            else {
                continue;
            };
            if finding.is_unsafe() {
                let reason = Reason::contradiction(prover.name(), engine.name());
                return (engine, self.unknown(reason));
            }
            if finding.is_unknown() {
                (last, *finding) = (prover, Finding::Safe);
            }
        }
        let is_all = last != engine && claim.goals.checks.values().all(Finding::is_safe);
        if !is_all {
            return (engine, claim);
        }
        claim.goals.incomplete = None;
        claim.answer = claim.goals.overall().bare();
        (last, claim)
    }

    pub fn unknown(&self, reason: Reason) -> Claim {
        claim(Report::unknown(&self.program, &self.options.classes, reason))
    }
}
