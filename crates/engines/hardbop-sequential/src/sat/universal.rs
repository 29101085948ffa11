//! The engine `universal`: summaries for all values at entry, by unrolling.
//!
//! SUM section 4, BOOM section 4.2: procedures are unrolled callees first, each call replaced by
//! the universal summary of the callee; see [`unroll`](mod@crate::sat::unroll). Beside its exit a summary
//! has the ways to goals inside, so that one question to a SAT solver decides the program.
//!
//! A procedure that grows past a threshold, or whose recursion does not come to an end soon, gets
//! no summary; it and its callers are left to the fixpoint of [`tabulate`](crate::sat::tabulate), which
//! applies the summaries there are. [`Unrolled`] gives up there: beside engines that are better at fixpoints
//! it would only be in the way.

use hardbop_base::{Exhausted, Idx, IndexVec};
use hardbop_cfg::ProcId;
use hardbop_cfg::analysis::Follow;
use hardbop_engine::{Claim, Engine, Reason, RunCtx, Task};

use crate::sat::accept::sequential;
use crate::sat::concretize::{Env, Walk, ending};
use crate::sat::facts::Facts;
use crate::sat::outcome::Outcome;
use crate::sat::proof::{self, Reach};
use crate::sat::recursion;
use crate::sat::sim::Sim;
use crate::sat::tabulate::Tabulation;
use crate::sat::unroll::{Known, Limits, Stopped, Summary, unroll, unroll_main};

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Universal;

/// The engine without its fixpoint: what it does not decide by unrolling it leaves to others.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unrolled;

/// Past these a procedure is left to the fixpoint.
pub const LIMITS: Limits = Limits { visits: 16, nodes: 100_000 };

impl Engine for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }

    fn about(&self) -> &'static str {
        "sequential programs: universal summaries by SAT, unrolled until states repeat"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        sequential(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check(task, ctx, |tabulation, outcome| Some(tabulation.run(outcome)))
    }
}

impl Engine for Unrolled {
    fn name(&self) -> &'static str {
        Universal.name()
    }

    fn about(&self) -> &'static str {
        Universal.about()
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        sequential(task)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check(task, ctx, |_, _| None)
    }
}

/// `fixpoint` is asked where unrolling does not decide; it may decline.
fn check(
    task: &Task<'_>,
    ctx: &RunCtx,
    fixpoint: impl FnOnce(&mut Tabulation<'_, '_>, &mut Outcome) -> Option<Result<(), Exhausted>>,
) -> Claim {
    let facts = Facts::of(task);
    let mut sim = Sim::new(&facts, &ctx.budget);
    let mut outcome = Outcome::new(task);
    let mut numbers = Numbers::default();
    let mut explored = None;
    let result = match unrolled(&mut sim, ctx, &mut outcome, &mut numbers) {
        Ok(Unrolling::Decided(known)) => {
            let known = known.iter_enumerated();
            explored = Some(known.map(|(proc, it)| Reach::of_known(&sim, proc, it)).collect());
            Some(Ok(()))
        }
        Ok(Unrolling::Left(known)) => {
            let mut tabulation = Tabulation::new(&mut sim, ctx, known);
            let result = fixpoint(&mut tabulation, &mut outcome);
            numbers.n_qbf = tabulation.n_qbf_calls();
            explored = Some(tabulation.explored());
            result
        }
        Err(limit) => Some(Err(limit)),
    };
    let mut claim = match result {
        Some(result) => outcome.claim(task, result),
        // Soundness: nothing was decided, so nothing is claimed.
        None => Claim::unknown(Reason::Unsupported("unrolling does not come to an end".into())),
    };
    proof::certify(&mut claim, task, ctx, &mut sim, explored);
    claim.stats.set("summaries", numbers.n_summaries);
    claim.stats.set("left_to_fixpoint", numbers.n_left);
    claim.stats.set("qbf_calls", numbers.n_qbf);
    claim.stats.set("sat_calls", sim.oracle.n_calls());
    claim.stats.set("formula_nodes", sim.aig.n_nodes() as u64);
    claim
}

#[derive(Default)]
struct Numbers {
    n_summaries: u64,
    n_left: u64,
    n_qbf: u64,
}

/// What unrolling came to, with the summaries there are.
enum Unrolling {
    Decided(IndexVec<ProcId, Known>),
    /// `main` has none.
    Left(IndexVec<ProcId, Known>),
}

/// Decides the program by unrolling, if it can.
fn unrolled(
    sim: &mut Sim<'_>,
    ctx: &RunCtx,
    outcome: &mut Outcome,
    numbers: &mut Numbers,
) -> Result<Unrolling, Exhausted> {
    let facts = sim.facts;
    let reachable = facts.calls.reachable(Follow::Calls);
    let mut known = IndexVec::from_elem(Known::Nothing, facts.program.procs.len());
    for component in facts.calls.components(Follow::Calls) {
        if !reachable.contains(component[0].index()) {
            continue;
        }
        ctx.budget.check()?;
        match summarise(sim, component, &known) {
            Ok(summaries) => {
                numbers.n_summaries += summaries.len() as u64; // stats
                for (&proc, summary) in component.iter().zip(summaries) {
                    known[proc] = Known::Summary(summary);
                }
            }
            Err(Stopped::TooLarge) => numbers.n_left += component.len() as u64, // stats
            Err(Stopped::Exhausted(limit)) => return Err(limit),
        }
        ctx.progress.count("summaries", "round");
        ctx.progress.set_found(numbers.n_summaries);
    }
    if let Known::Summary(summary) = &known[facts.program.main] {
        decide(sim, ctx, summary, outcome)?;
        return Ok(Unrolling::Decided(known));
    }
    Ok(Unrolling::Left(known))
}

/// The universal summaries of a component whose other callees have theirs.
fn summarise(
    sim: &mut Sim<'_>,
    component: &[ProcId],
    known: &IndexVec<ProcId, Known>,
) -> Result<Vec<Summary>, Stopped> {
    let mut callees = component.iter().flat_map(|&proc| sim.facts.calls.callees(proc));
    let is_known =
        |callee: &ProcId| component.contains(callee) || matches!(known[*callee], Known::Summary(_));
    if !callees.all(is_known) {
        return Err(Stopped::TooLarge);
    }
    if sim.facts.calls.is_recursive(component[0]) {
        recursion::summarise(sim, component, known, LIMITS)
    } else if component[0] == sim.facts.program.main {
        Ok(vec![unroll_main(sim, known, LIMITS, sim.facts.goals())?.summary])
    } else {
        Ok(vec![unroll(sim, component[0], known, LIMITS)?.summary])
    }
}

/// Whether the ways of `main` can be taken from an initial state.
fn decide(
    sim: &mut Sim<'_>,
    ctx: &RunCtx,
    main: &Summary,
    outcome: &mut Outcome,
) -> Result<(), Exhausted> {
    let initial = sim.initial();
    for &(group, way) in &main.ways {
        let guard = sim.arena.ways[way].guard;
        if let Some(model) = sim.oracle.model(&sim.aig, &[initial, guard])? {
            let env = Env::new(model.eval());
            let ending = ending(sim, way, &env).expect("all calls have summaries");
            let budget = ctx.for_evidence().budget;
            outcome.note(sim, group, &ending, || {
                let mut walk = Walk::new(&budget);
                walk.way(sim, way, env.clone())?;
                Ok((env, walk))
            });
        }
    }
    Ok(())
}
