//! The engine `counter`: at most N threads, by symbolic counter abstraction.
//!
//! BOOM chapter 7. The search is in [`counter_search`](crate::symbolic::counter_search), where it is also said
//! why products of sets stay exact. A goal becomes a trace by [`backtrack`](crate::symbolic::backtrack) and
//! [`concretize`](crate::symbolic::concretize).
//!
//! **Limits.** No recursion. A program that ties many locals to shared variables falls into many
//! products; `symbolic` keeps such ties in one diagram.

use crate::counted::counter_explicit::bounds;
use crate::counted::explore::AtBound;
use crate::counted::inline::check_inlinable;
use crate::counted::por::Por;
use hardbop_base::Exhausted;
use hardbop_dd::{Dd, Manager, OutOfNodes, with_stack_for};
use hardbop_encode::reorder::{Allowance, Attempt, FIRST_NODES, better};
use hardbop_encode::slots::Slots;
use hardbop_engine::{Claim, Engine, GoalSite, Reached, Reason, Reduction, RunCtx, Task, Verdict};
use hardbop_evidence::{Event, Trace};

use crate::symbolic::arrangement::Arranged;
use crate::symbolic::counter_rings::CounterRings;
use crate::symbolic::counter_search::{CounterSearch, Way, Witness};
use crate::symbolic::layout::check_levels;
use crate::symbolic::run::{claim_of, out_of_nodes, patiently, reach, trace_to};
use crate::symbolic::set_moves::SetMoves;
use crate::symbolic::template::Template;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counter;

impl Engine for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn about(&self) -> &'static str {
        "threads up to a bound, no recursion: counts threads in equal sets of states"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        bounds(task)?;
        check_inlinable(task.program)?;
        check_levels(task.program, 1)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check_from(task, ctx, FIRST_NODES)
    }
}

/// What the engine says if its first manager has so many nodes: with few of them it is begun again and again, with another order or
/// more of them.
pub fn check_from(task: &Task<'_>, ctx: &RunCtx, first_nodes: usize) -> Claim {
    claim_of(task, ctx, |bound, initial| {
        patiently(task, ctx, first_nodes, |slots, allowed| {
            attempt(task, ctx, bound, initial, slots, allowed)
        })
    })
}

/// One run with one variable order.
fn attempt(
    task: &Task<'_>,
    ctx: &RunCtx,
    bound: u32,
    initial: u32,
    slots: &Slots,
    allowed: Allowance,
) -> Attempt {
    let arranged = Arranged::Apart(task.program);
    let layout = arranged.layout(slots);
    let dd = Manager::new(layout.n_levels(), allowed.limits);
    with_stack_for(layout.n_levels(), || {
        let template = || Template::new(task.program, &dd, slots, &layout);
        let claim = Claim::new(Verdict::Safe);
        let mut run = Run { task, ctx, bound, initial, claim, functions: Vec::new() };
        if task.reduction == Reduction::None && !task.program.has_broadcasts() {
            run.by_leaps(template);
        } else {
            run.by_steps(template());
        }
        let Run { mut claim, functions, .. } = run;
        claim.stats.set("dd_nodes", dd.n_nodes() as u64);
        allowed.attempt(claim, ctx, || better(task.program, &arranged, slots, &dd, functions))
    })
}

/// A run of the engine.
struct Run<'r, 'a> {
    task: &'r Task<'a>,
    ctx: &'r RunCtx,
    bound: u32,
    initial: u32,
    claim: Claim,
    /// What a search had when it ran out of nodes.
    functions: Vec<Dd>,
}

impl<'a> Run<'_, 'a> {
    /// Decides by leaps. Where there is a goal, a trace to it is looked for step by step before the
    /// rest is explored, if that is wanted.
    fn by_leaps<'d>(&mut self, template: impl Fn() -> Template<'d>)
    where
        'a: 'd,
    {
        let (bound, ctx) = (self.bound, self.ctx);
        let leaps =
            || CounterSearch::new(template(), bound, AtBound::Skip, Way::Leaps, &ctx.budget);
        let mut first = leaps();
        let outcome = self.search(&mut first, false, "states");
        let Some(site) = first.moves.found.take() else {
            return self.note(&first, outcome, self.task.exhaustive);
        };
        if self.task.want_trace {
            self.trace_to(site, first.moves.template);
        } else {
            self.claim.answer = Verdict::Unsafe(Reached { site, trace: None });
        }
        if self.task.exhaustive && matches!(self.claim.answer, Verdict::Unsafe(_)) {
            // If the budget ends here, a goal was found all the same.
            let mut all = leaps();
            let outcome = self.search(&mut all, true, "states");
            if outcome.is_ok() {
                self.note(&all, outcome, true);
            }
        }
    }

    /// A trace to a goal that leaps have reached at `site`, or to a nearer one.
    fn trace_to<'d>(&mut self, site: GoalSite, template: Template<'d>)
    where
        'a: 'd,
    {
        let ctx = self.ctx.for_evidence();
        let mut search = self.steps(template, &ctx);
        let outcome = self.search_within(&mut search, false, "trace_states", &ctx);
        let lost = "a goal that leaps reach is not reached by steps";
        self.claim.reaches(site, Err(Reason::of_lost(outcome, lost)));
        self.take_found(&mut search, &ctx);
    }

    fn by_steps<'d>(&mut self, template: Template<'d>)
    where
        'a: 'd,
    {
        let ctx = self.ctx;
        let exhaustive = self.task.exhaustive;
        let mut search = self.steps(template, ctx);
        let outcome = self.search(&mut search, exhaustive, "states");
        self.note(&search, outcome, exhaustive);
        // A goal found before the budget ran out is found all the same.
        self.take_found(&mut search, &ctx.for_evidence());
    }

    fn steps<'d>(&self, template: Template<'d>, ctx: &RunCtx) -> CounterSearch<'d>
    where
        'a: 'd,
    {
        let way = Way::Steps(Box::new(Por::of_task(self.task)));
        CounterSearch::new(template, self.bound, AtBound::Skip, way, &ctx.budget)
    }

    /// The goal that a search step by step has found, if it has.
    fn take_found(&mut self, search: &mut CounterSearch<'_>, ctx: &RunCtx) {
        let Some(site) = search.moves.found.take() else { return };
        let witness = search.witness.take().expect("a goal found by steps has a witness");
        reach(&mut self.claim, self.task, site, |site| {
            trace(search, &witness, site, self.bound, ctx)
        });
    }

    /// Explores, and notes numbers, that of states by the name given.
    fn search(
        &mut self,
        search: &mut CounterSearch<'_>,
        exhaustive: bool,
        states: &'static str,
    ) -> Result<(), Exhausted> {
        self.search_within(search, exhaustive, states, self.ctx)
    }

    fn search_within(
        &mut self,
        search: &mut CounterSearch<'_>,
        exhaustive: bool,
        states: &'static str,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let goal = &self.task.goal;
        let outcome = search
            .start(self.initial, goal)
            .and_then(|()| search.run(goal, exhaustive, self.task.want_trace, ctx));
        if matches!(outcome, Err(Exhausted::Nodes(_))) {
            self.functions = search.moves.sets.functions();
        }
        let stats = &mut self.claim.stats;
        stats.set(states, search.history.len() as u64);
        stats.set("thread_sets", search.moves.sets.len() as u64);
        stats.set("merged", search.history.n_merged);
        stats.set("subsumed", search.history.n_subsumed);
        outcome
    }

    /// Notes the limit that ended a search, or what it has reached if that is all there is.
    fn note(&mut self, search: &CounterSearch<'_>, outcome: Result<(), Exhausted>, is_all: bool) {
        match outcome {
            Err(exhausted) => self.claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted)),
            Ok(()) if is_all => self.claim.goals = search.moves.reached.statuses(self.task.program),
            Ok(()) => {}
        }
    }
}

/// A trace to the goal that a search step by step has found.
pub fn trace(
    search: &mut CounterSearch<'_>,
    witness: &Witness,
    site: &GoalSite,
    bound: u32,
    ctx: &RunCtx,
) -> Result<Trace, Reason> {
    let CounterSearch { moves: SetMoves { template, sets, .. }, history, rings, .. } = search;
    let rings = CounterRings::new(rings, history, sets);
    let guard = failing(template, &rings, witness, site).map_err(out_of_nodes)?;
    let last = rings.last(template, witness, &guard).map_err(out_of_nodes)?;
    trace_to(template, &rings, bound, last, site, ctx)
}

/// Where the assertion that was found fails; anywhere for a label.
fn failing(
    template: &mut Template<'_>,
    rings: &CounterRings<'_>,
    witness: &Witness,
    site: &GoalSite,
) -> Result<Dd, OutOfNodes> {
    let dd = template.dd;
    let mut guard = dd.one().clone();
    if let GoalSite::Assert(edge) = site {
        let steps = template.steps(rings.sets.only(witness.culprit).0)?;
        for step in steps.iter().filter(|step| step.event == Event::Violate(*edge)) {
            for part in step.relation.parts() {
                guard = dd.and(&guard, part)?;
            }
        }
    }
    Ok(guard)
}
