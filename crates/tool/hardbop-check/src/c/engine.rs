//! The engines that decide C programs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hardbop_cegar::{Event, Saved, Settings, check_watched};
use hardbop_cegar_threads::Cover;
use hardbop_cir::{CheckId, Program};
use hardbop_engine::{Reason, RunCtx, Stats, Verdict};
use hardbop_engine_c::{Counterexample, Finding, Options, Report};
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

    /// What its bound counts, of one and of many.
    pub fn unit(self, n: u64) -> &'static str {
        let (one, many) = match self {
            CEngine::Fsoft => ("block deep", "blocks deep"),
            CEngine::Runs => ("run", "runs"),
            CEngine::Interleave => ("state", "states"),
            CEngine::Cegar => ("Boolean program", "Boolean programs"),
            CEngine::Shape => ("shape", "shapes"),
            CEngine::Bmc | CEngine::Kind => ("round", "rounds"),
        };
        if n == 1 { one } else { many }
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
    /// The same with the library in brief.
    pub brief: Option<Arc<Program>>,
    pub options: Options,
    pub fsoft: hardbop_fsoft::Options,
    pub cegar: Settings,
    pub board: Board,
    /// Where the rounds of engine `cegar` are written down, if somebody wants to see them.
    pub book: Option<Book>,
    /// Why a program with threads is safe, from engine `cegar`.
    pub cover: Arc<Mutex<Option<Cover>>>,
}

/// What was found out about single checks while engines are at work: it outlives an engine that does not stop.
#[derive(Clone, Default)]
pub(super) struct Board(Arc<Mutex<BTreeMap<CheckId, Noted>>>);

/// What engines said of one check.
#[derive(Clone, Default)]
struct Noted {
    safe: Option<CEngine>,
    violated: Option<(CEngine, Counterexample)>,
}

/// What is known of a check, and who found it out.
type Known = (CEngine, Finding);

impl Noted {
    fn add(&mut self, engine: CEngine, finding: &Finding) {
        match finding {
            Finding::Safe => drop(self.safe.get_or_insert(engine)),
            Finding::Unsafe(found) => {
                self.violated.get_or_insert_with(|| (engine, found.clone()));
            }
            Finding::Unknown(_) => {}
        }
    }

    /// Soundness: a contradiction if it is safe to one engine and violated to another.
    fn known(self) -> Result<Option<Known>, Reason> {
        match (self.safe, self.violated) {
            (Some(safe), Some((other, _))) => Err(Reason::contradiction(safe.name(), other.name())),
            (Some(safe), None) => Ok(Some((safe, Finding::Safe))),
            (None, Some((engine, found))) => Ok(Some((engine, Finding::Unsafe(found)))),
            (None, None) => Ok(None),
        }
    }
}

impl Board {
    pub fn note(&self, engine: CEngine, check: CheckId, finding: &Finding) {
        if !finding.is_unknown() {
            self.entries().entry(check).or_default().add(engine, finding);
        }
    }

    /// All that a report says. What is safe by assumptions of its own stays with the report; a violation is shown by a run.
    fn note_all(&self, engine: CEngine, report: &Report) {
        for (check, finding) in &report.checks {
            if finding.is_unsafe() || report.assumptions.is_empty() {
                self.note(engine, *check, finding);
            }
        }
    }

    fn read(&self) -> BTreeMap<CheckId, Noted> {
        self.entries().clone()
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<CheckId, Noted>> {
        // A writer that failed has left a whole entry or none.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Question {
    pub fn new(program: &Program, request: &Request) -> Question {
        let (classes, unwind) = (request.c.classes.clone(), request.c.unwind);
        let options = Options { classes, unwind, stop_at_first: !request.exhaustive };
        let (program, fsoft) = (Arc::new(program.clone()), request.c.fsoft);
        Question {
            program,
            brief: None,
            options,
            fsoft,
            cegar: request.c.cegar,
            board: Board::default(),
            book: None,
            cover: Arc::default(),
        }
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
                let brief = self.brief.as_deref();
                hardbop_kind::check_telling(program, brief, options, &ctx.budget, &mut tell)
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
                *self.cover.lock().unwrap_or_else(PoisonError::into_inner) = said.cover;
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
        self.board.note_all(engine, &report);
        Claim { certificate, stats, ..claim(report) }
    }

    /// What engines found out about single checks stands, also in the claim of one that left them open; with the engine
    /// whose word decides.
    pub fn completed(&self, engine: CEngine, mut claim: Claim) -> (CEngine, Claim) {
        // Soundness: where engines contradict each other, none of them is believed.
        if matches!(&claim.answer, Verdict::Unknown(why) if why.is_our_mistake()) {
            return (engine, claim);
        }
        let (mut prover, mut finder) = (None, None);
        for (check, mut noted) in self.board.read() {
            let Some(finding) = claim.goals.checks.get_mut(&check) else {
                continue;
            };
            noted.add(engine, finding);
            match noted.known() {
                Err(contradiction) => return (engine, self.unknown(contradiction)),
                Ok(Some((other, known))) if finding.is_unknown() => {
                    *finding = known;
                    if finding.is_safe() {
                        prover = Some(other);
                    } else {
                        finder.get_or_insert(other);
                    }
                }
                Ok(_) => {}
            }
        }
        // Soundness: what was not complete stays so if nobody else has completed it, with or without checks.
        let Some(decisive) = finder.or(prover) else {
            return (engine, claim);
        };
        if !claim.goals.has_open() {
            claim.goals.incomplete = None;
        }
        match (&claim.answer, claim.goals.overall().bare()) {
            (Verdict::Unknown(_), answer @ (Verdict::Safe | Verdict::Unsafe(()))) => {
                (decisive, Claim { answer, ..claim })
            }
            _ => (engine, claim),
        }
    }

    /// Whether each check that was asked about is known: by the claim of an engine, or by what others found out.
    pub fn is_settled(&self, claim: &Claim) -> bool {
        let known = self.board.entries();
        claim.goals.checks.iter().all(|(check, it)| !it.is_unknown() || known.contains_key(check))
    }

    pub fn unknown(&self, reason: Reason) -> Claim {
        claim(Report::unknown(&self.program, &self.options.classes, reason))
    }
}
