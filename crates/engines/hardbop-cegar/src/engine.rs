//! Engine `cegar`: counterexample-guided abstraction refinement over Boolean programs (Clarke et al.,
//! CAV 2000; SLAM: Ball and Rajamani, SPIN 2001; FS section V; BOOM section 2.6; SURV sections 4.3
//! and 5).
//!
//! Each round makes a Boolean program of the C program, its cuts and predicates, and has engine `bdd`
//! check it. Safe: the proof is checked again and holds of C. Otherwise there is a trace. If one of
//! its steps cannot be taken by any execution, the abstraction of that stretch learns why. If every
//! step can but all together cannot, predicates are added that rule the path out. If they can, the
//! path is a violation, which the interpreter shows.
//!
//! Invariant: every execution of C is one of each Boolean program, because it is built from clauses
//! that the solver has shown. It departs from the papers in what a statement is (a whole loop-free
//! stretch), and in how predicates are found (a core of links, see `refine`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use hardbop_base::{Budget, Exhausted, Progress};
use hardbop_cir::interp::EndsAt;
use hardbop_cir::{Class, Cond, ExprId, Op, Program};
use hardbop_engine::{Reached, Reason, RunCtx, Verdict};
use hardbop_engine_c::{Finding, Options, Replay, Report, prepare};
use hardbop_kind::Proof;

use crate::abstraction::{Abstraction, update};
use crate::answer::{Answer, Stats};
use crate::asked::Asked;
use crate::bases::Bases;
use crate::boolean::{Move, Parts, Shape, build};
use crate::candidates::Candidates;
use crate::cuts::{Cut, CutPoints, Effects, Place};
use crate::kept::Kept;
use crate::normal::{normalise, one_by_one};
use crate::path;
use crate::predicates::{Precision, Predicates, Scope};
use crate::print::Iteration;
use crate::proof::proof;
use crate::recheck::recheck;
use crate::refine::{Refined, Refinement};
use crate::regions::{Exit, Region, Source};
use crate::saved::{Saved, is_in_scope};
use crate::settings::{Cutting, Following, Settings};
use crate::simulate::{Outcome, Simulation};
use crate::told::{Event, Learned};

/// Why a trace of the Boolean program is not looked at.
const TOO_LONG: &str = "a trace of the Boolean program is too long to be followed";

const STACK: usize = 256 << 20;
const NOT_AGAIN: &str = "the proof by predicates did not hold when it was checked again";

/// Decides the checks of the classes asked for.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> Answer {
    check_with(program, options, budget, Settings::DEFAULT)
}

/// The same with other settings.
pub fn check_with(
    program: &Program,
    options: &Options,
    budget: &Budget,
    settings: Settings,
) -> Answer {
    check_watched(program, options, budget, settings, &Saved::default(), &mut |_| {})
}

/// The same, beginning with predicates of another run; `watch` is shown each round.
pub fn check_watched(
    program: &Program,
    options: &Options,
    budget: &Budget,
    settings: Settings,
    saved: &Saved,
    watch: &mut dyn FnMut(Event<'_>),
) -> Answer {
    if let Some(report) = Report::of_threads(program, &options.classes) {
        return Answer { report, proof: None, stats: Stats::default() };
    }
    hardbop_base::stack::grow(STACK, || run(program, options, budget, settings, saved, watch))
}

fn run(
    original: &Program,
    options: &Options,
    budget: &Budget,
    settings: Settings,
    saved: &Saved,
    watch: &mut dyn FnMut(Event<'_>),
) -> Answer {
    let mut asked = Asked::new(original, &options.classes);
    let mut classes = options.classes.clone();
    let is_by_statement = settings.cutting == Cutting::Statements;
    let normal_of = |classes: &[Class]| {
        let prepared = prepare(original, classes, settings.passes);
        normalise(if is_by_statement { one_by_one(prepared) } else { prepared })
    };
    let mut normal = normal_of(&classes);
    if asks_for_lost_memory(&normal.program) {
        for class in [Class::Leak, Class::Cleanup] {
            asked.refuse(class, "lost memory is not followed by this engine");
        }
        classes.retain(|it| !it.is_of_heap());
        normal = normal_of(&classes);
    }
    if normal.sites.values().any(|site| site.callee == normal.program.main) {
        let why = "the function a program starts with is called again";
        let report = Report::unknown(original, &options.classes, Reason::Unsupported(why.into()));
        return Answer { report, proof: None, stats: Stats::default() };
    }
    let effects = Effects::of(&normal.program);
    let cuts = CutPoints::of(&normal.program, settings.keeps_calls, settings.cutting);
    let bases = Bases::of(&normal, &classes);
    let source = Source {
        normal: &normal,
        effects: &effects,
        cuts: &cuts,
        bases: &bases,
        classes: &classes,
        budget,
    };
    let mut engine = Engine::new(source, original, options, settings, asked);
    let reason = match engine.refine_until_decided(saved, watch) {
        Ok(reason) => reason,
        Err(exhausted) => Some(Reason::Exhausted(exhausted)),
    };
    let stats = engine.stats();
    let report =
        Report::new(original, &options.classes, engine.asked.found, reason, stats.n_rounds);
    Answer { report, proof: engine.proof, stats }
}

/// Whether memory is allocated that a check asks for at the end.
// Soundness: the state at a cut does not know what was allocated before.
fn asks_for_lost_memory(program: &Program) -> bool {
    let leak = |op: &Op| matches!(op, Op::Check { cond: Cond::NoLeak(_), .. });
    program.insts().any(|it| matches!(it.2.op, Op::Alloc { .. }))
        && program.insts().any(|it| leak(&it.2.op))
}

struct Engine<'a> {
    source: Source<'a>,
    original: &'a Program,
    options: &'a Options,
    settings: Settings,
    scope: Scope<'a>,
    predicates: Predicates,
    precision: Precision,
    abstraction: Abstraction,
    candidates: Candidates,
    regions: BTreeMap<Place, Region<'a>>,
    /// All cuts that a stretch or call leads to.
    places: BTreeSet<Place>,
    asked: Asked<'a>,
    /// What the last round learned of its Boolean program.
    kept: Kept,
    proof: Option<Proof>,
    /// Rounds, refinements and times so far.
    stats: Stats,
}

/// What a round says.
enum Round {
    Safe,
    Unknown(Reason),
    /// The next one knows more.
    Again,
}

impl<'a> Engine<'a> {
    fn new(
        source: Source<'a>,
        original: &'a Program,
        options: &'a Options,
        settings: Settings,
        asked: Asked<'a>,
    ) -> Self {
        let mut predicates = Predicates::of(source.normal);
        let candidates = Candidates::of(source.normal, &mut predicates);
        Engine {
            source,
            original,
            options,
            settings,
            scope: Scope { normal: source.normal, effects: source.effects },
            predicates,
            precision: Precision::default(),
            abstraction: Abstraction::default(),
            candidates,
            regions: BTreeMap::new(),
            places: BTreeSet::new(),
            asked,
            kept: Kept::default(),
            proof: None,
            stats: Stats::default(),
        }
    }

    /// `None` if everything is decided.
    fn refine_until_decided(
        &mut self,
        saved: &Saved,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<Reason>, Exhausted> {
        let start = Instant::now();
        let explored = self.explore();
        self.stats.abstracting += start.elapsed();
        explored?;
        for (place, predicate) in
            saved.found(self.source.normal, &self.places, &mut self.predicates.pool)
        {
            self.stats.n_found_again += usize::from(self.precision.add(place, predicate));
        }
        let progress = self.source.budget.progress();
        progress.count("predicates", "round");
        loop {
            self.source.budget.check()?;
            self.stats.n_rounds += 1;
            progress.set_round(u64::from(self.stats.n_rounds));
            progress.set_found(self.precision.n_predicates() as u64);
            let before = (self.stats.n_refinements, self.asked.found.len());
            let round = self.round(watch)?;
            watch(Event::Ended(self.learned(&round, before)));
            if let Round::Safe = round {
                for check in self.asked.close_safe() {
                    watch(Event::Decided(check, &Finding::Safe));
                }
            }
            match round {
                Round::Safe if self.asked.take_up() => self.ask_again(),
                Round::Safe => {
                    let gave_up = self.asked.gave_up.take();
                    return Ok(gave_up.map(|it| Reason::Unsupported(it.to_string())));
                }
                Round::Unknown(reason) => return Ok(Some(reason)),
                Round::Again => {}
            }
        }
    }

    /// What came of a round, given how many refinements and findings there were before.
    fn learned(&self, round: &Round, before: (u32, usize)) -> Learned {
        match round {
            Round::Safe => Learned::Safe,
            _ if self.asked.found.len() > before.1 => Learned::Violation,
            Round::Unknown(_) => Learned::Nothing,
            Round::Again if self.stats.n_refinements > before.0 => Learned::Predicates,
            Round::Again => Learned::Steps,
        }
    }

    /// Abstract, check, and learn from the trace.
    fn round(&mut self, watch: &mut dyn FnMut(Event<'_>)) -> Result<Round, Exhausted> {
        let (start, progress) = (Instant::now(), self.source.budget.progress());
        progress.doing("abstracting");
        let shape = self.abstracted();
        self.stats.abstracting += start.elapsed();
        let shape = shape?;
        let (scope, precision) = (&self.scope, &self.precision);
        let following = self.settings.following;
        let abstraction = &self.abstraction;
        let parts = Parts { scope, precision, abstraction, shape: &shape, following };
        let boolean = build(&parts, &mut self.predicates);
        self.stats.n_at_once = shape.tracked.values().map(BTreeSet::len).max().unwrap_or(0);
        self.stats.n_variables = boolean.program.widest_scope();
        let iteration = Iteration {
            number: self.stats.n_rounds,
            boolean: &boolean,
            normal: self.source.normal,
            pool: &self.predicates.pool,
            places: &self.places,
            precision: &self.precision,
        };
        watch(Event::Made(&iteration));
        progress.doing("checking the Boolean program");
        let ctx = RunCtx::new(self.source.budget.clone().with_progress(Progress::default()));
        let start = Instant::now();
        let claim = self.kept.check(self.settings, &boolean, &shape, &ctx);
        self.stats.checking += start.elapsed();
        match (claim.answer, claim.certificate) {
            (Verdict::Safe, Some(certificate)) => {
                let close = |region: &mut Region| region.ask(|it| self.asked.is_asked(it));
                let pool = &self.predicates.pool;
                let source = self.source;
                let holds = recheck(source, &parts, pool, &boolean, &certificate, close)?;
                Ok(if holds {
                    // Invariants of loops are found where loops alone are cut.
                    if self.settings.cutting == Cutting::Loops {
                        self.proof = proof(source, pool, &shape, &boolean, &certificate);
                    }
                    Round::Safe
                } else {
                    Round::Unknown(Reason::NotConfirmed(NOT_AGAIN.into()))
                })
            }
            (Verdict::Unsafe(Reached { trace: Some(trace), .. }), _) => {
                progress.doing("following its trace");
                let start = Instant::now();
                let round = match boolean.lift(&trace, &shape) {
                    Some(moves) => {
                        watch(Event::Path(&iteration, &moves));
                        self.learn_from(&moves, watch)
                    }
                    None => Ok(Round::Unknown(Reason::Unsupported(TOO_LONG.into()))),
                };
                self.stats.refining += start.elapsed();
                round
            }
            (Verdict::Unknown(Reason::Exhausted(limit)), _) => Err(limit),
            // An answer without its evidence helps nobody here.
            _ => {
                let internal = || Reason::Internal("the Boolean program was not decided".into());
                Ok(Round::Unknown(claim.lacks.unwrap_or_else(internal)))
            }
        }
    }

    /// Steps that no execution takes first, then the whole path, then predicates against it.
    fn learn_from(
        &mut self,
        moves: &[Move],
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Round, Exhausted> {
        let mut is_excluded = false;
        for step in moves {
            let Move::Along { arrow: (place, exit), before, after } = step else { continue };
            let Some(region) = self.regions.get_mut(place) else { continue };
            let pool = &self.predicates.pool;
            is_excluded |= self.abstraction.excludes(region, pool, *exit, before, after)?;
        }
        if is_excluded {
            return Ok(Round::Again);
        }
        match self.simulate(moves)? {
            Outcome::Spurious => self.refine(moves),
            Outcome::Broken(reason) => Ok(Round::Unknown(reason)),
            Outcome::GivenUp(why) => {
                self.asked.gave_up.get_or_insert(why);
                self.close();
                Ok(Round::Again)
            }
            Outcome::Violation { claimed, shown } => {
                let verdict = Finding::Unknown(Reason::NotShown);
                let was_shown = shown.is_some();
                if let Some((check, counterexample)) = shown {
                    let violated = Finding::Unsafe(counterexample);
                    watch(Event::Decided(check, &violated));
                    self.asked.found.insert(check, violated);
                }
                if was_shown && self.options.stop_at_first {
                    return Ok(Round::Unknown(Reason::Stopped));
                }
                self.asked.found.entry(claimed).or_insert(verdict);
                self.close();
                Ok(Round::Again)
            }
        }
    }

    fn simulate(&self, moves: &[Move]) -> Result<Outcome, Exhausted> {
        let simulation = Simulation {
            source: self.source,
            replay: Replay {
                original: self.original,
                classes: &self.options.classes,
                ends_at: EndsAt::Fatal,
            },
            is_open: &|check| self.asked.is_open(check),
            asks_given_up: self.asked.asks_given_up(),
        };
        simulation.run(moves)
    }

    fn refine(&mut self, moves: &[Move]) -> Result<Round, Exhausted> {
        let mut refinement = Refinement {
            source: self.source,
            scope: &self.scope,
            candidates: &mut self.candidates,
            precision: &self.precision,
            is_asked: &|it| self.asked.is_asked(it),
            last: self.asked.last_stage(),
            matter: None,
        };
        let found = refinement.run(moves, &mut self.predicates)?;
        self.stats.n_refinements += 1;
        let hopeless = match found {
            Refined::By(keys) => {
                let mut is_new = false;
                for (place, predicate) in keys {
                    is_new |= self.follow(place, predicate);
                }
                if is_new {
                    let blamed = path::blamed(&mut self.regions, &self.predicates.pool, moves)?;
                    if self.asked.put_off(blamed.into_iter()) {
                        self.close();
                    }
                    return Ok(Round::Again);
                }
                Vec::new()
            }
            Refined::Hopeless(goals) => goals,
        };
        let goals = match hopeless.is_empty() {
            true => path::goals(&self.regions, moves),
            false => hopeless,
        };
        if goals.is_empty() {
            let why = "no predicate over variables rules out: a path";
            return Ok(Round::Unknown(Reason::Unsupported(why.into())));
        }
        match self.asked.set_back(goals) {
            true => self.ask_again(),
            false => self.close(),
        }
        Ok(Round::Again)
    }

    /// Follows a predicate at a place, or wherever it means something; whether that is new.
    fn follow(&mut self, place: Place, predicate: ExprId) -> bool {
        let is_new = self.precision.add(place, predicate);
        if self.settings.following == Following::Everywhere {
            let (normal, pool) = (self.source.normal, &self.predicates.pool);
            let chosen = |it: &&Place| !matches!(it.cut, Cut::Start | Cut::After(_));
            for &other in self.places.iter().filter(chosen) {
                if is_in_scope(normal, other, pool, predicate) {
                    self.precision.add(other, predicate);
                }
            }
        }
        is_new
    }

    /// No longer asks what is decided.
    fn close(&mut self) {
        let asked = &self.asked;
        self.regions.values_mut().for_each(|region| region.ask(|it| asked.is_asked(it)));
    }

    /// Asks what was put off.
    // Soundness: what was learned of the way to an error may not hold of errors that were not asked about.
    fn ask_again(&mut self) {
        self.abstraction.forget_errors();
        self.close();
    }

    /// Finds all cuts and makes the formulas of the stretches between them.
    fn explore(&mut self) -> Result<(), Exhausted> {
        let main = self.source.normal.program.main;
        let mut todo = vec![Place { func: main, cut: Cut::Start }, Place::exit(main)];
        while let Some(place) = todo.pop() {
            if !self.places.insert(place) {
                continue;
            }
            if let Cut::Call(at) = place.cut {
                let callee = self.scope.site(place.func, at).callee;
                todo.extend([Place::entry(callee), Place::exit(callee)]);
                todo.push(Place { cut: Cut::After(at), ..place });
            }
            if place.start().is_none() {
                continue;
            }
            let mut region = Region::new(self.source, place)?;
            for exit in region.exits() {
                if let Exit::To(end) = exit {
                    todo.push(place.of_end(end));
                }
            }
            self.candidates.add_region(self.source.normal, &mut self.predicates, &mut region);
            self.regions.insert(place, region);
        }
        self.candidates.spread(self.source.normal, self.source.cuts, &mut self.predicates);
        Ok(())
    }

    /// What is followed where, with the abstraction of each stretch computed ahead.
    fn abstracted(&mut self) -> Result<Shape, Exhausted> {
        let mut shape = Shape::default();
        for &place in &self.places {
            let tracked = self.scope.tracked(&mut self.predicates, &self.precision, place);
            shape.tracked.insert(place, tracked);
        }
        let nothing = BTreeSet::new();
        for (&place, region) in &mut self.regions {
            let before = &shape.tracked[&place];
            for exit in region.exits() {
                let after = match exit {
                    Exit::To(end) => &shape.tracked[&place.of_end(end)],
                    Exit::Error => &nothing,
                };
                let pool = &self.predicates.pool;
                self.abstraction.prepare(region, pool, exit, before, after)?;
                let updates = match exit {
                    Exit::Error => BTreeMap::new(),
                    Exit::To(end) => after
                        .iter()
                        .map(|&it| (it, update(region, pool, end, before, it)))
                        .collect(),
                };
                shape.arrows.insert((place, exit), updates);
            }
        }
        Ok(shape)
    }

    fn stats(&self) -> Stats {
        Stats {
            n_predicates: self.precision.n_predicates(),
            n_clauses: self.abstraction.n_clauses(),
            n_queries: self.abstraction.n_queries,
            ..self.stats.clone()
        }
    }
}
