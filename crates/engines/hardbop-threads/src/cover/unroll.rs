//! From a node of the Karp–Miller tree to a run without ω.
//!
//! The way to the node is walked backward with what is needed so far. An acceleration stands for its
//! loop, repeated until what it gains is no longer needed: each round needs less of it.

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, Idx};
use hardbop_engine::RunCtx;

use crate::cover::counts::Counts;
use crate::cover::km::{AccelId, Forward, NodeId, Until};
use crate::cover::run::{Moved, Run, execute, pre};
use crate::cover::shorten::shorten;
use crate::cover::system::{Rule, State, System};

/// A run that covers `target` on the way to `node`, which covers it; `None` if it is too long to be
/// written down.
pub fn unroll(
    forward: &Forward,
    system: &mut dyn System,
    node: NodeId,
    target: &State,
    meter: &mut Meter<'_>,
) -> Result<Option<Run>, Exhausted> {
    let mut walk = Walk { forward, need: target.counts.clone(), steps: Vec::new() };
    let mut at = Some(node);
    let mut root = node;
    while let Some(id) = at {
        if !walk.node(id, usize::MAX, system, meter)? {
            return Ok(None);
        }
        root = id;
        at = forward.nodes[id.index()].parent;
    }
    walk.steps.reverse();
    let initial = system.begin(&forward.nodes[root.index()].state, &walk.need);
    let mut steps = walk.steps;
    if steps.iter().all(|(rule, _)| rule.transfer.is_none()) {
        let rules = steps.into_iter().map(|(rule, _)| rule).collect();
        steps = shorten(&initial, rules, target).into_iter().map(|it| (it, vec![])).collect();
    }
    execute(system, initial, steps, meter)
}

/// A run that covers a state, looked for forward; `None` if there is none, or none that can be written down.
pub fn run_to(
    system: &mut dyn System,
    target: &State,
    ctx: &RunCtx,
) -> Result<Option<Run>, Exhausted> {
    let mut forward = Forward::new(vec![target.clone()]);
    let explored = forward.explore(system, Until::FirstTarget, ctx);
    match forward.covered[0] {
        Some(node) => unroll(&forward, system, node, target, &mut ctx.budget.meter(256)),
        None => explored.map(|()| None),
    }
}

/// Longer runs help nobody.
const MOST_STEPS: usize = 200_000;

struct Walk<'f> {
    forward: &'f Forward,
    need: Counts,
    /// Last step first.
    steps: Vec<(Rule, Moved)>,
}

impl Walk<'_> {
    /// Backward over what made a node from its parent, with its first accelerations.
    fn node(
        &mut self,
        id: NodeId,
        n_accels: usize,
        system: &mut dyn System,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Exhausted> {
        meter.tick()?;
        let node = &self.forward.nodes[id.index()];
        for &accel in node.accels[..n_accels.min(node.accels.len())].iter().rev() {
            if !self.accel(accel, system, meter)? {
                return Ok(false);
            }
        }
        let (Some(rule), Some(parent)) = (&node.rule, node.parent) else { return Ok(true) };
        let before = &self.forward.nodes[parent.index()].state.counts;
        let mut options: Vec<(crate::cover::counts::LocalId, _)> = Vec::new();
        if let Some(transfer) = rule.transfer {
            for local in before.locals() {
                options.push((local, system.react(transfer, local, meter)?));
            }
        }
        let sources = |to| {
            options.iter().filter(|(_, all)| all.contains(&to)).map(|&(from, _)| from).collect()
        };
        let ways = pre(&self.need, rule, sources, meter)?;
        let way = ways.into_iter().find(|(need, _)| rule.transfer.is_none() || before.covers(need));
        let Some((need, moved)) = way else { return Ok(false) };
        self.need = need;
        self.steps.push((rule.clone(), moved));
        Ok(self.steps.len() <= MOST_STEPS)
    }

    fn accel(
        &mut self,
        id: AccelId,
        system: &mut dyn System,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Exhausted> {
        let accel = &self.forward.accels[id.index()];
        while accel.gain.iter().any(|&local| self.need.get(local) > accel.pre.get(local)) {
            let mut at = accel.to;
            let mut n_accels = accel.n_accels;
            while at != accel.from {
                if !self.node(at, n_accels, system, meter)? {
                    return Ok(false);
                }
                n_accels = usize::MAX;
                at = self.forward.nodes[at.index()].parent.expect("the loop begins at an ancestor");
            }
        }
        Ok(true)
    }
}
