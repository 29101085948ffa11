//! Engine `cegar` for programs with threads: predicate abstraction of all threads, each in the same way, into one concurrent Boolean
//! program (Donaldson, Kaiser, Kroening, Tautschnig, Wahl: Counterexample-guided abstraction refinement for symmetric concurrent
//! programs, FMSD 2012; BOOM section 2.6 and appendix B). The engines for any number of threads check it, so
//! a proof holds however many threads a loop starts.
//!
//! Invariant: every execution of the C program is one of each Boolean program. It departs from the papers in this: a predicate never speaks
//! of shared variables and of those of one of many threads; instead, where that is needed, **one thread is watched**: of those that go
//! wrong one is the first, its variables are shared ones, and only it is asked whether it goes wrong. Threads that are started
//! once have shared variables anyway.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hardbop_base::{Budget, Exhausted, IndexVec, Progress, Span};
use hardbop_cir::{Assumption, CheckId, Class, Cond, Op, Program, ThreadOp};
use hardbop_engine::{Claim, Engine as _, Reached, Reason, RunCtx, Task, Verdict};
use hardbop_engine_c::{Finding, Options, Report};
use hardbop_evidence::{Certificate, ThreadProof};
use hardbop_threads::{KarpMiller, KarpMillerExplicit};

use crate::abstraction::{Abstraction, Effect};
use crate::boolean::{self, Boolean};
use crate::build::build;
use crate::exclusion::exclude;
use crate::model::{Model, StepId, Target};
use crate::path::{Outcome, replay, simulate};
use crate::predicates::Predicates;
use crate::print::{name, shown, text};
use crate::recheck::{covers, is_certified};
use crate::refine::refine;

const STACK: usize = 256 << 20;

/// How long states are enumerated before diagrams are tried; where it was too short, the next rounds begin with diagrams.
const ENUMERATING: Duration = Duration::from_millis(1500);

const NOT_AGAIN: &str = "the proof by predicates did not hold when it was checked again";
const NOT_LOOKED_FOR: &str = "deadlocks and races are looked for by engine interleave only";
const NO_PREDICATE: &str = "no predicates over shared variables, or over those of one thread, exclude a path that no execution takes";

/// How far the refinement came.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    pub n_rounds: u32,
    pub n_refinements: u32,
    pub n_predicates: usize,
    pub n_clauses: usize,
    /// Functions that any number of threads run.
    pub n_many: usize,
    pub abstracting: Duration,
    pub checking: Duration,
    pub refining: Duration,
}

/// What the engine says.
pub struct Answer {
    pub report: Report,
    pub stats: Stats,
    /// Why it is safe, where that was written down.
    pub cover: Option<Cover>,
}

/// Why no number of threads comes to a violation.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The Boolean program; its locations have the places of the C program.
    pub program: hardbop_cfg::Program,
    /// Its states, with the number of threads at each place.
    pub proof: ThreadProof,
    /// The variables of the Boolean program, and the predicates that they are.
    pub predicates: Vec<(String, String)>,
}

/// A Boolean program on its way to be checked.
pub struct Round<'a> {
    pub number: u32,
    pub n_predicates: usize,
    text: &'a dyn Fn(Place<'_>) -> String,
}

/// How a place of the source is told.
pub type Place<'a> = &'a dyn Fn(Span) -> String;

impl Round<'_> {
    /// As `hardbop check` reads it.
    pub fn text(&self, place: Place<'_>) -> String {
        (self.text)(place)
    }
}

/// Decides the checks of the classes asked for, of a program with threads.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(&Round<'_>),
) -> Answer {
    hardbop_base::stack::grow(STACK, || run(program, options, budget, watch))
}

fn run(
    program: &Program,
    options: &Options,
    budget: &Budget,
    watch: &mut dyn FnMut(&Round<'_>),
) -> Answer {
    let mut stats = Stats::default();
    let mut found: BTreeMap<CheckId, Finding> = BTreeMap::new();
    if let Some(reason) = outside(program) {
        let report = Report::unknown(program, &options.classes, reason);
        return Answer { report, stats, cover: None };
    }
    let (mut reason, mut cover) = (None, None);
    for mode in [Mode::Plain, Mode::Exclusive, Mode::Watched] {
        let is_watched = mode == Mode::Watched;
        let mut model = match build(program, &options.classes, is_watched, budget) {
            Ok(model) => model,
            Err((why, place)) => {
                reason = Some(Reason::UnsupportedAt(why, place));
                break;
            }
        };
        stats.n_many = model.entries.keys().filter(|&&role| model.roles[role].is_many()).count();
        let are_many = stats.n_many > 0;
        if mode == Mode::Exclusive {
            match exclude(&mut model, budget) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(limit) => {
                    reason = Some(Reason::Exhausted(limit));
                    break;
                }
            }
        }
        let mut engine = Engine {
            program,
            budget,
            model,
            predicates: Predicates::default(),
            abstraction: Abstraction::default(),
            enumerates: true,
            stats: &mut stats,
            found: &mut found,
            cover: None,
        };
        let ended = engine.refine_until_decided(watch);
        let told = engine.cover.take();
        (stats.n_predicates, stats.n_clauses) = (engine.predicates.all.len(), {
            engine.abstraction.learned.values().map(|it| it.len()).sum()
        });
        match ended {
            Ok(End::Safe) => {
                cover = told;
                break;
            }
            Ok(End::NoPredicate) if are_many && !is_watched => continue,
            Ok(End::NoPredicate) => reason = Some(Reason::Unsupported(NO_PREDICATE.into())),
            Ok(End::Unknown(why)) => reason = Some(why),
            Err(limit) => reason = Some(Reason::Exhausted(limit)),
        }
        break;
    }
    if reason.is_none() {
        // Soundness: what no step of one thread shows.
        for check in watched(program, &options.classes) {
            let why = Reason::Unsupported(NOT_LOOKED_FOR.into());
            found.entry(check).or_insert(Finding::Unknown(why));
        }
    }
    let mut report = Report::new(program, &options.classes, found, reason, stats.n_rounds);
    report.assumptions.push(Assumption::SequentialConsistency);
    if stats.n_many > 0 && waits(program) {
        let what = "each of the threads that a loop starts is joined or detached only once";
        report.assumptions.push(Assumption::Other(what.into()));
    }
    Answer { report, stats, cover }
}

/// Whether threads are joined or detached. Which of many has been is not followed.
fn waits(program: &Program) -> bool {
    let mut insts = program.insts();
    insts.any(|(_, _, inst)| matches!(inst.op, Op::Thread(ThreadOp::Forget { .. })))
}

/// Soundness: what a function without a body keeps of the pointers it was given it may use while other
/// threads run.
fn outside(program: &Program) -> Option<Reason> {
    program.assumptions.iter().find_map(|it| match it {
        Assumption::NoBody(name) => {
            let why = "has no body, and what it does between steps of other threads is not known";
            Some(Reason::Unsupported(format!("`{name}` {why}")))
        }
        _ => None,
    })
}

/// What the model knows beside what threads do, tried one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    /// Regions that no two threads are in.
    Exclusive,
    /// One thread is told from the others.
    Watched,
}

enum End {
    Safe,
    NoPredicate,
    Unknown(Reason),
}

struct Engine<'a> {
    program: &'a Program,
    budget: &'a Budget,
    model: Model,
    predicates: Predicates,
    abstraction: Abstraction,
    /// Whether states of the Boolean programs are few.
    enumerates: bool,
    stats: &'a mut Stats,
    found: &'a mut BTreeMap<CheckId, Finding>,
    cover: Option<Cover>,
}

impl Engine<'_> {
    fn refine_until_decided(
        &mut self,
        watch: &mut dyn FnMut(&Round<'_>),
    ) -> Result<End, Exhausted> {
        let progress = self.budget.progress();
        progress.count("predicates", "round");
        loop {
            self.budget.check()?;
            self.stats.n_rounds += 1;
            progress.set_round(u64::from(self.stats.n_rounds));
            progress.set_found(self.predicates.all.len() as u64);
            if let Some(end) = self.round(watch)? {
                return Ok(end);
            }
        }
    }

    /// Abstract, check, and learn from the trace.
    fn round(&mut self, watch: &mut dyn FnMut(&Round<'_>)) -> Result<Option<End>, Exhausted> {
        let start = Instant::now();
        self.budget.progress().doing("abstracting");
        let (boolean, effects) = self.abstracted(watch)?;
        self.stats.abstracting += start.elapsed();
        self.budget.progress().doing("checking the Boolean program");
        let start = Instant::now();
        let claim = decide(&boolean, self.budget, &mut self.enumerates);
        self.stats.checking += start.elapsed();
        match claim.answer {
            Verdict::Safe => {
                let certificate = claim.certificate.as_ref();
                let is_right = is_certified(&boolean.program, certificate, self.budget)
                    && covers(
                        &mut self.model,
                        &self.predicates,
                        &self.abstraction,
                        &effects,
                        self.budget,
                    )?;
                if let (true, Some(Certificate::Threads(it))) = (is_right, claim.certificate) {
                    self.cover = Some(self.told(boolean.program, it));
                }
                let why = || End::Unknown(Reason::NotConfirmed(NOT_AGAIN.into()));
                Ok(Some(if is_right { End::Safe } else { why() }))
            }
            Verdict::Unsafe(Reached { trace: Some(trace), .. }) => {
                self.budget.progress().doing("following its trace");
                let start = Instant::now();
                let moves = boolean.lift(&trace, &self.model, &self.predicates);
                let numbers = boolean.numbers(&trace, &self.model);
                let learned = self.learn_from(&moves, &numbers);
                self.stats.refining += start.elapsed();
                learned
            }
            Verdict::Unknown(Reason::Exhausted(limit)) => Err(limit),
            Verdict::Unknown(reason) => Ok(Some(End::Unknown(reason))),
            Verdict::Unsafe(_) => {
                let internal = || Reason::Internal("the Boolean program has no trace".into());
                Ok(Some(End::Unknown(claim.lacks.unwrap_or_else(internal))))
            }
        }
    }

    fn told(&self, program: hardbop_cfg::Program, proof: ThreadProof) -> Cover {
        let (model, all) = (&self.model, self.predicates.all.iter().enumerate());
        let predicates = all.map(|(at, it)| (name(at, it), shown(model, it.term))).collect();
        Cover { program, proof, predicates }
    }

    fn abstracted(
        &mut self,
        watch: &mut dyn FnMut(&Round<'_>),
    ) -> Result<(Boolean, IndexVec<StepId, Effect>), Exhausted> {
        let (model, predicates, budget) = (&mut self.model, &self.predicates, self.budget);
        self.abstraction.relate(model, predicates, budget)?;
        let mut effects = IndexVec::new();
        for step in model.steps.ids().collect::<Vec<StepId>>() {
            effects.push(self.abstraction.effect(model, predicates, step, budget)?);
        }
        let names: Vec<String> =
            predicates.all.iter().enumerate().map(|(at, it)| name(at, it)).collect();
        let boolean = boolean::build(model, predicates, &self.abstraction, &effects, &names);
        let text = |place: Place<'_>| text(model, predicates, &boolean.program, place);
        let number = self.stats.n_rounds;
        watch(&Round { number, n_predicates: predicates.all.len(), text: &text });
        Ok((boolean, effects))
    }

    /// Steps that no execution takes first, then the whole path, then predicates against it.
    fn learn_from(
        &mut self,
        moves: &[boolean::Move],
        numbers: &[u32],
    ) -> Result<Option<End>, Exhausted> {
        let (model, predicates, budget) = (&mut self.model, &self.predicates, self.budget);
        let mut is_excluded = false;
        for it in moves {
            let values = (&it.before[..], &it.after[..]);
            is_excluded |= self.abstraction.excludes(model, predicates, it.step, values, budget)?;
        }
        if is_excluded {
            return Ok(None);
        }
        let inputs = match simulate(model, moves, budget)? {
            Outcome::Possible(inputs) => inputs,
            Outcome::Impossible(last) => {
                self.stats.n_refinements += 1;
                let new = refine(model, predicates, &moves[..=last], budget)?;
                let mut has_new = false;
                for it in new {
                    has_new |= self.predicates.add(it);
                }
                return Ok((!has_new).then_some(End::NoPredicate));
            }
        };
        let last = moves.last().map(|it| model.steps[it.step].to.clone());
        Ok(Some(End::Unknown(match last {
            Some(Target::Error(check)) => {
                match replay(self.program, model, moves, numbers, inputs, check) {
                    Some(shown) => {
                        self.found.insert(check, Finding::Unsafe(shown));
                        Reason::Stopped
                    }
                    None => Reason::NotShown,
                }
            }
            Some(Target::Unsupported(what, place)) => Reason::UnsupportedAt(what, place),
            _ => Reason::Internal("a trace of the Boolean program ends nowhere".into()),
        })))
    }
}

/// By enumeration for a short time, then by diagrams.
fn decide(boolean: &Boolean, budget: &Budget, enumerates: &mut bool) -> Claim {
    let mut task = Task::new(&boolean.program);
    // The program may start none.
    task.threads = hardbop_engine::Threads::Unbounded;
    let quiet = budget.clone().with_progress(Progress::default());
    if *enumerates {
        let short = RunCtx::new(quiet.clone().at_most(ENUMERATING));
        let claim = KarpMillerExplicit.check(&task, &short);
        match &claim.answer {
            Verdict::Unknown(Reason::Exhausted(_)) => *enumerates = false,
            // A goal without a trace to it was too far away for so short a time.
            Verdict::Unsafe(reached) if reached.trace.is_none() => {}
            _ => return claim,
        }
    }
    KarpMiller.check(&task, &RunCtx::new(quiet))
}

/// Whether all that is asked is something that this engine can prove: deadlocks and races are none.
pub fn can_prove(program: &Program, classes: &[Class]) -> bool {
    watched(program, classes).next().is_none()
}

/// Checks of what may go wrong anywhere.
fn watched(program: &Program, classes: &[Class]) -> impl Iterator<Item = CheckId> {
    program.insts().filter_map(|(_, _, inst)| match inst.op {
        Op::Check { check, cond: Cond::Watched } => {
            classes.contains(&program.checks[check].class).then_some(check)
        }
        _ => None,
    })
}
