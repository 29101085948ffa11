//! The engine: for k = 1, 2, … and for more and more guesses, drop what is not inductive and ask
//! whether the rest proves the checks.
//!
//! Proofs only: a check that is not proved may be violated or not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::analysis::Ranges;
use hardbop_cir::pass::Passes;
use hardbop_cir::{CheckId, Class, ExprId, FuncId, Op, Program};
use hardbop_engine::Reason;
use hardbop_engine_c::{Finding, Options, Report, prepare};
use hardbop_smt::TermId;
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge, LoopId, Walk};

use crate::candidates::{Guesses, Stage, guess};
use crate::cells::{self, Followable, Meaning};
use crate::contracts::Kept;
use crate::facts::{Fact, Facts};
use crate::houdini::Inductive;
use crate::induct::Induction;
use crate::loops::Loops;
use crate::partial;
use crate::points::Seen;
use crate::recheck::recheck;
use crate::recursion;
use crate::sample::sampled;
use crate::texts;
use crate::walks;

/// Why all checks hold: at each loop head, what is true whenever an execution comes there.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The program the invariants speak of: cut to what the checks depend on.
    pub program: Program,
    pub invariants: BTreeMap<LoopId, Vec<ExprId>>,
    pub k: u32,
    /// Where cells of arrays were followed: what the registers made for that stand for.
    pub cells: Option<Meaning>,
    /// Where memory was spoken of: what holds of it at each loop head.
    pub memory: Option<Facts>,
    /// What holds before and after the calls of recursive functions.
    pub contracts: Kept,
    /// It is about the program with the library in brief, which has other registers and functions.
    pub is_brief: bool,
}

const MAX_K: u32 = 12;
/// For a try that may make a longer one superfluous.
const SHORT: Duration = Duration::from_secs(1);
/// For single checks where there is no proof of all.
const LONG: Duration = Duration::from_secs(4);
const STACK: usize = 256 << 20;

/// Tries to prove all checks of the classes asked for.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> (Report, Option<Proof>) {
    check_telling(program, None, options, budget, &mut |_, _| {})
}

/// The same, telling of single checks that are proved as soon as that is known: an engine that is ended from outside has no
/// report. `brief` is a program that is safe only if this one is, and has no loops in functions of the library.
pub fn check_telling(
    program: &Program,
    brief: Option<&Program>,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(CheckId, &Finding),
) -> (Report, Option<Proof>) {
    if let Some(refusal) = Report::of_threads(program, &options.classes) {
        return (refusal, None);
    }
    budget.progress().count("guesses", "k");
    hardbop_base::stack::grow(STACK, || {
        let mut known = Known { proved: BTreeMap::new(), tell };
        let classes = &options.classes;
        let (reason, k, proof) = match prove(program, brief, classes, &mut known, budget) {
            Ok(Proved::Yes(proof)) => (None, proof.k, Some(*proof)),
            Ok(Proved::No(reason, k)) => (Some(reason), k, None),
            Err(reason) => (Some(reason), 0, None),
        };
        let report = Report::new(program, &options.classes, known.proved, reason, k);
        (report, proof)
    })
}

/// Single checks that are proved, whatever becomes of the others.
struct Known<'a> {
    proved: BTreeMap<CheckId, Finding>,
    tell: &'a mut dyn FnMut(CheckId, &Finding),
}

impl Known<'_> {
    /// Notes what is proved without a proof of everything, as far as a part of the time suffices for that.
    fn add(
        &mut self,
        program: &Program,
        classes: &[Class],
        loops: &Loops,
        invariants: &Guesses,
        budget: &Budget,
    ) -> Result<(), Reason> {
        let asked = |check: &CheckId| {
            classes.contains(&program.checks[*check].class) && !self.proved.contains_key(check)
        };
        let checks = program.insts().filter_map(|(_, _, inst)| match inst.op {
            Op::Check { check, .. } => Some(check),
            _ => None,
        });
        let open: BTreeSet<CheckId> = checks.filter(asked).collect();
        if open.is_empty() {
            return Ok(());
        }
        let part = budget.time_left().map_or(LONG, |left| left / 8).min(LONG);
        let part = budget.clone().at_most(part);
        match partial::proved(program, classes, loops, invariants, open, &part) {
            Ok(proved) => {
                for check in proved {
                    (self.tell)(check, &Finding::Safe);
                    self.proved.insert(check, Finding::Safe);
                }
                Ok(())
            }
            Err(Reason::Exhausted(_)) => Ok(budget.check()?),
            Err(reason) => Err(reason),
        }
    }
}

enum Proved {
    Yes(Box<Proof>),
    No(Reason, u32),
}

/// Where there are long arrays or pointers that walk, a short try without comes first, then each gets half of the time. Texts
/// get a third, after short tries in brief and with walks alone. Single checks are asked once, when no quick proof of all was found.
/// Recursion without a bound has no other proof than one by contracts.
fn prove(
    original: &Program,
    brief: Option<&Program>,
    classes: &[Class],
    known: &mut Known<'_>,
    budget: &Budget,
) -> Result<Proved, Reason> {
    if let Some(proof) = within(recursion::prove(original, classes, &half(budget)), budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    let mut plain = Plain::of(original, classes, budget);
    let mut first_k = 1;
    if let Some(followable) = Followable::of(original, classes, cells::LEAST) {
        match plain.prove(1..=1, &budget.clone().at_most(SHORT)) {
            Ok(proved @ Proved::Yes(_)) => return Ok(proved),
            Ok(Proved::No(..)) => first_k = 2,
            Err(Reason::Exhausted(_)) => {}
            Err(reason) => return Err(reason),
        }
        if let Some(proof) = within(followable.prove(classes, &half(budget)), budget)? {
            return Ok(Proved::Yes(Box::new(proof)));
        }
    }
    if first_k == 1 {
        match plain.prove(1..=1, budget)? {
            proved @ Proved::Yes(_) => return Ok(proved),
            Proved::No(..) => first_k = 2,
        }
    }
    // Soundness: in brief not each byte is read, and a read is what asks whether it has been written.
    let brief = brief.filter(|_| !classes.contains(&Class::Uninit));
    let short = share(budget, 2).at_most(SHORT);
    if let Some(proof) = in_brief(brief, classes, &short, budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    let short = share(budget, 2).at_most(SHORT);
    if let Some(proof) = within(walks::prove(original, classes, &short), budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    plain.single_checks(known, budget)?;
    if let Some(proof) = in_brief(brief, classes, &half(budget), budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    if let Some(proof) = within(texts::prove(original, classes, &share(budget, 3)), budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    if let Some(proof) = within(walks::prove(original, classes, &half(budget)), budget)? {
        return Ok(Proved::Yes(Box::new(proof)));
    }
    plain.prove(first_k..=MAX_K, budget)
}

/// A proof about the program with the library in brief, if there is one and this part of the time is enough.
fn in_brief(
    brief: Option<&Program>,
    classes: &[Class],
    part: &Budget,
    budget: &Budget,
) -> Result<Option<Proof>, Reason> {
    let Some(brief) = brief else { return Ok(None) };
    let proof = within(texts::prove(brief, classes, part), budget)?;
    Ok(proof.map(|it| Proof { is_brief: true, ..it }))
}

/// No proof where only this try's part of the time is over.
fn within(tried: Result<Option<Proof>, Reason>, budget: &Budget) -> Result<Option<Proof>, Reason> {
    match tried {
        Err(Reason::Exhausted(_)) => Ok(budget.check().map(|()| None)?),
        tried => tried,
    }
}

fn half(budget: &Budget) -> Budget {
    share(budget, 2)
}

fn share(budget: &Budget, parts: u32) -> Budget {
    match budget.time_left() {
        Some(left) => budget.clone().at_most(left / parts),
        None => budget.clone(),
    }
}

/// Formulas over the program's variables, without more.
struct Plain<'a> {
    classes: &'a [Class],
    program: Program,
    loops: Loops,
    ranges: Ranges,
    seen: Seen,
    laws: Guesses,
    /// What is guessed, as far as that was needed.
    stages: Vec<Guesses>,
    /// What of the guesses is inductive with one round of each loop, where that was not enough.
    inductive: Option<Guesses>,
}

impl<'a> Plain<'a> {
    fn of(original: &Program, classes: &'a [Class], budget: &Budget) -> Self {
        // A proof speaks of the loops of the source's functions, over the variables in scope there.
        let passes = Passes { inline: false, ..Passes::ALL };
        let mut program = prepare(original, classes, passes);
        let loops = Loops::of(&program);
        let ranges = Ranges::of(&program);
        let seen = Seen::of(&program, &loops, budget);
        let laws = sampled(&mut program, &loops, &seen);
        Plain { classes, program, loops, ranges, seen, laws, stages: Vec::new(), inductive: None }
    }

    /// What is guessed at this stage, besides what the stages before it guess.
    fn stage(&mut self, at: usize) -> &Guesses {
        while self.stages.len() <= at {
            let stage = Stage::ALL[self.stages.len()];
            let mut guesses =
                guess(&mut self.program, &self.loops, &self.ranges, &self.seen, stage);
            for (head, list) in &self.laws {
                guesses.entry(*head).or_default().extend(list);
            }
            self.stages.push(guesses);
        }
        &self.stages[at]
    }

    fn prove(&mut self, ks: RangeInclusive<u32>, budget: &Budget) -> Result<Proved, Reason> {
        if let Some((func, _)) = self.loops.irreducible {
            let name = &self.program.funcs[func].name;
            let what = format!("a loop of `{name}` is entered in the middle");
            return Ok(Proved::No(Reason::Unsupported(what), 0));
        }
        let mut reason = Reason::Unsupported("no proof was found".into());
        let max_k = *ks.end();
        for k in ks {
            for at in 0..Stage::ALL.len() {
                let guesses = self.stage(at).clone();
                if at > 0 && guesses == self.stages[at - 1] {
                    continue;
                }
                match attempt(&self.program, self.classes, &self.loops, &guesses, None, k, budget)?
                {
                    Attempt::Proved(invariants, _) => return self.confirmed(invariants, k, budget),
                    Attempt::Failed(why, inductive) => {
                        reason = why;
                        if k == 1 {
                            self.inductive = Some(inductive);
                        }
                    }
                    // More guesses or rounds do not help.
                    Attempt::Hopeless(why) => return Ok(Proved::No(why, k)),
                }
            }
        }
        Ok(Proved::No(reason, max_k))
    }

    fn confirmed(&self, invariants: Guesses, k: u32, budget: &Budget) -> Result<Proved, Reason> {
        let (program, contracts) = (self.program.clone(), Kept::default());
        let (cells, memory, is_brief) = (None, None, false);
        let proof = Proof { program, invariants, k, cells, memory, contracts, is_brief };
        Ok(match recheck(&proof, self.classes, budget)? {
            true => Proved::Yes(Box::new(proof)),
            false => {
                let why = "its proof does not hold when it is checked again";
                Proved::No(Reason::NotConfirmed(why.into()), k)
            }
        })
    }

    fn single_checks(&self, known: &mut Known<'_>, budget: &Budget) -> Result<(), Reason> {
        match &self.inductive {
            Some(it) => known.add(&self.program, self.classes, &self.loops, it, budget),
            None => Ok(()),
        }
    }
}

pub(crate) enum Attempt {
    /// With what holds at the heads of loops, in formulas and of memory.
    Proved(Guesses, Facts),
    /// What holds at the heads of loops does not do.
    Failed(Reason, Guesses),
    Hopeless(Reason),
}

/// An executor for induction; whether memory is spoken of decides how much of it is followed.
pub(crate) fn executor<'a>(
    program: &'a Program,
    classes: &'a [Class],
    memory: Option<&Facts>,
    budget: &'a Budget,
) -> Executor<'a> {
    let executor = Executor::new(program, classes, Knowledge::Partial, budget);
    match memory {
        Some(_) => executor.with_notes(),
        None => executor,
    }
}

/// Houdini with these guesses, then the checks.
pub(crate) fn attempt(
    program: &Program,
    classes: &[Class],
    loops: &Loops,
    guesses: &Guesses,
    memory: Option<&Facts>,
    k: u32,
    budget: &Budget,
) -> Result<Attempt, Reason> {
    let progress = budget.progress();
    progress.set_round(u64::from(k));
    let mut facts: Facts = memory.cloned().unwrap_or_default();
    for (&head, exprs) in guesses {
        facts.entry(head).or_default().extend(exprs.iter().map(|&it| Fact::Holds(it)));
    }
    progress.set_found(facts.values().map(|it| it.len() as u64).sum());
    progress.doing("unrolling");
    let executor = executor(program, classes, memory, budget);
    let mut largest = Inductive::largest(executor, &facts, k, loops, budget)?;
    progress.doing("solving");
    let failure = ask(&mut largest, budget)?;
    let (mut invariants, mut memory) = (Guesses::new(), Facts::new());
    for (head, list) in largest.active {
        let (formulas, others) =
            (invariants.entry(head).or_default(), memory.entry(head).or_default());
        for it in list.into_iter().flatten() {
            match it.fact {
                Fact::Holds(expr) => formulas.push(expr),
                fact => others.push(fact),
            }
        }
    }
    Ok(match failure {
        None => Attempt::Proved(invariants, memory),
        Some(None) => {
            let why = format!("no proof was found with {k} rounds of each loop");
            Attempt::Failed(Reason::Unsupported(why), invariants)
        }
        Some(Some(what)) if loops.changes.is_empty() => {
            Attempt::Hopeless(Reason::Unsupported(what.to_string()))
        }
        Some(Some(what)) => Attempt::Failed(Reason::Unsupported(what.to_string()), invariants),
    })
}

/// Goes through the functions with a contract, then through the program.
pub(crate) fn run(walk: &mut Walk<Induction>, loops: &Loops) -> Result<(), Exhausted> {
    let alone: Vec<FuncId> = loops.contracts.keys().copied().collect();
    let main = walk.executor.program.main;
    walk.run_with(&alone, &loops.calls[main])
}

/// Everything that must not be reached for a proof; a name where it is not a check.
pub(crate) fn problems(executor: &Executor, policy: &Induction) -> Vec<(Option<Name>, TermId)> {
    let named = |it: &str| Some(Name::from(it));
    let facts = &executor.facts;
    let checks = facts.fails.iter().map(|it| (None, it.1));
    let given_up = facts.given_up.iter().map(|it| (Some(it.0.clone()), it.1));
    let unasked = facts.unasked.iter().map(|it| (named("the condition is not modelled"), it.1));
    let too_deep = policy.too_deep.iter();
    let too_deep = too_deep.map(|&it| (named("a function calls itself too often"), it));
    checks.chain(given_up).chain(unasked).chain(too_deep).collect()
}

/// `None` if no problem can be reached, otherwise the first one of a model.
fn ask(largest: &mut Inductive, budget: &Budget) -> Result<Option<Option<Name>>, Reason> {
    let problems = problems(&largest.executor, &largest.policy);
    let terms: Vec<TermId> = problems.iter().map(|it| it.1).collect();
    if !largest.is_possible(&terms, budget)? {
        return Ok(None);
    }
    let executor = &largest.executor;
    Ok(Some(holding(&executor.solver, &executor.terms, &problems)?[0].clone()))
}
