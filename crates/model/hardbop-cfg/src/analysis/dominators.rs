//! Immediate dominators, back edges, natural loops.
//!
//! Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (TOPLAS 1979),
//! simple linking with path compression: O(m log n). The iterative algorithm of Cooper, Harvey and
//! Kennedy is shorter and was our first choice; but it walks up the tree once per predecessor, and
//! programs with one error label that thousands of statements jump to make that quadratic.
//!
//! A thread started in the same procedure counts as a way to where it starts.

use hardbop_base::{Idx, IndexVec};

use super::dfs::{Dfs, UNREACHED};
use super::preds::ControlGraph;
use crate::program::{Loc, Proc};

/// The dominator tree of a procedure.
#[derive(Clone, Debug)]
pub struct Dominators {
    entry: Loc,
    /// Nothing for the entry and for what cannot be reached from it.
    idom: IndexVec<Loc, Option<Loc>>,
    /// First and last number of the subtree in a walk over the tree; empty if not reachable.
    interval: IndexVec<Loc, (u32, u32)>,
    back_edges: Vec<(Loc, Loc)>,
    is_reducible: bool,
}

impl Dominators {
    pub fn of(proc: &Proc) -> Self {
        let graph = ControlGraph::of(proc);
        let dfs = Dfs::of(&graph);
        let idom = immediate(&graph, &dfs);
        let n = proc.locs.len();
        let loc = |number: u32| Loc::from_u32(dfs.preorder[number as usize]);
        let mut dominators = Dominators {
            entry: proc.entry,
            idom: IndexVec::from_elem(None, n),
            interval: IndexVec::from_elem((1, 0), n),
            back_edges: Vec::new(),
            is_reducible: true,
        };
        for number in 1..dfs.preorder.len() as u32 {
            dominators.idom[loc(number)] = Some(loc(idom[number as usize]));
        }
        for (number, (first, last)) in intervals(&idom).into_iter().enumerate() {
            dominators.interval[loc(number as u32)] = (first, last);
        }
        for number in 0..dfs.preorder.len() as u32 {
            let from = loc(number);
            for &to in graph.succ.of(from.index()) {
                // Retreating in the depth-first tree: this edge closes a cycle.
                if dfs.is_below(number, dfs.number[to as usize]) {
                    let to = Loc::from_u32(to);
                    if dominators.dominates(to, from) {
                        dominators.back_edges.push((from, to));
                    } else {
                        dominators.is_reducible = false;
                    }
                }
            }
        }
        dominators.back_edges.sort_unstable();
        dominators.back_edges.dedup();
        dominators
    }

    /// Nothing for the entry and for locations that cannot be reached.
    pub fn immediate(&self, loc: Loc) -> Option<Loc> {
        self.idom[loc]
    }

    pub fn is_reachable(&self, loc: Loc) -> bool {
        loc == self.entry || self.idom[loc].is_some()
    }

    /// Whether every way from the entry to `below` passes `above`. Both reachable, else false.
    pub fn dominates(&self, above: Loc, below: Loc) -> bool {
        let ((first, last), (at, _)) = (self.interval[above], self.interval[below]);
        self.is_reachable(below) && first <= at && at <= last
    }

    /// Pairs of locations with an edge from the first to the second, where the second dominates
    /// the first; sorted.
    pub fn back_edges(&self) -> &[(Loc, Loc)] {
        &self.back_edges
    }

    /// The targets of back edges, sorted.
    pub fn loop_heads(&self) -> Vec<Loc> {
        let mut heads: Vec<Loc> = self.back_edges.iter().map(|&(_, head)| head).collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Whether every cycle is entered at one location only.
    pub fn is_reducible(&self) -> bool {
        self.is_reducible
    }
}

/// Immediate dominators by preorder number; the entry's is itself.
fn immediate(graph: &ControlGraph, dfs: &Dfs) -> Vec<u32> {
    let n = dfs.preorder.len() as u32;
    let mut forest = Forest::new(n);
    let mut idom: Vec<u32> = (0..n).collect();
    // By semidominator: nodes whose dominator is known once the subtree below it is complete.
    let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
    for node in (1..n).rev() {
        for &pred in graph.pred.of(dfs.preorder[node as usize] as usize) {
            let pred = dfs.number[pred as usize];
            if pred != UNREACHED {
                let best = forest.eval(pred);
                let semi = forest.semi[best as usize];
                forest.semi[node as usize] = forest.semi[node as usize].min(semi);
            }
        }
        bucket[forest.semi[node as usize] as usize].push(node);
        let parent = dfs.parent[node as usize];
        forest.ancestor[node as usize] = parent;
        for waiting in std::mem::take(&mut bucket[parent as usize]) {
            let best = forest.eval(waiting);
            let known = forest.semi[best as usize] == parent;
            idom[waiting as usize] = if known { parent } else { best };
        }
    }
    for node in 1..n {
        if idom[node as usize] != forest.semi[node as usize] {
            idom[node as usize] = idom[idom[node as usize] as usize];
        }
    }
    idom
}

/// The part of the depth-first tree that was worked on, with compressed paths.
struct Forest {
    semi: Vec<u32>,
    ancestor: Vec<u32>,
    /// The node of least semidominator on the compressed path above.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(n: u32) -> Self {
        let ids: Vec<u32> = (0..n).collect();
        let ancestor = vec![UNREACHED; n as usize];
        Forest { semi: ids.clone(), ancestor, label: ids, path: Vec::new() }
    }

    /// The node of least semidominator on the path from `node` up, the root left out.
    fn eval(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == UNREACHED {
            return node;
        }
        let mut at = node;
        while self.ancestor[self.ancestor[at as usize] as usize] != UNREACHED {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize];
            let (mine, theirs) = (self.label[below as usize], self.label[above as usize]);
            if self.semi[theirs as usize] < self.semi[mine as usize] {
                self.label[below as usize] = theirs;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
        }
        self.label[node as usize]
    }
}

/// First and last number of each subtree. Dominators have smaller preorder numbers than what they
/// dominate, so sizes add up from the back and places are dealt out from the front.
fn intervals(idom: &[u32]) -> Vec<(u32, u32)> {
    let n = idom.len();
    let mut size = vec![1u32; n];
    for node in (1..n).rev() {
        size[idom[node] as usize] += size[node];
    }
    let mut free = vec![0u32; n];
    let mut intervals = vec![(0, 0); n];
    for node in 0..n {
        let parent = idom[node] as usize;
        let first = if node == 0 { 0 } else { free[parent] };
        free[node] = first + 1;
        if node != 0 {
            free[parent] += size[node];
        }
        intervals[node] = (first, first + size[node] - 1);
    }
    intervals
}

#[cfg(test)]
mod tests {
    use hardbop_base::Idx;

    use super::Dominators;
    use crate::analysis::preds::ControlGraph;
    use crate::analysis::testing::{graph, random_edges};
    use crate::program::Loc;

    /// What is reachable from the entry without `without`.
    fn reachable_without(control: &ControlGraph, without: Option<Loc>) -> Vec<bool> {
        let mut seen = vec![false; control.succ.len()];
        let mut todo = vec![control.entry];
        while let Some(at) = todo.pop() {
            if Some(Loc::from_u32(at)) != without && !seen[at as usize] {
                seen[at as usize] = true;
                todo.extend(control.succ.of(at as usize));
            }
        }
        seen
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut irreducible = 0;
        for seed in 0..2000 {
            let (n, edges) = random_edges(seed, 10);
            let proc = graph(n, &edges);
            let control = ControlGraph::of(&proc);
            let dominators = Dominators::of(&proc);
            let reachable = reachable_without(&control, None);
            for above in proc.locs.ids() {
                let without = reachable_without(&control, Some(above));
                for below in proc.locs.ids() {
                    let expect = reachable[below.index()] && !without[below.index()];
                    assert_eq!(dominators.dominates(above, below), expect, "{edges:?}");
                }
                let strict = |it: Loc| it != above && dominators.dominates(it, above);
                match dominators.immediate(above) {
                    Some(idom) => {
                        assert!(strict(idom));
                        let others = proc.locs.ids().filter(|&it| strict(it));
                        others.for_each(|it| assert!(dominators.dominates(it, idom)));
                    }
                    None => assert!(above == proc.entry || !reachable[above.index()]),
                }
            }
            assert_eq!(dominators.is_reducible(), collapses(&control, &reachable), "{edges:?}");
            irreducible += usize::from(!dominators.is_reducible());
        }
        assert!(irreducible > 100, "{irreducible}");
    }

    /// Reducible by the definition of Hecht and Ullman: without back edges, no cycle is left.
    fn collapses(control: &ControlGraph, reachable: &[bool]) -> bool {
        let n = control.succ.len();
        let mut left: Vec<(u32, u32)> = Vec::new();
        for from in (0..n as u32).filter(|&from| reachable[from as usize]) {
            for &to in control.succ.of(from as usize) {
                let back = !reachable_without(control, Some(Loc::from_u32(to)))[from as usize];
                if !back {
                    left.push((from, to));
                }
            }
        }
        // Take away nodes without incoming edges until nothing is left, or only cycles.
        let mut alive: Vec<u32> = (0..n as u32).collect();
        loop {
            let sources: Vec<u32> = alive
                .iter()
                .copied()
                .filter(|node| !left.iter().any(|(_, to)| to == node))
                .collect();
            if sources.is_empty() {
                return alive.is_empty();
            }
            alive.retain(|node| !sources.contains(node));
            left.retain(|(from, _)| !sources.contains(from));
        }
    }

    #[test]
    fn loops_and_their_heads() {
        let proc = graph(5, &[(1, 2), (2, 3), (3, 2), (3, 4), (4, 4), (4, 1), (4, 5), (5, 0)]);
        let dominators = Dominators::of(&proc);
        let heads: Vec<u32> = dominators.loop_heads().iter().map(|loc| loc.as_u32()).collect();
        assert_eq!(heads, [1, 2, 4]);
        assert_eq!(dominators.back_edges().len(), 3);
        assert!(dominators.is_reducible());
        assert_eq!(dominators.immediate(proc.exit), Some(Loc::from_u32(5)));
    }
}
