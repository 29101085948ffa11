//! The engine `bdd`: Bebop done today.
//!
//! BEB; BOOM chapters 4 and 10; design section 4. The work is in [`fixpoint`](crate::diagrams::fixpoint);
//! here is what surrounds it: which facts it is given, the memory it may use, and further tries with other
//! variable orders when the diagrams of the first grow (`hardbop_encode::reorder`).

use hardbop_base::{Budget, Exhausted};
use hardbop_cfg::analysis::{CallGraph, Effects, Follow, Live, ModRef, Reading};
use hardbop_cfg::{EdgeRef, Goal, Program};
use hardbop_dd::{Dd, Manager, with_stack_for};
use hardbop_engine::{
    Claim, Engine, GoalSite, InitialThreads, Order, Reached, Reason, RunCtx, Task, Verdict, goals,
};
use hardbop_evidence::Trace;
use rustc_hash::FxHashSet;

use crate::diagrams::backtrack::backtrack;
use crate::diagrams::concretize::concretize;
use crate::diagrams::fixpoint::{Facts, Fixpoint};
use crate::diagrams::graph::GraphOptions;
use crate::diagrams::invariants;
use crate::diagrams::past::{Met, Past};
use crate::diagrams::rings::Rings;
use crate::diagrams::sweep::Sweep;
use hardbop_encode::reorder::{self, Allowance, Attempt, FIRST_NODES, OfSlots, Patience};
use hardbop_encode::slots::Slots;

/// The engine, with switches for measuring what each of its parts is worth.
#[derive(Clone, Copy, Debug)]
pub struct Bdd {
    /// Compose straight-line code into one relation.
    pub compress: bool,
    /// As long as that relation has no more nodes than this.
    pub block_nodes: usize,
    /// Quantify dead variables.
    pub liveness: bool,
    /// Leave out of summaries what a procedure does not touch.
    pub modref: bool,
    /// The variable order that is tried first.
    pub order: Order,
    /// Diagrams with more nodes than this are a reason to look for another order.
    pub patience: usize,
    /// Go over every call in a trace, however short it is.
    pub fold: bool,
    /// Look for a shortest trace before any other.
    pub shortest: bool,
}

impl Bdd {
    pub const DEFAULT: Bdd = Bdd {
        compress: true,
        block_nodes: 200,
        liveness: true,
        modref: true,
        order: Order::Force,
        patience: FIRST_NODES,
        fold: false,
        shortest: true,
    };
}

impl Engine for Bdd {
    fn name(&self) -> &'static str {
        "bdd"
    }

    fn about(&self) -> &'static str {
        "sequential programs with recursion: path edges and summaries over decision diagrams"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        if task.program.starts_threads() {
            return Err("the program starts threads".into());
        }
        if task.initial_threads != InitialThreads::Count(1) {
            return Err("several threads run main".into());
        }
        Ok(())
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        let order = task.order.unwrap_or(self.order);
        self.run(task, ctx, Patience::new(ctx, task.program, order, self.patience)).0
    }
}

impl Bdd {
    /// The same, beginning with this variable order; with the order of the last run.
    pub fn check_in_order(&self, task: &Task<'_>, ctx: &RunCtx, first: Slots) -> (Claim, Slots) {
        self.run(task, ctx, Patience::in_order(ctx, first, self.patience))
    }

    fn run(&self, task: &Task<'_>, ctx: &RunCtx, patience: Patience) -> (Claim, Slots) {
        let facts = Analyses::of(task.program, self);
        let mut last = patience.first().clone();
        let claim = patience.run(ctx, |slots, allowed| {
            last = slots.clone();
            self.attempt(task, ctx, &facts, slots, allowed)
        });
        (claim, last)
    }
}

impl Bdd {
    /// One run with one variable order.
    fn attempt(
        &self,
        task: &Task<'_>,
        ctx: &RunCtx,
        analyses: &Analyses,
        slots: &Slots,
        allowed: Allowance,
    ) -> Attempt {
        let dd = Manager::new(slots.n_levels(), allowed.limits);
        with_stack_for(slots.n_levels(), || {
            let facts = Facts {
                program: task.program,
                live: &analyses.live,
                modref: &analyses.modref,
                dd: &dd,
                slots,
            };
            let options = GraphOptions { compress: self.compress, block_nodes: self.block_nodes };
            let mut fixpoint = Fixpoint::new(facts, options);
            let goal = (!task.exhaustive).then_some(&task.goal);
            ctx.progress.count("steps", "round");
            let result = fixpoint.run(goal, &ctx.budget, &ctx.progress);
            let result =
                result.map(|met| self.claim(task, ctx, &mut fixpoint, met, allowed.may_grow));
            let mut claim = result.unwrap_or_else(|limit| Claim::unknown(Reason::Exhausted(limit)));
            claim.stats.set("steps", fixpoint.n_steps);
            claim.stats.set("nodes", fixpoint.graph.nodes.len() as u64);
            claim.stats.set("dd_nodes", dd.n_nodes() as u64);
            allowed.attempt(claim, ctx, || {
                reorder::better(task.program, &OfSlots, slots, &dd, fixpoint.functions())
            })
        })
    }
}

impl Bdd {
    /// What a finished run says, with its evidence.
    fn claim(
        &self,
        task: &Task<'_>,
        ctx: &RunCtx,
        fixpoint: &mut Fixpoint<'_>,
        met: Option<GoalSite>,
        may_grow: bool,
    ) -> Claim {
        let mut claim = Claim::new(Verdict::Safe);
        let mut met = met;
        if task.exhaustive {
            let reached: FxHashSet<_> = fixpoint.sites_met().cloned().collect();
            claim.goals = goals::statuses(task.program, |site| reached.contains(site));
            let mut sites = claim.goals.iter().filter(|goal| goal.reachable);
            met = sites.find(|goal| goal.site.is_of(&task.goal)).map(|goal| goal.site.clone());
        }
        match met {
            None if task.want_certificate => {
                let budget = ctx.for_evidence().budget;
                match invariants::certificate(fixpoint, &task.goal, &budget) {
                    Ok(certificate) => claim.certificate = Some(certificate),
                    Err(limit) => claim.lacks = Some(Reason::Exhausted(limit)),
                }
            }
            None => {}
            Some(site) if !task.want_trace => {
                claim.answer = Verdict::Unsafe(Reached { site, trace: None })
            }
            Some(site) => match self.trace_to(fixpoint, &task.goal, ctx, may_grow) {
                Ok((site, trace)) => {
                    let trace = if self.fold { trace } else { trace.readable() };
                    claim.reaches(site, Ok(trace));
                }
                Err(limit) => claim.reaches(site, Err(Reason::Exhausted(limit))),
            },
        }
        claim
    }

    /// A trace to the goal, which is known to be reachable: a shortest one if it is found in the time that better
    /// evidence is worth, else any.
    fn trace_to(
        &self,
        fixpoint: &mut Fixpoint<'_>,
        goal: &Goal,
        ctx: &RunCtx,
        may_grow: bool,
    ) -> Result<(GoalSite, Trace), Exhausted> {
        if self.shortest {
            let quick = ctx.for_better_evidence(ctx.start.elapsed()).budget;
            let found = read_off(fixpoint, goal, &quick, |past, initial| {
                let mut rings = Rings::new(past);
                let met = rings.search(initial, goal, &quick)?;
                assert!(met.is_some() || rings.too_late, "the fixpoint has met the goal");
                Ok(met)
            });
            match found {
                Ok(Some(shortest)) => return Ok(shortest),
                // In a larger manager or another order there may be a shortest one.
                Err(limit @ Exhausted::Nodes(_)) if may_grow => return Err(limit),
                _ => {}
            }
        }
        let budget = ctx.for_evidence().budget;
        let any = read_off(fixpoint, goal, &budget, |past, initial| {
            Sweep::new(past).search(&initial, goal, &budget)
        })?;
        Ok(any.expect("the fixpoint has met the goal"))
    }
}

/// A trace by the rings of a search that starts with the initial states; `None` if it does not meet the goal.
fn read_off<'a>(
    fixpoint: &mut Fixpoint<'a>,
    goal: &Goal,
    budget: &Budget,
    search: impl FnOnce(&mut Past<'a, '_>, Dd) -> Result<Option<Met>, Exhausted>,
) -> Result<Option<(GoalSite, Trace)>, Exhausted> {
    let initial = fixpoint.initial()?;
    let carried = fixpoint.carried(initial.clone())?;
    let live = fixpoint.graph.live();
    let Fixpoint { enc, graph, calls, .. } = fixpoint;
    let mut past = Past::new(live, enc, &mut graph.transfers, calls);
    let Some(met) = search(&mut past, carried)? else { return Ok(None) };
    let mut meter = budget.meter(256);
    let outline = backtrack(&mut past, met, &mut meter)?;
    let at = outline.stops.last().expect("a trace ends at the goal").at;
    let site = match (met.assert, goal) {
        (Some(edge), _) => GoalSite::Assert(EdgeRef { proc: at.proc, edge }),
        (None, Goal::Label(name)) => GoalSite::Label(at, name.clone()),
        (None, Goal::Assert) => unreachable!("an assertion was asked for"),
    };
    Ok(Some((site, concretize(enc, &initial, &outline, live, &mut meter)?)))
}

/// What is known of the program before the fixpoint starts.
struct Analyses {
    live: Live,
    modref: ModRef,
}

impl Analyses {
    fn of(program: &Program, options: &Bdd) -> Self {
        let effects = Effects::of(program, Reading::DataFlow);
        let calls = CallGraph::of(program);
        let modref = if options.modref {
            ModRef::of(program, &effects, &calls, Follow::Calls)
        } else {
            ModRef::everything(program)
        };
        let live = if options.liveness {
            Live::framed(program, &effects, &calls, &modref)
        } else {
            Live::everything(program)
        };
        Analyses { live, modref }
    }
}
