//! The engine: unrolls with growing bounds until every check is decided or the budget is spent.
//!
//! A violation is believed when the interpreter shows it on the inputs of the model. A program is
//! safe when no check fails and neither what was given up nor what the bound cut can be reached.

use std::collections::BTreeMap;
use std::fmt;

use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::analysis::PointsTo;
use hardbop_cir::interp::{Ending, run};
use hardbop_cir::{CheckId, Class, Op, Program, pass};
use hardbop_smt::{Answer, TermId};

use crate::counterexample::Counterexample;
use crate::unroll::{Cut, Unroller};

#[derive(Clone, Debug)]
pub struct Options {
    pub classes: Vec<Class>,
    /// A fixed bound instead of growing ones.
    pub unwind: Option<u32>,
    /// Whether the first violation is enough.
    pub stop_at_first: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { classes: Class::ALL.to_vec(), unwind: None, stop_at_first: false }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The bound cut executions at this loop or recursion.
    Bounded {
        cut: Cut,
        bound: u32,
    },
    /// Something on the way is not modelled.
    Unsupported(Name),
    /// The solver has a violation that the interpreter does not show.
    Unconfirmed,
    /// The search ended with the first violation, as asked.
    Stopped,
    Exhausted(Exhausted),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Bounded { cut: Cut { func, head: Some(head) }, bound } => {
                write!(f, "the loop at {func} {head} goes on after {bound} rounds")
            }
            Reason::Bounded { cut: Cut { func, head: None }, bound } => {
                write!(f, "{func} calls itself more than {bound} times")
            }
            Reason::Unsupported(what) => f.write_str(what),
            Reason::Unconfirmed => f.write_str("the violation is not confirmed by a run"),
            Reason::Stopped => f.write_str("the search ended with another violation"),
            Reason::Exhausted(it) => it.fmt(f),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Unsafe(Counterexample),
    Unknown(Reason),
}

#[derive(Clone, Debug)]
pub struct Report {
    /// Every check of the classes asked for that the program contains.
    pub checks: BTreeMap<CheckId, Verdict>,
    /// Why the search was not complete, if it was not: it also holds of a program without checks.
    pub incomplete: Option<Reason>,
    /// The last bound that was unrolled to the end.
    pub bound: u32,
}

impl Report {
    /// The verdict on all checks together: a violation before doubt before safety.
    pub fn overall(&self) -> Verdict {
        let find = |wanted: fn(&Verdict) -> bool| self.checks.values().find(|it| wanted(it));
        find(|it| matches!(it, Verdict::Unsafe(_)))
            .or_else(|| find(|it| matches!(it, Verdict::Unknown(_))))
            .cloned()
            .or_else(|| self.incomplete.clone().map(Verdict::Unknown))
            .unwrap_or(Verdict::Safe)
    }
}

/// Bounds grow by this factor.
const GROWTH: u32 = 2;
const STACK: usize = 256 << 20;
/// Of the interpreter, to confirm a violation.
const REPLAY_STEPS: u64 = 50_000_000;

/// Decides the checks of a verified program. Where an access can be invalid and no check of the
/// classes asked for says so, the program is not safe but unknown.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> Report {
    stacker::grow(STACK, || Engine::new(program, options, budget).run())
}

struct Engine<'a> {
    original: &'a Program,
    /// With calls resolved.
    program: Program,
    options: &'a Options,
    budget: &'a Budget,
    found: BTreeMap<CheckId, Verdict>,
}

/// What one bound says of the checks without a violation.
enum Outcome {
    Done,
    Deeper(Reason),
}

impl<'a> Engine<'a> {
    fn new(original: &'a Program, options: &'a Options, budget: &'a Budget) -> Self {
        let mut program = original.clone();
        let points_to = PointsTo::of(&program);
        pass::resolve_calls(&mut program, &points_to);
        Engine { original, program, options, budget, found: BTreeMap::new() }
    }

    fn run(mut self) -> Report {
        let mut bound = self.options.unwind.unwrap_or(1);
        let mut done = 0;
        let reason = loop {
            match self.at_bound(bound) {
                Ok(Outcome::Done) => {
                    done = bound;
                    break None;
                }
                Ok(Outcome::Deeper(reason)) => {
                    done = bound;
                    let is_last = self.options.unwind.is_some() || bound >= u32::MAX / GROWTH;
                    if is_last || !matches!(reason, Reason::Bounded { .. }) {
                        break Some(reason);
                    }
                    bound *= GROWTH;
                }
                Err(exhausted) => break Some(Reason::Exhausted(exhausted)),
            }
        };
        let rest = reason.clone().map_or(Verdict::Safe, Verdict::Unknown);
        for (_, _, inst) in self.original.insts() {
            if let Op::Check { check, .. } = inst.op
                && self.options.classes.contains(&self.original.checks[check].class)
            {
                self.found.entry(check).or_insert_with(|| rest.clone());
            }
        }
        Report { checks: self.found, incomplete: reason, bound: done }
    }

    fn at_bound(&mut self, bound: u32) -> Result<Outcome, Exhausted> {
        let program = self.program.clone();
        let mut unroller = Unroller::new(&program, &self.options.classes, bound, self.budget);
        unroller.run()?;
        if self.violations(&mut unroller)? {
            return Ok(Outcome::Deeper(Reason::Stopped));
        }
        let unasked = std::mem::take(&mut unroller.unasked);
        for (check, guard) in unasked {
            if !self.found.contains_key(&check) && self.is_possible(&mut unroller, &[guard])? {
                let what = Reason::Unsupported("the condition is not modelled".into());
                self.found.insert(check, Verdict::Unknown(what));
            }
        }
        let guards: Vec<TermId> = unroller.given_up.iter().map(|it| it.1).collect();
        let given_up = self.is_possible(&mut unroller, &guards)?.then(|| {
            let hit = unroller.given_up.iter().find(|it| holds(&unroller, it.1));
            hit.map_or_else(|| Name::from("unknown"), |it| it.0.clone())
        });
        let guards: Vec<TermId> = unroller.cuts.iter().map(|it| it.1).collect();
        if self.is_possible(&mut unroller, &guards)? {
            let hit = unroller.cuts.iter().find(|it| holds(&unroller, it.1));
            if let Some(&(cut, _)) = hit {
                // Also with parts given up: a violation may lie deeper.
                return Ok(Outcome::Deeper(Reason::Bounded { cut, bound }));
            }
        }
        Ok(match given_up {
            Some(what) => Outcome::Deeper(Reason::Unsupported(what)),
            None => Outcome::Done,
        })
    }

    /// Finds all violations within the bound; whether that is all that was asked for.
    fn violations(&mut self, unroller: &mut Unroller) -> Result<bool, Exhausted> {
        loop {
            let open: Vec<(CheckId, TermId)> = unroller
                .fails
                .iter()
                .copied()
                .filter(|it| !self.found.contains_key(&it.0))
                .collect();
            let guards: Vec<TermId> = open.iter().map(|it| it.1).collect();
            if !self.is_possible(unroller, &guards)? {
                return Ok(false);
            }
            let Some(&(claimed, _)) = open.iter().find(|it| holds(unroller, it.1)) else {
                return Ok(false);
            };
            match self.confirm(unroller) {
                Some((check, counterexample)) => {
                    self.found.insert(check, Verdict::Unsafe(counterexample));
                    if self.options.stop_at_first {
                        return Ok(true);
                    }
                    if check != claimed && !self.found.contains_key(&claimed) {
                        // Another check fails before: this one is not asked again at this bound.
                        self.found.insert(claimed, Verdict::Unknown(Reason::Unconfirmed));
                    }
                }
                None => drop(self.found.insert(claimed, Verdict::Unknown(Reason::Unconfirmed))),
            }
        }
    }

    fn is_possible(&self, unroller: &mut Unroller, guards: &[TermId]) -> Result<bool, Exhausted> {
        let any = unroller.terms.or_all(guards);
        if unroller.terms.as_const(any) == Some(0) {
            return Ok(false);
        }
        match unroller.solver.check(&mut unroller.terms, &[any], self.budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(exhausted) => Err(exhausted),
        }
    }

    /// Runs the model's inputs; the check that fails, if one does.
    fn confirm(&self, unroller: &Unroller) -> Option<(CheckId, Counterexample)> {
        let taken = unroller.inputs.iter().filter(|it| holds(unroller, it.guard));
        let (mut inputs, mut all) = (Vec::new(), Vec::new());
        for input in taken {
            let value = input.term.map_or(0, |it| unroller.solver.value(&unroller.terms, it));
            all.push(value);
            if input.is_input {
                inputs.push(value);
            }
        }
        let plain = Counterexample { inputs, fixes_all: false };
        let full = Counterexample { inputs: all, fixes_all: true };
        [plain, full].into_iter().find_map(|it| Some((self.replay(&it)?, it)))
    }

    fn replay(&self, counterexample: &Counterexample) -> Option<CheckId> {
        let mut config = counterexample.config(self.options.classes.clone());
        config.max_steps = REPLAY_STEPS;
        config.budget = self.budget.clone();
        let result = run(&counterexample.program(self.original), &config);
        let fatal = match result.ending {
            Ending::Violation(check) => Some(check),
            _ => None,
        };
        let mut failed = result.violations.iter().copied().chain(fatal);
        failed.find(|it| !self.found.contains_key(it))
    }
}

fn holds(unroller: &Unroller, term: TermId) -> bool {
    unroller.solver.value(&unroller.terms, term) == 1
}
