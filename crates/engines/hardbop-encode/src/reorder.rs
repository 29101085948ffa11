//! A better variable order for diagrams that have outgrown their manager.
//!
//! The order of a manager is fixed, so a run that grows is begun again in another one. Which one is found by
//! a sample of what it had: the static orders are tried on it, and where none is better its own is sifted, the three
//! copies of a slot as one group.
//!
//! [`Patience`] says when: a run may have few nodes first. Where they do not do and no better order is found, it may
//! have eight times as many; so all runs that were begun in vain take a fraction of the time of the last one.

use hardbop_base::{Exhausted, Idx};
use hardbop_cfg::{Program, VarId};
use hardbop_dd::{Dd, Level, Limits, Manager};
use hardbop_engine::{Claim, Order, Reason, RunCtx, Verdict};

use crate::limits::{limits_now, limits_of};
use crate::slots::Slots;

/// Nodes of a sample, at most.
const SAMPLE_NODES: usize = 30_000;

/// Nodes that sifting looks at, at most: about as long as it takes to fill a first manager.
const SIFTING: u64 = 1 << 22;

/// Orders that are found for a manager of one size, at most.
const ORDERS_A_SIZE: u32 = 3;

/// Nodes of the first manager.
pub const FIRST_NODES: usize = 1 << 18;

/// Runs with growing managers and changing orders until one of them ends.
#[derive(Debug)]
pub struct Patience {
    /// What a manager may have at most.
    all: Limits,
    /// What the next one may have.
    nodes: usize,
    /// The order of the next run.
    slots: Slots,
    /// The usual order, if the first run has another one: it goes before any that is found.
    usual: Option<Slots>,
    n_orders: u32,
    /// Of those, for managers of this size.
    n_orders_here: u32,
    /// What the best run so far has said, if it lacks evidence only.
    kept: Option<Claim>,
}

/// What a run is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub limits: Limits,
    /// There can be another run, with more nodes or another order.
    pub may_grow: bool,
    /// If it ends for want of nodes, it is to look for a better order.
    pub seeks_order: bool,
}

/// What a run has come to.
#[derive(Debug)]
pub struct Attempt {
    pub claim: Claim,
    /// A better order, if the run ended for want of nodes and one was found.
    pub better: Option<Slots>,
}

impl Allowance {
    /// What a run has come to, with the order that `find` finds, if it needs one.
    pub fn attempt(
        self,
        claim: Claim,
        ctx: &RunCtx,
        find: impl FnOnce() -> Option<Slots>,
    ) -> Attempt {
        let needs = self.seeks_order && wants_nodes(&claim) && ctx.budget.check().is_ok();
        Attempt { claim, better: if needs { find() } else { None } }
    }
}

impl Patience {
    pub fn new(ctx: &RunCtx, program: &Program, order: Order, first_nodes: usize) -> Self {
        let usual = (order != Order::Force).then(|| Slots::new(program, Order::Force));
        Patience { usual, ..Patience::in_order(ctx, Slots::new(program, order), first_nodes) }
    }

    /// To begin with an order that was found.
    pub fn in_order(ctx: &RunCtx, slots: Slots, first_nodes: usize) -> Self {
        let all = limits_of(ctx);
        let nodes = first_nodes.min(all.nodes);
        Patience { all, nodes, slots, usual: None, n_orders: 0, n_orders_here: 0, kept: None }
    }

    /// The order of the first run.
    pub fn first(&self) -> &Slots {
        &self.slots
    }

    /// The claim of the first run that is not stopped by its nodes.
    pub fn run(
        mut self,
        ctx: &RunCtx,
        mut attempt: impl FnMut(&Slots, Allowance) -> Attempt,
    ) -> Claim {
        loop {
            let limits = limits_now(self.all.with_nodes(self.nodes), ctx);
            let may_grow = self.nodes < self.all.nodes;
            let seeks_order = may_grow && self.usual.is_none();
            let allowance = Allowance { limits, may_grow, seeks_order };
            let Attempt { mut claim, better } = attempt(&self.slots, allowance);
            if self.n_orders > 0 {
                claim.stats.set("orders", u64::from(self.n_orders) + 1);
            }
            let over = ctx.budget.check().err();
            if !wants_nodes(&claim) || !may_grow || over.is_some() {
                if let (Verdict::Unknown(reason), Some(limit), true) =
                    (&mut claim.answer, over, may_grow)
                    && is_nodes(reason)
                {
                    // More nodes were to be had: it is not for want of them that there is no answer.
                    *reason = Reason::Exhausted(limit);
                }
                return match self.kept {
                    Some(kept) if matches!(claim.answer, Verdict::Unknown(_)) => kept,
                    _ => claim,
                };
            }
            if !matches!(claim.answer, Verdict::Unknown(_)) {
                self.kept = Some(claim);
            }
            match self.usual.take().or(better) {
                Some(better) if self.n_orders_here < ORDERS_A_SIZE => {
                    (self.n_orders, self.n_orders_here) =
                        (self.n_orders + 1, self.n_orders_here + 1);
                    self.slots = better;
                }
                _ => {
                    self.nodes = self.nodes.saturating_mul(8).min(self.all.nodes);
                    self.n_orders_here = 0;
                }
            }
        }
    }
}

/// Whether a run was stopped, or its evidence lost, for want of nodes.
fn wants_nodes(claim: &Claim) -> bool {
    match &claim.answer {
        Verdict::Unknown(reason) => is_nodes(reason),
        _ => claim.lacks.as_ref().is_some_and(is_nodes),
    }
}

fn is_nodes(reason: &Reason) -> bool {
    matches!(reason, Reason::Exhausted(Exhausted::Nodes(_)))
}

/// What the levels of a manager stand for, given an order of the slots.
pub trait Arrangement {
    fn n_levels(&self, slots: &Slots) -> usize;

    /// Where each level goes when the order changes.
    fn moved(&self, from: &Slots, to: &Slots) -> Vec<Level>;

    /// All levels from the top, in groups that stay together: how many they are, and the slot whose place in the order
    /// decides on theirs, if one does.
    fn groups(&self, slots: &Slots) -> Vec<(usize, Option<VarId>)>;
}

/// The levels of the slots and no others.
#[derive(Clone, Copy, Debug)]
pub struct OfSlots;

impl Arrangement for OfSlots {
    fn n_levels(&self, slots: &Slots) -> usize {
        slots.n_levels()
    }

    fn moved(&self, from: &Slots, to: &Slots) -> Vec<Level> {
        let place = |level| {
            let (var, moment) = from.meaning(Level::new(level));
            to.level(var, moment)
        };
        (0..from.n_levels()).map(place).collect()
    }

    fn groups(&self, slots: &Slots) -> Vec<(usize, Option<VarId>)> {
        slots.order().iter().map(|&var| (3, Some(var))).collect()
    }
}

/// An order of the slots in which functions like these are clearly smaller.
pub fn better(
    program: &Program,
    arrangement: &impl Arrangement,
    slots: &Slots,
    dd: &Manager,
    functions: Vec<Dd>,
) -> Option<Slots> {
    let sample = sample(dd, functions);
    let now = dd.forest(&sample).n_nodes();
    if now == 0 {
        return None;
    }
    // On the way to another order all functions of all nodes are made.
    let room = Limits { nodes: 16 * now + 1000, ..Limits::NORMAL };
    let is_clear_gain = |candidate: &Slots| {
        let other = Manager::new(arrangement.n_levels(candidate), room);
        let place = arrangement.moved(slots, candidate);
        let moved = other.import(dd, &sample, |level: Level| place[level.index()]);
        moved.is_ok_and(|moved| other.forest(&moved).n_nodes() * 4 <= now * 3)
    };
    // A static order knows of variables that the sample does not, so it goes before one that is made for the sample.
    for order in [Order::Force, Order::Declared] {
        let candidate = Slots::new(program, order);
        if candidate.order() != slots.order() && is_clear_gain(&candidate) {
            return Some(candidate);
        }
    }
    let groups = arrangement.groups(slots);
    let sizes: Vec<usize> = groups.iter().map(|&(n_levels, _)| n_levels).collect();
    let sifted = dd.forest(&sample).sift(&sizes, SIFTING);
    let order: Vec<VarId> = sifted.into_iter().filter_map(|group| groups[group].1).collect();
    // Where groups cannot stand as freely as they were sifted, less may be gained.
    Some(Slots::of_order(order)).filter(is_clear_gain)
}

/// As many of the functions as a sample may have, the largest of those that fit first.
fn sample(dd: &Manager, functions: Vec<Dd>) -> Vec<Dd> {
    let mut sized: Vec<(usize, Dd)> =
        functions.into_iter().map(|f| (dd.node_count(&f), f)).collect();
    sized.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
    let mut room = SAMPLE_NODES;
    let mut chosen = Vec::new();
    let smallest = sized.iter().rev().find(|(nodes, _)| *nodes > SAMPLE_NODES).cloned();
    for (nodes, f) in sized {
        if nodes <= room && nodes > 0 {
            room -= nodes;
            chosen.push(f);
        }
    }
    // A few small ones say nothing of what has grown.
    if room > SAMPLE_NODES / 2 {
        chosen.extend(smallest.map(|(_, f)| f));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hardbop_base::{Budget, Exhausted};
    use hardbop_engine::{Claim, Order, Reason, RunCtx, Verdict};

    use super::{Attempt, Patience};

    const PROGRAM: &str = "hardbop-cfg 1\nshared g\nmain m\nproc m()\nentry l1\nexit l0\nloc l0\nloc l1\n\
                           l1 -> l0: assume g\nend\n";

    /// A run that has used up the nodes of a first, small manager when the time is up: with more time it would have
    /// got more of them.
    #[test]
    fn nodes_that_could_be_had_are_not_blamed() {
        let program = hardbop_cfg::text::read(PROGRAM).unwrap();
        let ctx = RunCtx::new(Budget::unlimited().with_time(Duration::ZERO));
        let claim = Patience::new(&ctx, &program, Order::Force, 10).run(&ctx, |_, allowance| {
            let full = Exhausted::Nodes(allowance.limits.nodes);
            Attempt { claim: Claim::new(Verdict::Unknown(Reason::Exhausted(full))), better: None }
        });
        let reason = claim.answer.reason().unwrap();
        assert!(matches!(reason, Reason::Exhausted(Exhausted::Time(_))), "{reason:?}");
    }
}
