//! A cover of product states as a certificate: its states one by one, as far as they are few.
//!
//! The search leaps over states that concern nobody, and a certificate has to be closed under every
//! step. So the states of the products are where an enumerative search goes on from, which adds what
//! lies between them. What it makes is closed whatever the symbolic search has done.

use crate::counted::counters::{self, LocalId, multisets};
use crate::counted::inline::{Context, Contexts, Local};
use crate::cover::certificate;
use crate::cover::counts::{Counts, OMEGA};
use crate::cover::km::{Forward, Until};
use crate::cover::programs::{ProgramSystem, to_local};
use crate::cover::system::{State, System};
use hardbop_base::{Bits, Exhausted};
use hardbop_dd::{Dd, Level};
use hardbop_engine::{Claim, Reason, RunCtx, Task, Verdict};

use crate::cover_symbolic::km_search::KmSearch;
use crate::cover_symbolic::omega::OmegaState;
use crate::symbolic::layout::Copy;
use crate::symbolic::template::{Pc, Template};

/// States to begin with, and states in all. Beyond them a safe answer stands without a certificate.
const MOST_SEEDS: usize = 20_000;
const MOST_NODES: usize = 100_000;

/// Gives a safe claim its certificate, unless there are too many states or its share of the time is up.
pub fn prove(claim: &mut Claim, search: &KmSearch<'_>, task: &Task<'_>, ctx: &RunCtx) {
    match closed(search, task, Until::FirstTarget, &ctx.for_evidence()) {
        Err(limit) => claim.lacks = Some(Reason::Exhausted(limit)),
        Ok((system, forward)) if forward.covered.iter().all(Option::is_none) => {
            claim.certificate = certificate::cover(&system, task, &forward.cover());
        }
        // Soundness: one of two searches is wrong, so nothing is known.
        Ok(_) => {
            let why = "the states of the certificate reach a goal that the search has not reached";
            claim.answer = Verdict::Unknown(Reason::Internal(why.into()));
        }
    }
}

/// The states of the products, and what comes of them step by step.
pub fn closed<'t>(
    search: &KmSearch<'_>,
    task: &Task<'t>,
    until: Until,
    ctx: &RunCtx,
) -> Result<(ProgramSystem<'t>, Forward), Exhausted> {
    let mut system = ProgramSystem::new(task);
    let mut forward = Forward::new(system.targets());
    forward.max_nodes = MOST_NODES;
    let mut n_seeds = 0;
    for product in search.maximal.iter() {
        ctx.budget.check()?;
        let mut one = One { search, system: &mut system, most: MOST_SEEDS - n_seeds };
        let states = one.states(product)?;
        n_seeds += states.len();
        states.into_iter().for_each(|state| forward.seed(state));
    }
    forward.explore(&mut system, until, ctx)?;
    Ok((system, forward))
}

/// A product on its way to states.
struct One<'s, 'a, 't> {
    search: &'s KmSearch<'a>,
    system: &'s mut ProgramSystem<'t>,
    /// More states are not wanted.
    most: usize,
}

impl One<'_, '_, '_> {
    fn states(&mut self, product: &OmegaState) -> Result<Vec<State>, Exhausted> {
        let template = &self.search.moves.template;
        let mut counts = vec![Counts::new()];
        for local in self.threads(product.omega)? {
            counts[0].add(to_local(local), OMEGA);
        }
        for &(local, n) in &product.threads.counts {
            let options = self.threads(local)?;
            let mut longer = Vec::new();
            multisets(&options, n, &mut |chosen| {
                for before in &counts {
                    let mut after = before.clone();
                    chosen.iter().for_each(|&(local, n)| after.add(to_local(local), n));
                    longer.push(after);
                }
                allow(longer.len(), self.most)
            })?;
            counts = longer;
        }
        let holders = match product.threads.holder {
            Some(holder) => self.threads(holder)?.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut states = Vec::new();
        for shared in points(template, &product.shared, &template.live_shared(), self.most)? {
            let shared = self.system.explorer.shared_id(&shared);
            for &holder in &holders {
                for counts in &counts {
                    states.push(self.system.state(shared, holder, counts.clone()));
                }
                allow(states.len(), self.most)?;
            }
        }
        Ok(states)
    }

    /// The thread states of a set.
    fn threads(&mut self, local: LocalId) -> Result<Vec<counters::LocalId>, Exhausted> {
        let template = &self.search.moves.template;
        let n_shared = template.program.n_shared();
        let mut all = Vec::new();
        for (pc, values) in self.search.moves.sets.get(local).iter() {
            let live = template.live(*pc).from(n_shared);
            for values in points(template, values, &live, self.most)? {
                let local = self.thread(*pc, values);
                all.push(self.system.explorer.local_id(&local));
            }
        }
        all.sort_unstable();
        Ok(all)
    }

    fn thread(&mut self, pc: Pc, values: Bits) -> Local {
        let template = &self.search.moves.template;
        let (context, loc) = template.place(pc);
        let contexts = &mut self.system.explorer.threads.contexts;
        Local { context: same_context(&template.contexts, context, contexts), loc, values }
    }
}

/// The chain of calls in another table.
fn same_context(from: &Contexts<'_>, context: Context, to: &mut Contexts<'_>) -> Context {
    match from.caller(context) {
        None => to.root(from.proc(context)),
        Some((below, edge)) => {
            let below = same_context(from, below, to);
            to.call(below, edge, from.proc(context))
        }
    }
}

/// The positions that are true, for every point of a set.
fn points(
    template: &Template<'_>,
    set: &Dd,
    positions: &Bits,
    most: usize,
) -> Result<Vec<Bits>, Exhausted> {
    let dd = template.dd;
    let level = |position| template.layout.level(position, Copy::Now);
    let mut positions: Vec<(Level, usize)> = positions.iter().map(|p| (level(p), p)).collect();
    positions.sort_unstable();
    // Level by level: what is left of the set, and what was chosen on the way.
    let mut all = vec![(set.clone(), Bits::new())];
    for (level, position) in positions {
        let mut longer = Vec::with_capacity(all.len());
        for (rest, values) in all {
            let (high, low) = match dd.split(&rest) {
                Some((top, high, low)) if top == level => (high, low),
                _ => (rest.clone(), rest),
            };
            if !dd.is_false(&high) {
                let mut values = values.clone();
                values.insert(position);
                longer.push((high, values));
            }
            if !dd.is_false(&low) {
                longer.push((low, values));
            }
        }
        allow(longer.len(), most)?;
        all = longer;
    }
    Ok(all.into_iter().map(|(_, values)| values).collect())
}

fn allow(n: usize, most: usize) -> Result<(), Exhausted> {
    if n <= most { Ok(()) } else { Err(Exhausted::States(most as u64)) }
}
