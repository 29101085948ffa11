//! Several threads, at most so many alive: breadth-first search over whole configurations.
//!
//! **Computes** the reachable configurations up to the order of threads (they all run the same
//! program, and no step depends on a thread's number), nearest first: a step that executes a
//! statement counts one, a return none, so the queue has two ends. The first goal met is a nearest
//! one. Design section 2, items 7 to 11; `semantics::step` is the meaning.
//!
//! **Limits.** Stacks are part of configurations: with recursion the search need not end by
//! itself. The number of configurations is exponential in everything.

use std::collections::VecDeque;
use std::rc::Rc;

use hardbop_base::Exhausted;
use hardbop_base::budget::Meter;
use hardbop_cfg::{Action, EdgeRef, Goal};
use hardbop_engine::{GoalSite, RunCtx};
use hardbop_evidence::Event;
use rustc_hash::FxHashMap;

use crate::goals::{Reached, label_site};
use crate::semantics::{Bound, Config, Semantics};

/// A search: what was found, and how each configuration was reached.
#[derive(Debug)]
pub struct Search<'a> {
    semantics: &'a Semantics<'a>,
    pub bound: Bound,
    ids: FxHashMap<Rc<Config>, usize>,
    nodes: Vec<Node>,
    /// Nearest first.
    queue: VecDeque<usize>,
    pub reached: Reached,
    pub found: Option<Found>,
    /// Whether a `start_thread` met the bound.
    pub hit_bound: bool,
}

/// A configuration, in canonical form.
#[derive(Debug)]
struct Node {
    config: Rc<Config>,
    /// `None` for initial ones.
    parent: Option<usize>,
    /// Statements from the start; final once `done`.
    distance: u64,
    done: bool,
}

/// The nearest place where the goal is reached.
#[derive(Clone, Debug)]
pub struct Found {
    pub site: GoalSite,
    node: usize,
    /// Statements executed, a failing one included.
    pub n_statements: u64,
}

impl<'a> Search<'a> {
    pub fn new(semantics: &'a Semantics<'a>, bound: Bound) -> Self {
        Search {
            semantics,
            bound,
            ids: FxHashMap::default(),
            nodes: Vec::new(),
            queue: VecDeque::new(),
            reached: Reached::default(),
            found: None,
            hit_bound: false,
        }
    }

    /// Adds the initial configurations with so many threads.
    pub fn start(&mut self, n_threads: u32, ctx: &RunCtx) -> Result<(), Exhausted> {
        ctx.budget.check()?;
        let mut meter = ctx.budget.meter(256);
        for config in self.semantics.initial(n_threads, &mut meter)? {
            self.meet(config, None, 0, 0);
        }
        Ok(())
    }

    /// Explores up to the nearest goal, or everything.
    pub fn run(&mut self, goal: &Goal, exhaustive: bool, ctx: &RunCtx) -> Result<(), Exhausted> {
        let mut meter = ctx.budget.meter(64);
        while let Some(node) = self.queue.pop_front() {
            if std::mem::replace(&mut self.nodes[node].done, true) {
                continue;
            }
            meter.tick()?;
            ctx.progress.set_found(self.nodes.len() as u64);
            ctx.progress.set_waiting(self.queue.len() as u64);
            self.visit(node, goal, &mut meter)?;
            if self.found.is_some() && !exhaustive {
                break;
            }
        }
        Ok(())
    }

    pub fn n_states(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// The configurations of a nearest run to `found`, each with its distance.
    pub fn run_to(&self, found: &Found) -> Vec<(&Config, u64)> {
        let back = std::iter::successors(Some(found.node), |&node| self.nodes[node].parent);
        let mut run: Vec<_> =
            back.map(|node| (&*self.nodes[node].config, self.nodes[node].distance)).collect();
        run.reverse();
        run
    }

    fn visit(&mut self, node: usize, goal: &Goal, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let Node { ref config, distance, .. } = self.nodes[node];
        let config = config.clone();
        for thread in &config.threads {
            let at = thread.loc();
            if self.reached.locs.insert(at)
                && let Some(site) = label_site(self.semantics.program, goal, at)
            {
                self.reach(site, node, 0);
            }
        }
        for thread in 0..config.threads.len() {
            // Equal threads have equal steps, but the holder of the flag is like no other; while
            // it is held only the holder has any.
            let repeated = thread > 0 && config.threads[thread] == config.threads[thread - 1];
            if repeated && config.holder.is_none() {
                continue;
            }
            let steps = self.semantics.successors(&config, thread, self.bound, meter)?;
            self.hit_bound |= steps.hit_bound;
            for step in steps.successors {
                meter.tick()?;
                if let Event::Violate(edge) = step.event {
                    self.fail(edge, node, goal);
                } else {
                    let weight = step.weight();
                    self.meet(step.next.canonical(), Some(node), distance + weight, weight);
                }
            }
        }
        Ok(())
    }

    /// A way to a configuration: work if it is the first or a shorter one.
    fn meet(&mut self, config: Config, parent: Option<usize>, distance: u64, weight: u64) {
        let next = self.nodes.len();
        let config = Rc::new(config);
        let id = *self.ids.entry(config.clone()).or_insert(next);
        if id == next {
            self.nodes.push(Node { config, parent, distance, done: false });
        } else {
            let node = &mut self.nodes[id];
            if distance >= node.distance {
                return;
            }
            (node.parent, node.distance) = (parent, distance);
        }
        if weight == 0 && parent.is_some() {
            self.queue.push_front(id);
        } else {
            self.queue.push_back(id);
        }
    }

    fn fail(&mut self, edge: EdgeRef, node: usize, goal: &Goal) {
        debug_assert!(matches!(self.semantics.program.edge(edge).action, Action::Assert(_)));
        if self.reached.failed.insert(edge) && *goal == Goal::Assert {
            self.reach(GoalSite::Assert(edge), node, 1);
        }
    }

    /// Notes a place where the goal is reached: the first is the nearest.
    fn reach(&mut self, site: GoalSite, node: usize, last: u64) {
        if self.found.is_none() {
            let n_statements = self.nodes[node].distance + last;
            self.found = Some(Found { site, node, n_statements });
        }
    }
}
