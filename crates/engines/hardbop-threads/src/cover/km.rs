//! Forward coverability: the tree of Karp and Miller, over the states that come up.
//!
//! **Computes** a finite set of ω-states whose downward closure is the set of states that can be
//! covered (BOOM algorithm 8.1, explicit). A new state that is larger than one of its ancestors with the
//! same control can grow for ever: ω where it is larger.
//!
//! **Invariant.** For every node that is looked at and every rule, some node covers the result; a node is
//! only left out if a larger one is there. So the set of all nodes, downward closed, contains the initial
//! states and is closed under steps: nothing is missed. Nodes are never removed from the tree, only from
//! the list of those to be looked at: the pruning of subtrees that makes naive minimal coverability trees
//! incomplete does not happen.
//!
//! **Departures.** Accelerations are remembered with what they need and applied to every later state of
//! the same control, as MinCov does (Finkel, Haddad, Khmelnitsky, FoSSaCS 2020): one branch's ω is found
//! again in another without walking the loop once more. Only maximal nodes are compared with.
//!
//! **Limits.** A broadcast moves what was gained elsewhere, so a loop that contains one is not
//! accelerated. What is found then is right, but the search need not end.
//!
//! Read [`Forward::explore`], [`Forward::add`], [`Forward::accelerate`].

use std::collections::VecDeque;

use hardbop_base::budget::Meter;
use hardbop_base::{Exhausted, Idx, define_id};
use hardbop_engine::RunCtx;
use rustc_hash::FxHashMap;

use crate::cover::antichain::{Antichain, Keep};
use crate::cover::board::Reporter;
use crate::cover::counts::{Counts, LocalId, OMEGA};
use crate::cover::system::{ControlId, Rule, State, System, post};

define_id!(
    /// A node of the tree.
    NodeId, "n"
);
define_id!(
    /// A remembered acceleration.
    AccelId, "a"
);

/// The tree.
#[derive(Debug)]
pub struct Forward {
    pub(crate) nodes: Vec<Node>,
    pub(crate) accels: Vec<Accel>,
    by_control: FxHashMap<ControlId, Vec<AccelId>>,
    maximal: Antichain,
    work: VecDeque<NodeId>,
    targets: Vec<State>,
    /// More nodes are not made.
    pub max_nodes: usize,
    /// For each target, a node that covers it.
    pub covered: Vec<Option<NodeId>>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub state: State,
    pub parent: Option<NodeId>,
    /// The nearest ancestor with the same control state.
    same: Option<NodeId>,
    /// How the state came from its parent's: a rule (none for initial states), then accelerations.
    pub rule: Option<Rule>,
    pub accels: Vec<AccelId>,
    /// Rules with a transfer on the way from the root.
    n_transfers: u32,
    /// A larger node was found before this one was looked at.
    redundant: bool,
}

/// A loop that can be repeated: from a state with `pre` on, `gain` grows without bound.
#[derive(Debug)]
pub(crate) struct Accel {
    pub pre: Counts,
    pub gain: Vec<LocalId>,
    /// The loop is the way from this node ...
    pub from: NodeId,
    /// ... to this one, with so many of its accelerations.
    pub to: NodeId,
    pub n_accels: usize,
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    FirstTarget,
    Everything,
}

/// Accelerations tried on each new state of a control state.
const REMEMBERED: usize = 256;

impl Forward {
    pub fn new(targets: Vec<State>) -> Self {
        Forward {
            nodes: Vec::new(),
            accels: Vec::new(),
            by_control: FxHashMap::default(),
            maximal: Antichain::new(Keep::Largest),
            work: VecDeque::new(),
            covered: vec![None; targets.len()],
            targets,
            max_nodes: usize::MAX,
        }
    }

    pub fn explore(
        &mut self,
        system: &mut dyn System,
        until: Until,
        ctx: &RunCtx,
    ) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(256);
        let mut reporter = Reporter::of(ctx);
        for state in system.initial(&mut meter)? {
            self.add(None, None, state);
        }
        while let Some(id) = self.work.pop_back() {
            if until == Until::FirstTarget && self.covered.iter().any(|it| it.is_some()) {
                break;
            }
            if self.nodes[id.index()].redundant {
                continue;
            }
            meter.tick()?;
            ctx.progress.set_found(self.nodes.len() as u64);
            ctx.progress.set_waiting(self.work.len() as u64);
            if let Some(reporter) = &mut reporter {
                reporter.note(system, &self.nodes[id.index()].state);
            }
            self.expand(system, id, &mut meter)?;
            if self.nodes.len() > self.max_nodes {
                return Err(Exhausted::States(self.max_nodes as u64));
            }
        }
        Ok(())
    }

    /// Adds a state that is known to be coverable, beside the initial ones.
    pub fn seed(&mut self, state: State) {
        self.add(None, None, state);
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub fn n_accels(&self) -> usize {
        self.accels.len()
    }

    /// The maximal states found; all that can be covered is below them once the search has ended.
    pub fn cover(&self) -> Vec<&State> {
        let all = self.maximal.numbers();
        all.into_iter().map(|number| &self.nodes[number as usize].state).collect()
    }

    fn expand(
        &mut self,
        system: &mut dyn System,
        id: NodeId,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        let State { control, counts } = self.nodes[id.index()].state.clone();
        for anchor in std::iter::once(None).chain(counts.locals().map(Some)) {
            for rule in system.rules(control, anchor, meter)?.iter() {
                meter.tick()?;
                for after in post(system, &counts, rule, meter)? {
                    let state = State { control: rule.to, counts: after };
                    self.add(Some(id), Some(rule), state);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, parent: Option<NodeId>, rule: Option<&Rule>, mut state: State) {
        if self.maximal.find(state.control, &state.counts).is_some() {
            return;
        }
        let id = NodeId::new(self.nodes.len());
        let ancestors = std::iter::successors(parent, |at| self.nodes[at.index()].parent);
        let has_same = |at: &NodeId| self.nodes[at.index()].state.control == state.control;
        let same = ancestors.into_iter().find(has_same);
        let before = parent.map_or(0, |parent| self.nodes[parent.index()].n_transfers);
        let transfers = rule.is_some_and(|rule| rule.transfer.is_some());
        self.nodes.push(Node {
            state: state.clone(),
            parent,
            same,
            rule: rule.cloned(),
            accels: Vec::new(),
            n_transfers: before + u32::from(transfers),
            redundant: false,
        });
        while self.accelerate(id, &mut state) {}
        self.nodes[id.index()].state = state.clone();
        for redundant in self.maximal.insert(state.control, &state.counts, id.as_u32()) {
            self.nodes[redundant as usize].redundant = true;
        }
        for (target, covered) in self.targets.iter().zip(&mut self.covered) {
            if covered.is_none() && state.covers(target) {
                *covered = Some(id);
            }
        }
        self.work.push_back(id);
    }

    /// Puts ω where the state can grow; returns whether it did.
    fn accelerate(&mut self, id: NodeId, state: &mut State) -> bool {
        let mut changed = false;
        for &accel in self.by_control.get(&state.control).into_iter().flatten() {
            let Accel { pre, gain, .. } = &self.accels[accel.index()];
            if gain.iter().any(|&local| state.counts.get(local) != OMEGA)
                && state.counts.covers(pre)
            {
                gain.iter().for_each(|&local| state.counts.set(local, OMEGA));
                self.nodes[id.index()].accels.push(accel);
                changed = true;
            }
        }
        let mut at = self.nodes[id.index()].same;
        while let Some(ancestor) = at {
            let node = &self.nodes[ancestor.index()];
            // Soundness: what a broadcast moves does not grow where it was gained.
            if node.n_transfers != self.nodes[id.index()].n_transfers {
                break;
            }
            at = node.same;
            if !state.counts.covers(&node.state.counts) {
                continue;
            }
            let old = &node.state.counts;
            let grown = state.counts.iter().filter(|&(local, n)| n > old.get(local));
            let gain: Vec<LocalId> = grown.map(|(local, _)| local).collect();
            if gain.iter().all(|&local| state.counts.get(local) == OMEGA) {
                continue;
            }
            let n_accels = self.nodes[id.index()].accels.len();
            let pre = self.need_of_loop(ancestor, id);
            gain.iter().for_each(|&local| state.counts.set(local, OMEGA));
            let accel = AccelId::new(self.accels.len());
            self.accels.push(Accel { pre, gain, from: ancestor, to: id, n_accels });
            self.nodes[id.index()].accels.push(accel);
            let known = self.by_control.entry(state.control).or_default();
            if known.len() < REMEMBERED {
                known.push(accel);
            }
            changed = true;
        }
        changed
    }

    /// What the way from `from` to `to` needs so that it can be repeated: ω where it loses.
    fn need_of_loop(&self, from: NodeId, to: NodeId) -> Counts {
        let mut need = Counts::new();
        let mut effect: FxHashMap<LocalId, i64> = FxHashMap::default();
        let mut gained: Vec<LocalId> = Vec::new();
        let mut at = to;
        while at != from {
            let node = &self.nodes[at.index()];
            for &accel in node.accels.iter().rev() {
                let Accel { pre, gain, .. } = &self.accels[accel.index()];
                gain.iter().for_each(|&local| need.set(local, 0));
                gained.extend(gain);
                need.raise_to(pre);
            }
            if let Some(rule) = &node.rule {
                need.subtract_all(&rule.put);
                need.add_all(&rule.take);
                for (local, n) in rule.put.iter() {
                    *effect.entry(local).or_default() += i64::from(n);
                }
                for (local, n) in rule.take.iter() {
                    *effect.entry(local).or_default() -= i64::from(n);
                }
            }
            at = node.parent.expect("`from` is an ancestor");
        }
        for (&local, &effect) in &effect {
            if effect < 0 && !gained.contains(&local) {
                need.set(local, OMEGA);
            }
        }
        need
    }
}
