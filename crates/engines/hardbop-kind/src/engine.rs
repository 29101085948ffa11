//! The engine: for k = 1, 2, … and for more and more guesses, drop what is not inductive and ask
//! whether the rest proves the checks.
//!
//! One unrolling serves a whole Houdini run: each candidate has a selector, a model of a violated
//! obligation drops every candidate it violates. The result does not depend on the order: it is the
//! largest inductive subset. Proofs only: a check that is not proved may be violated or not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use hardbop_base::fault::{Fault, is_on};
use hardbop_base::{Budget, Exhausted, Name};
use hardbop_cir::analysis::Ranges;
use hardbop_cir::pass::Passes;
use hardbop_cir::{CheckId, Class, ExprId, FuncId, Op, Program};
use hardbop_engine::Reason;
use hardbop_engine_c::{Finding, Options, Report, prepare};
use hardbop_smt::{Answer, TermId};
use hardbop_symbolic::model::holding;
use hardbop_symbolic::{Executor, Knowledge, LoopId, Walk};

use crate::candidates::{Guesses, Stage, guess};
use crate::cells::{self, Followable, Meaning};
use crate::contracts::Kept;
use crate::facts::{Fact, Facts};
use crate::induct::{Candidate, Induction, Obligation};
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
}

const MAX_K: u32 = 12;
/// For a try that may make a longer one superfluous.
const SHORT: Duration = Duration::from_secs(1);
/// For single checks where there is no proof of all.
const LONG: Duration = Duration::from_secs(4);
const STACK: usize = 256 << 20;

/// Tries to prove all checks of the classes asked for.
pub fn check(program: &Program, options: &Options, budget: &Budget) -> (Report, Option<Proof>) {
    check_telling(program, options, budget, &mut |_, _| {})
}

/// The same, telling of single checks that are proved as soon as that is known: an engine that is ended from outside has no
/// report.
pub fn check_telling(
    program: &Program,
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
        let (reason, k, proof) = match prove(program, &options.classes, &mut known, budget) {
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
/// get a third, after a short try with walks alone.
/// Recursion without a bound has no other proof than one by contracts.
fn prove(
    original: &Program,
    classes: &[Class],
    known: &mut Known<'_>,
    budget: &Budget,
) -> Result<Proved, Reason> {
    match recursion::prove(original, classes, &half(budget)) {
        Ok(Some(proof)) => return Ok(Proved::Yes(Box::new(proof))),
        Ok(None) | Err(Reason::Exhausted(_)) => budget.check()?,
        Err(reason) => return Err(reason),
    }
    let mut first_k = 1;
    if let Some(followable) = Followable::of(original, classes, cells::LEAST) {
        match prove_plain(original, classes, 1..=1, known, &budget.clone().at_most(SHORT)) {
            Ok(proved @ Proved::Yes(_)) => return Ok(proved),
            Ok(Proved::No(..)) => first_k = 2,
            Err(Reason::Exhausted(_)) => {}
            Err(reason) => return Err(reason),
        }
        match followable.prove(classes, &half(budget)) {
            Ok(Some(proof)) => return Ok(Proved::Yes(Box::new(proof))),
            Ok(None) | Err(Reason::Exhausted(_)) => {}
            Err(reason) => return Err(reason),
        }
        budget.check()?;
    }
    if first_k == 1 {
        match prove_plain(original, classes, 1..=1, known, budget)? {
            proved @ Proved::Yes(_) => return Ok(proved),
            Proved::No(..) => first_k = 2,
        }
    }
    match walks::prove(original, classes, &share(budget, 2).at_most(SHORT)) {
        Ok(Some(proof)) => return Ok(Proved::Yes(Box::new(proof))),
        Ok(None) | Err(Reason::Exhausted(_)) => budget.check()?,
        Err(reason) => return Err(reason),
    }
    match texts::prove(original, classes, &share(budget, 3)) {
        Ok(Some(proof)) => return Ok(Proved::Yes(Box::new(proof))),
        Ok(None) | Err(Reason::Exhausted(_)) => budget.check()?,
        Err(reason) => return Err(reason),
    }
    match walks::prove(original, classes, &half(budget)) {
        Ok(Some(proof)) => return Ok(Proved::Yes(Box::new(proof))),
        Ok(None) | Err(Reason::Exhausted(_)) => budget.check()?,
        Err(reason) => return Err(reason),
    }
    prove_plain(original, classes, first_k..=MAX_K, known, budget)
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

fn prove_plain(
    original: &Program,
    classes: &[Class],
    ks: RangeInclusive<u32>,
    known: &mut Known<'_>,
    budget: &Budget,
) -> Result<Proved, Reason> {
    // A proof speaks of the loops of the source's functions, over the variables in scope there.
    let passes = Passes { inline: false, ..Passes::ALL };
    let mut program = prepare(original, classes, passes);
    let loops = Loops::of(&program);
    if let Some((func, _)) = loops.irreducible {
        let name = &program.funcs[func].name;
        let what = format!("a loop of `{name}` is entered in the middle");
        return Ok(Proved::No(Reason::Unsupported(what), 0));
    }
    let ranges = Ranges::of(&program);
    let seen = Seen::of(&program, &loops, budget);
    let laws = sampled(&mut program, &loops, &seen);
    let mut reason = Reason::Unsupported("no proof was found".into());
    let mut stages: Vec<Guesses> = Vec::new();
    let max_k = *ks.end();
    for k in ks {
        for (at, stage) in Stage::ALL.into_iter().enumerate() {
            if stages.len() == at {
                let mut guesses = guess(&mut program, &loops, &ranges, &seen, stage);
                for (head, list) in &laws {
                    guesses.entry(*head).or_default().extend(list);
                }
                stages.push(guesses);
            }
            if at > 0 && stages[at] == stages[at - 1] {
                continue;
            }
            match attempt(&program, classes, &loops, &stages[at], None, k, budget)? {
                Attempt::Proved(invariants, _) => {
                    let contracts = Kept::default();
                    let proof =
                        Proof { program, invariants, k, cells: None, memory: None, contracts };
                    return Ok(match recheck(&proof, classes, budget)? {
                        true => Proved::Yes(Box::new(proof)),
                        false => {
                            let why = "its proof does not hold when it is checked again";
                            Proved::No(Reason::NotConfirmed(why.into()), k)
                        }
                    });
                }
                Attempt::Failed(why, invariants) => {
                    reason = why;
                    if k == 1 {
                        known.add(&program, classes, &loops, &invariants, budget)?;
                    }
                }
                // More guesses or rounds do not help.
                Attempt::Hopeless(why) => return Ok(Proved::No(why, k)),
            }
        }
    }
    Ok(Proved::No(reason, max_k))
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
    let mut executor = executor(program, classes, memory, budget);
    let mut active: BTreeMap<LoopId, Vec<Option<Candidate>>> = BTreeMap::new();
    for (&head, facts) in &facts {
        let candidate = |&fact| Candidate { fact, selector: executor.terms.var("candidate", 1) };
        active.insert(head, facts.iter().map(candidate).map(Some).collect());
    }
    let candidates =
        active.iter().map(|(&head, list)| (head, list.iter().flatten().copied().collect()));
    let mut walk = Walk::new(executor, Induction::new(k, candidates.collect(), loops));
    run(&mut walk, loops)?;
    let bad = problems(&walk);
    let Walk { mut executor, policy, .. } = walk;
    progress.doing("guesses that hold");
    houdini(&mut executor, &policy.obligations, &mut active, budget)?;
    progress.doing("solving");
    let failure = ask(&mut executor, &active, &bad, budget)?;
    let (mut invariants, mut memory) = (Guesses::new(), Facts::new());
    for (head, list) in active {
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
pub(crate) fn problems(walk: &Walk<Induction>) -> Vec<(Option<Name>, TermId)> {
    let named = |it: &str| Some(Name::from(it));
    let facts = &walk.executor.facts;
    let checks = facts.fails.iter().map(|it| (None, it.1));
    let given_up = facts.given_up.iter().map(|it| (Some(it.0.clone()), it.1));
    let unasked = facts.unasked.iter().map(|it| (named("the condition is not modelled"), it.1));
    let too_deep = walk.policy.too_deep.iter();
    let too_deep = too_deep.map(|&it| (named("a function calls itself too often"), it));
    checks.chain(given_up).chain(unasked).chain(too_deep).collect()
}

/// Drops candidates until the rest is inductive.
pub(crate) fn houdini(
    executor: &mut Executor,
    obligations: &[Obligation],
    active: &mut BTreeMap<LoopId, Vec<Option<Candidate>>>,
    budget: &Budget,
) -> Result<(), Reason> {
    loop {
        let is_active = |head: &LoopId, at: usize| active[head][at].is_some();
        let open: Vec<_> =
            obligations.iter().copied().filter(|it| is_active(&it.head, it.candidate)).collect();
        let fails: Vec<TermId> = open.iter().map(|it| it.fails).collect();
        let any = executor.terms.or_all(&fails);
        if executor.terms.as_const(any) == Some(0) {
            return Ok(());
        }
        let mut assumed = vec![any];
        assumed.extend(selectors(active));
        match executor.solver.check(&mut executor.terms, &assumed, budget) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Unknown(exhausted) => return Err(exhausted.into()),
            Answer::Sat if is_on(Fault::CandidatesStay) => return Ok(()),
            Answer::Sat => {
                let open: Vec<_> = open.iter().map(|it| (it, it.fails)).collect();
                for it in holding(&executor.solver, &executor.terms, &open)? {
                    if let Some(list) = active.get_mut(&it.head) {
                        list[it.candidate] = None;
                    }
                }
            }
        }
    }
}

pub(crate) fn selectors(
    active: &BTreeMap<LoopId, Vec<Option<Candidate>>>,
) -> impl Iterator<Item = TermId> + '_ {
    active.values().flatten().flatten().map(|it| it.selector)
}

/// `None` if no problem can be reached, otherwise the first one of a model.
fn ask(
    executor: &mut Executor,
    active: &BTreeMap<LoopId, Vec<Option<Candidate>>>,
    problems: &[(Option<Name>, TermId)],
    budget: &Budget,
) -> Result<Option<Option<Name>>, Reason> {
    let terms: Vec<TermId> = problems.iter().map(|it| it.1).collect();
    let any = executor.terms.or_all(&terms);
    if executor.terms.as_const(any) == Some(0) {
        return Ok(None);
    }
    let mut assumed = vec![any];
    assumed.extend(selectors(active));
    match executor.solver.check(&mut executor.terms, &assumed, budget) {
        Answer::Unsat(_) => Ok(None),
        Answer::Unknown(exhausted) => Err(exhausted.into()),
        Answer::Sat => Ok(Some(holding(&executor.solver, &executor.terms, problems)?[0].clone())),
    }
}
