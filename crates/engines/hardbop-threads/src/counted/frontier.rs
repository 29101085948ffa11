//! What a search has found and still has to visit, nearest first.

use std::collections::VecDeque;

use hardbop_base::Idx;

use crate::counted::counters::{Counters, StateId, StateTable};

/// States in order of distance: a bucket for each.
///
/// **Invariant.** The distance of a state is final once it was taken to be visited. Its parent is one
/// step before it on a run of that length.
#[derive(Debug)]
pub struct Frontier<S> {
    states: StateTable,
    nodes: Vec<Node<S>>,
    /// What was met at each distance; what was met nearer since is passed over.
    buckets: Vec<VecDeque<StateId>>,
    /// All nearer buckets are empty.
    now: usize,
    n_waiting: usize,
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
pub struct Node<S> {
    /// `None` for initial ones.
    pub parent: Option<StateId>,
    /// Statements executed.
    pub distance: u32,
    /// What led here from the parent.
    pub step: S,
    visited: bool,
}

impl<S> Default for Frontier<S> {
    fn default() -> Self {
        Frontier {
            states: StateTable::default(),
            nodes: Vec::new(),
            buckets: Vec::new(),
            now: 0,
            n_waiting: 0,
        }
    }
}

impl<S: Copy> Frontier<S> {
    /// A way to a state: work if it is the first or a shorter one.
    pub fn meet(&mut self, state: &Counters, parent: Option<StateId>, weight: u32, step: S) {
        let before = parent.map_or(0, |parent| self.nodes[parent.index()].distance);
        let distance = before.saturating_add(weight);
        let (id, is_new) = self.states.insert(state);
        let node = Node { parent, distance, step, visited: false };
        if is_new {
            self.nodes.push(node);
        } else {
            let known = &mut self.nodes[id.index()];
            if known.visited || distance >= known.distance {
                return;
            }
            *known = node;
        }
        let distance = distance as usize;
        if self.buckets.len() <= distance {
            self.buckets.resize_with(distance + 1, VecDeque::new);
        }
        self.buckets[distance].push_back(id);
        self.n_waiting += 1;
    }

    /// The nearest state that was not visited yet.
    pub fn nearest(&mut self) -> Option<StateId> {
        loop {
            let Some(id) = self.buckets.get_mut(self.now)?.pop_front() else {
                // Nothing is met nearer than what is visited.
                self.buckets[self.now] = VecDeque::new();
                self.now += 1;
                continue;
            };
            self.n_waiting -= 1;
            if !std::mem::replace(&mut self.nodes[id.index()].visited, true) {
                return Some(id);
            }
        }
    }

    pub fn state(&self, id: StateId) -> Counters {
        self.states.get(id)
    }

    pub fn node(&self, id: StateId) -> Node<S> {
        self.nodes[id.index()]
    }

    /// The states of a run, the initial one first.
    pub fn run_to(&self, id: StateId) -> Vec<StateId> {
        let back = std::iter::successors(Some(id), |&id| self.nodes[id.index()].parent);
        let mut run: Vec<_> = back.collect();
        run.reverse();
        run
    }

    /// All states found.
    pub fn states(&self) -> impl Iterator<Item = Counters> + '_ {
        (0..self.states.len()).map(|id| self.states.get(StateId::new(id)))
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// An upper bound of what is still to be visited.
    pub fn n_waiting(&self) -> usize {
        self.n_waiting
    }
}
