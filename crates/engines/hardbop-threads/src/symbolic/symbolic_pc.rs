//! The engine `symbolic-pc`: at most N identified threads, places and values in one diagram.
//!
//! BOOM section 10.2 compares this with explicit places and finds it slower by orders of magnitude;
//! it is here for that comparison, and because it is so simple. The search is in
//! [`pc_search`](crate::symbolic::pc_search).
//!
//! **Limits.** No recursion, no broadcast assignments.

use crate::counted::counter_explicit::bounds;
use crate::counted::inline::check_inlinable;
use hardbop_dd::{Manager, with_stack_for};
use hardbop_encode::reorder::{Allowance, Attempt, FIRST_NODES, better};
use hardbop_encode::slots::Slots;
use hardbop_engine::{Claim, Engine, Reason, RunCtx, Task, Verdict};

use crate::symbolic::arrangement::Arranged;
use crate::symbolic::layout::check_levels;
use crate::symbolic::pc_bits::{PcBits, count_places};
use crate::symbolic::pc_search::PcSearch;
use crate::symbolic::run::{claim_of, out_of_nodes, patiently, reach, trace_to};
use crate::symbolic::template::Template;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct SymbolicPc;

/// More places than this are refused: one relation for all of them would never be built.
const MOST_PLACES: usize = 1 << 16;

impl Engine for SymbolicPc {
    fn name(&self) -> &'static str {
        "symbolic-pc"
    }

    fn about(&self) -> &'static str {
        "threads up to a bound, no recursion: one diagram for places and values of all threads"
    }

    fn accepts(&self, task: &Task<'_>) -> Result<(), String> {
        let (bound, _) = bounds(task)?;
        check_inlinable(task.program)?;
        if task.program.has_broadcasts() {
            return Err("broadcast assignments (`x$ := e`) are for the engine `symbolic`".into());
        }
        check_levels(task.program, bound as usize)
    }

    fn check(&self, task: &Task<'_>, ctx: &RunCtx) -> Claim {
        check_from(task, ctx, FIRST_NODES)
    }
}

/// What the engine says if its first manager has so many nodes: with few of them it is begun again and again, with another order or
/// more of them.
pub fn check_from(task: &Task<'_>, ctx: &RunCtx, first_nodes: usize) -> Claim {
    claim_of(task, ctx, |bound, initial| {
        let Some(n_places) = count_places(task.program, MOST_PLACES) else {
            let why = format!("more than {MOST_PLACES} locations when calls are inlined");
            return Claim::unknown(Reason::Unsupported(why));
        };
        let run = Run { task, ctx, bound, initial, n_places };
        patiently(task, ctx, first_nodes, |slots, allowed| run.attempt(slots, allowed))
    })
}

struct Run<'r, 'a> {
    task: &'r Task<'a>,
    ctx: &'r RunCtx,
    bound: u32,
    initial: u32,
    n_places: usize,
}

impl Run<'_, '_> {
    /// With one variable order.
    fn attempt(&self, slots: &Slots, allowed: Allowance) -> Attempt {
        let &Run { task, ctx, bound, initial, n_places } = self;
        let (program, n_threads) = (task.program, bound as usize);
        let n_above = PcBits::n_levels(n_threads, n_places);
        let arranged = Arranged::Together { program, n_threads, n_above };
        let layout = arranged.layout(slots);
        let dd = Manager::new(layout.n_levels(), allowed.limits);
        with_stack_for(layout.n_levels(), || {
            let template = Template::new(program, &dd, slots, &layout);
            let mut search = PcSearch::new(template, PcBits::new(&layout, n_places));
            let outcome = search
                .start(initial as usize, ctx)
                .and_then(|first| search.run(first, &task.goal, task.exhaustive, ctx));
            let mut claim = Claim::new(Verdict::Safe);
            claim.stats.set("rings", search.kept.rings.len() as u64);
            claim.stats.set("dd_nodes", dd.n_nodes() as u64);
            if let Err(exhausted) = outcome {
                claim.answer = Verdict::Unknown(Reason::Exhausted(exhausted));
            } else if task.exhaustive {
                claim.goals = search.reached.statuses(program);
            }
            // A goal found before the budget ran out is found all the same.
            if let Some(found) = search.found.take() {
                let PcSearch { template, kept, .. } = &mut search;
                reach(&mut claim, task, found.site, |site| {
                    let ctx = &ctx.for_evidence();
                    let last = kept.pick_any(template, &found.states).map_err(out_of_nodes)?;
                    trace_to(template, kept, bound, (last, found.culprit), site, ctx)
                });
            }
            allowed.attempt(claim, ctx, || {
                let rings = search.kept.rings.iter().chain([&search.states]).cloned().collect();
                better(program, &arranged, slots, &dd, rings)
            })
        })
    }
}
