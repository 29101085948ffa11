//! The engine: unrolls with growing bounds until every check is decided or the budget is spent.
//!
//! A violation is believed when the interpreter shows it on the inputs of the model. A program is
//! safe when no check fails and neither what was given up nor what the bound cut can be reached.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::EndsAt;
use hardbop_cir::pass::unreachable::called;
use hardbop_cir::pass::{Passes, resolve_calls};
use hardbop_cir::{Block, CheckId, FuncId, Op, Program, Stop, Term};
use hardbop_engine::{Horizon, Reason};
use hardbop_engine_c::{Counterexample, Finding, Options, Replay, Report, prepare};
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge, Walk};

use crate::unroll::{Bounds, Cut, Unrolling};

/// Bounds grow by this factor.
const GROWTH: u32 = 2;
const STACK: usize = 256 << 20;

/// Decides the checks of a verified program. Where an access can be invalid and no check of the
/// classes asked for says so, the program is not safe but unknown.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> Report {
    check_with(program, options, budget, Passes::ALL)
}

/// The same after these passes only; none changes a verdict.
pub fn check_with(program: &Program, options: &Options, budget: &Budget, passes: Passes) -> Report {
    if let Some(refusal) = Report::of_threads(program, &options.classes) {
        return refusal;
    }
    hardbop_base::stack::grow(STACK, || {
        Engine::new(program, options, budget, passes, &mut |_, _| {}).run()
    })
}

/// The same, telling each verdict on a single check as soon as it is known: an engine that is ended from outside
/// has no report.
pub fn check_telling(
    program: &Program,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(CheckId, &Finding),
) -> Report {
    if let Some(refusal) = Report::of_threads(program, &options.classes) {
        return refusal;
    }
    hardbop_base::stack::grow(STACK, || {
        Engine::new(program, options, budget, Passes::ALL, tell).run()
    })
}

struct Engine<'a> {
    original: &'a Program,
    /// What the checks of these classes depend on.
    program: Program,
    options: &'a Options,
    budget: &'a Budget,
    found: BTreeMap<CheckId, Finding>,
    tell: &'a mut dyn FnMut(CheckId, &Finding),
    bounds: Bounds,
    never_reached: BTreeSet<CheckId>,
}

/// What one unrolling says of the checks without a violation.
enum Outcome {
    Done,
    /// Something was left out; deeper in these loops there may be more.
    Open(Reason, BTreeSet<Cut>),
}

impl<'a> Engine<'a> {
    fn new(
        original: &'a Program,
        options: &'a Options,
        budget: &'a Budget,
        passes: Passes,
        tell: &'a mut dyn FnMut(CheckId, &Finding),
    ) -> Self {
        let program = prepare(original, &options.classes, passes);
        let bounds = Bounds { least: options.unwind.unwrap_or(1), more: BTreeMap::new() };
        Engine {
            original,
            program,
            options,
            budget,
            found: BTreeMap::new(),
            tell,
            bounds,
            never_reached: BTreeSet::new(),
        }
    }

    fn run(mut self) -> Report {
        self.budget.progress().count("terms", "bound");
        let mut done = 0;
        let reason = loop {
            if self.is_proved_by_passes() {
                break None;
            }
            match self.unroll() {
                Ok(Outcome::Done) => {
                    done = self.bounds.largest();
                    break None;
                }
                Ok(Outcome::Open(reason, cuts)) => {
                    done = self.bounds.largest();
                    if self.options.unwind.is_some() || cuts.is_empty() || !self.deepen(&cuts) {
                        break Some(reason);
                    }
                }
                Err(reason) => break Some(reason),
            }
        };
        if let Some(Reason::Exhausted(_) | Reason::Bounded(_)) = reason {
            self.note_proved_by_passes();
        }
        let classes = &self.options.classes;
        let report = Report::new(self.original, classes, self.found, reason, done);
        Report { never_reached: self.never_reached, ..report }
    }

    /// With nothing left out, a check that cannot be reached here is never reached. The other way round that is
    /// not so: what was cut away may prevent an execution from coming there.
    fn note_never_reached(&mut self, executor: &mut Executor) -> Result<(), Reason> {
        let Some(visits) = executor.facts.visits.take() else { return Ok(()) };
        let mut open: BTreeSet<CheckId> = checks(&self.program).collect();
        loop {
            let asked: Vec<_> = visits.iter().copied().filter(|it| open.contains(&it.0)).collect();
            let guards: Vec<TermId> = asked.iter().map(|it| it.1).collect();
            match self.is_possible(executor, &guards) {
                Ok(true) => {}
                Ok(false) => break,
                // The verdict is known; this is an addition to it.
                Err(_) => return Ok(()),
            }
            for check in holding(&executor.solver, &executor.terms, &asked)? {
                open.remove(check);
            }
        }
        self.never_reached = open;
        Ok(())
    }

    /// Whether no check is left to be asked about: how far loops go makes no difference then.
    fn is_proved_by_passes(&self) -> bool {
        checks(&self.program).next().is_none() && self.is_all_modelled()
    }

    /// Soundness: what comes after something that is not modelled is cut away by the passes, too, which proves
    /// nothing, unless it stands in functions that nothing calls.
    fn is_all_modelled(&self) -> bool {
        let is_unsupported = |it: &Block| matches!(it.term, Term::Stop(Stop::Unsupported(_)));
        let funcs = self.original.funcs.iter_enumerated();
        let open: Vec<FuncId> = funcs
            .filter(|(_, func)| func.blocks.iter().any(is_unsupported))
            .map(|(id, _)| id)
            .collect();
        if open.is_empty() {
            return true;
        }
        let mut resolved = self.original.clone();
        resolve_calls(&mut resolved, &PointsTo::of(self.original));
        called(&resolved).is_some_and(|called| open.iter().all(|&func| !called[func]))
    }

    /// A check that the passes took out of the program cannot fail, however far the search came.
    fn note_proved_by_passes(&mut self) {
        if !self.is_all_modelled() {
            return;
        }
        let kept: BTreeSet<CheckId> = checks(&self.program).collect();
        for check in checks(self.original).filter(|it| !kept.contains(it)) {
            if self.options.classes.contains(&self.original.checks[check].class) {
                self.found.entry(check).or_insert(Finding::Safe);
            }
        }
    }

    /// Lets the loops that were cut go on for longer; `false` if the numbers end. What was not shown within
    /// the bound may be beyond it.
    fn deepen(&mut self, cuts: &BTreeSet<Cut>) -> bool {
        self.found.retain(|_, it| *it != Finding::Unknown(Reason::NotShown));
        cuts.iter().all(|&cut| match self.bounds.of(cut).checked_mul(GROWTH) {
            Some(bound) => {
                self.bounds.more.insert(cut, bound);
                true
            }
            None => false,
        })
    }

    fn unroll(&mut self) -> Result<Outcome, Reason> {
        let (program, bounds) = (self.program.clone(), self.bounds.clone());
        let (classes, progress) = (&self.options.classes, self.budget.progress());
        progress.set_round(u64::from(bounds.largest()));
        progress.doing("unrolling");
        let mut executor = Executor::new(&program, classes, Knowledge::Whole, self.budget);
        executor.facts.visits = (!self.options.stop_at_first).then(Vec::new);
        let mut walk = Walk::new(executor, Unrolling::new(&bounds));
        walk.run()?;
        let Walk { mut executor, policy: Unrolling { cuts, .. }, .. } = walk;
        progress.set_found(executor.terms.len() as u64);
        progress.doing("solving");
        if self.violations(&mut executor)? {
            return Ok(Outcome::Open(Reason::Stopped, BTreeSet::new()));
        }
        let unasked = std::mem::take(&mut executor.facts.unasked);
        for (check, guard) in unasked {
            if !self.found.contains_key(&check) && self.is_possible(&mut executor, &[guard])? {
                let what = Reason::Unsupported("the condition is not modelled".into());
                self.found.insert(check, Finding::Unknown(what));
            }
        }
        let guards: Vec<TermId> = executor.facts.given_up.iter().map(|it| it.1).collect();
        let given_up: Option<Name> = match self.is_possible(&mut executor, &guards)? {
            true => Some(
                holding(&executor.solver, &executor.terms, &executor.facts.given_up)?[0].clone(),
            ),
            false => None,
        };
        let cuts = self.reached_cuts(&mut executor, &cuts)?;
        // Also with parts given up: a violation may lie deeper.
        let bounded = cuts.first().map(|&cut| {
            let (func, bound) = (&program.funcs[cut.func], bounds.of(cut));
            Reason::Bounded(match cut.head {
                Some(head) => Horizon::Loop { head: func.blocks[head].span, rounds: bound },
                None => Horizon::Recursion { func: func.name.clone(), calls: bound },
            })
        });
        Ok(match bounded.or(given_up.map(|it| Reason::Unsupported(it.to_string()))) {
            Some(reason) => Outcome::Open(reason, cuts),
            None => {
                self.note_never_reached(&mut executor)?;
                Outcome::Done
            }
        })
    }

    /// The loops and recursions whose bound some execution reaches.
    fn reached_cuts(
        &self,
        executor: &mut Executor,
        cuts: &[(Cut, TermId)],
    ) -> Result<BTreeSet<Cut>, Reason> {
        let mut reached = BTreeSet::new();
        loop {
            let is_open = |it: &&(Cut, TermId)| !reached.contains(&it.0);
            let open: Vec<(Cut, TermId)> = cuts.iter().filter(is_open).copied().collect();
            let guards: Vec<TermId> = open.iter().map(|it| it.1).collect();
            if !self.is_possible(executor, &guards)? {
                return Ok(reached);
            }
            reached.extend(holding(&executor.solver, &executor.terms, &open)?.into_iter().copied());
        }
    }

    /// Finds all violations within the bound; whether that is all that was asked for.
    fn violations(&mut self, executor: &mut Executor) -> Result<bool, Reason> {
        loop {
            let open: Vec<(CheckId, TermId)> = executor
                .facts
                .fails
                .iter()
                .copied()
                .filter(|it| !self.found.contains_key(&it.0))
                .collect();
            let guards: Vec<TermId> = open.iter().map(|it| it.1).collect();
            if !self.is_possible_shortly(executor, &guards)?
                && !self.is_possible(executor, &guards)?
            {
                return Ok(false);
            }
            let claimed = *holding(&executor.solver, &executor.terms, &open)?[0];
            match self.confirm(executor) {
                Some((check, counterexample)) => {
                    let violated = Finding::Unsafe(counterexample);
                    (self.tell)(check, &violated);
                    self.found.insert(check, violated);
                    if self.options.stop_at_first {
                        return Ok(true);
                    }
                    if check != claimed && !self.found.contains_key(&claimed) {
                        // Another check fails before: this one is not asked again at this bound.
                        self.found.insert(claimed, Finding::Unknown(Reason::NotShown));
                    }
                }
                None => drop(self.found.insert(claimed, Finding::Unknown(Reason::NotShown))),
            }
        }
    }

    /// The same where the texts the program is given are short: such a model is one that a run can show.
    fn is_possible_shortly(
        &self,
        executor: &mut Executor,
        guards: &[TermId],
    ) -> Result<bool, Exhausted> {
        let short = executor.facts.short_texts.clone();
        Ok(!short.is_empty() && self.is_possible_under(executor, guards, short)?)
    }

    fn is_possible(&self, executor: &mut Executor, guards: &[TermId]) -> Result<bool, Exhausted> {
        self.is_possible_under(executor, guards, Vec::new())
    }

    fn is_possible_under(
        &self,
        executor: &mut Executor,
        guards: &[TermId],
        mut assumed: Vec<TermId>,
    ) -> Result<bool, Exhausted> {
        let any = executor.terms.or_all(guards);
        if executor.terms.as_const(any) == Some(0) {
            return Ok(false);
        }
        assumed.push(any);
        match executor.solver.check(&mut executor.terms, &assumed, self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }

    /// Runs the model's inputs; the check that fails, if one does.
    fn confirm(&self, executor: &Executor) -> Option<(CheckId, Counterexample)> {
        [false, true].into_iter().find_map(|fixes_all| {
            let is_open = |check| !self.found.contains_key(&check);
            let run = Replay {
                original: self.original,
                classes: &self.options.classes,
                ends_at: EndsAt::Fatal,
            };
            run.confirm(&executor.values_of_model(fixes_all), is_open, self.budget)
        })
    }
}

fn checks(program: &Program) -> impl Iterator<Item = CheckId> + '_ {
    program.insts().filter_map(|(_, _, inst)| match inst.op {
        Op::Check { check, .. } => Some(check),
        _ => None,
    })
}
