//! Orders in which to visit the locations of a procedure.
//!
//! * Reverse postorder: along every edge that closes no cycle, forward.
//! * A weak topological order: Bourdoncle, "Efficient chaotic iteration strategies with widenings"
//!   (FMPA 1993). Instead of his repeated searches we take one depth-first search and its loop
//!   forest (`loops`): a component's head first, then its members by reverse postorder of their
//!   own heads. Members form no cycle without the head, and each lies below its head in the tree,
//!   so an edge from one member to another agrees with the order of their finishing times.
//! * Priorities for worklists that merge states: BOOM algorithm 10.1 sorts by the size of the
//!   subtree of successors, yet counts a join below the first branch only, so that the join may
//!   overtake the other branch. What it wants, all that can still flow into a node goes before it,
//!   is the weak topological order; like the thesis we put calls, then the return, last.
//!
//! A thread started in the same procedure counts as a way to where it starts.

use std::fmt;

use hardbop_base::IndexVec;

use super::dfs::Dfs;
use super::lists::Lists;
use super::loops::{Loops, NO_LOOP};
use super::preds::ControlGraph;
use crate::program::{Action, Loc, Proc};

/// The locations reachable from the entry, predecessors first where there is no cycle.
pub fn reverse_postorder(proc: &Proc) -> Vec<Loc> {
    let dfs = Dfs::of(&ControlGraph::of(proc));
    dfs.postorder.into_iter().rev().map(Loc::from_u32).collect()
}

/// A weak topological order of the locations reachable from the entry.
///
/// Every edge that leads backwards, or to its own source, ends in the head of a component that holds
/// its source.
#[derive(Clone, Debug)]
pub struct WeakOrder {
    order: Vec<Loc>,
    position: IndexVec<Loc, Option<u32>>,
    component: IndexVec<Loc, Option<Loc>>,
    is_head: IndexVec<Loc, bool>,
}

impl WeakOrder {
    pub fn of(proc: &Proc) -> Self {
        let graph = ControlGraph::of(proc);
        let dfs = Dfs::of(&graph);
        let loops = Loops::of(&graph, &dfs);
        let n = proc.locs.len();
        let mut weak = WeakOrder {
            order: Vec::with_capacity(dfs.preorder.len()),
            position: IndexVec::from_elem(None, n),
            component: IndexVec::from_elem(None, n),
            is_head: IndexVec::from_elem(false, n),
        };
        let (top, inside) = members(&dfs, &loops);
        let mut todo: Vec<u32> = top.into_iter().rev().collect();
        while let Some(number) = todo.pop() {
            let loc = Loc::from_u32(dfs.preorder[number as usize]);
            weak.position[loc] = Some(weak.order.len() as u32);
            weak.order.push(loc);
            weak.is_head[loc] = loops.is_head[number as usize];
            let around = loops.around[number as usize];
            weak.component[loc] =
                (around != NO_LOOP).then(|| Loc::from_u32(dfs.preorder[around as usize]));
            todo.extend(inside.of(number as usize).iter().rev());
        }
        weak
    }

    pub fn order(&self) -> &[Loc] {
        &self.order
    }

    /// Where in the order a location is; nothing if it cannot be reached from the entry.
    pub fn position(&self, loc: Loc) -> Option<u32> {
        self.position[loc]
    }

    /// Whether the location is the head of a component: every cycle passes some head.
    pub fn is_head(&self, loc: Loc) -> bool {
        self.is_head[loc]
    }

    /// The head of the innermost component around a location, not counting that which the location
    /// itself is the head of.
    pub fn component(&self, loc: Loc) -> Option<Loc> {
        self.component[loc]
    }

    /// The rank of each location of `proc`, whose order this is, in a worklist, smallest first:
    /// statements within the procedure in weak topological order, then calls, then the exit; what
    /// cannot be reached at the very end.
    pub fn priorities(&self, proc: &Proc) -> IndexVec<Loc, u32> {
        let class = |loc: Loc| match self.position(loc) {
            None => (3, loc.as_u32()),
            Some(at) if loc == proc.exit => (2, at),
            Some(at) => {
                let calls = proc.out_edges(loc).any(|(_, e)| matches!(e.action, Action::Call(_)));
                (u32::from(calls), at)
            }
        };
        let mut sorted: Vec<((u32, u32), Loc)> =
            proc.locs.ids().map(|loc| (class(loc), loc)).collect();
        sorted.sort_unstable();
        let mut rank = IndexVec::from_elem(0, proc.locs.len());
        for (at, (_, loc)) in sorted.into_iter().enumerate() {
            rank[loc] = at as u32;
        }
        rank
    }
}

/// In reverse postorder, by preorder number: what lies in no loop, and the members of each loop.
fn members(dfs: &Dfs, loops: &Loops) -> (Vec<u32>, Lists<u32>) {
    let (mut top, mut inside) = (Vec::new(), Vec::new());
    for &loc in dfs.postorder.iter().rev() {
        let number = dfs.number[loc as usize];
        match loops.around[number as usize] {
            NO_LOOP => top.push(number),
            head => inside.push((head, number)),
        }
    }
    (top, Lists::group(dfs.preorder.len(), &inside))
}

/// Bourdoncle's notation: `l1 l2 (l3 l4 (l5 l6) l7) l8`.
impl fmt::Display for WeakOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<Loc> = Vec::new();
        for (i, &loc) in self.order.iter().enumerate() {
            while open.last().copied() != self.component[loc] && open.pop().is_some() {
                f.write_str(")")?;
            }
            f.write_str(if i == 0 { "" } else { " " })?;
            if self.is_head[loc] {
                f.write_str("(")?;
                open.push(loc);
            }
            write!(f, "{loc}")?;
        }
        f.write_str(&")".repeat(open.len()))
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::{Idx, Name};

    use super::{WeakOrder, reverse_postorder};
    use crate::analysis::preds::ControlGraph;
    use crate::analysis::testing::{graph, random_edges};
    use crate::build::ProcBuilder;
    use crate::program::{Action, Call, Loc, ProcId};

    #[test]
    fn the_example_of_bourdoncle() {
        let edges = [
            (1, 2),
            (2, 3),
            (2, 8),
            (3, 4),
            (4, 5),
            (4, 7),
            (5, 6),
            (6, 5),
            (6, 7),
            (7, 3),
            (7, 8),
        ];
        let weak = WeakOrder::of(&graph(8, &edges));
        assert_eq!(weak.to_string(), "l1 l2 (l3 l4 (l5 l6) l7) l8");
        assert_eq!(weak.component(Loc::from_u32(6)), Some(Loc::from_u32(5)));
        assert_eq!(weak.component(Loc::from_u32(5)), Some(Loc::from_u32(3)));
        assert_eq!(weak.position(Loc::from_u32(0)), None);
    }

    #[test]
    fn a_cycle_with_two_entries_and_a_self_loop() {
        let weak = WeakOrder::of(&graph(4, &[(1, 2), (1, 3), (2, 3), (3, 2), (3, 4), (4, 4)]));
        assert_eq!(weak.to_string(), "l1 (l2 l3) (l4)");
    }

    /// Random graphs: each backward edge ends in the head of a component around its source, and
    /// components are contiguous and strongly connected without what is around them.
    #[test]
    fn backward_edges_end_in_heads() {
        let mut heads = 0;
        for seed in 0..2000 {
            let (n, edges) = random_edges(seed, 12);
            let proc = graph(n, &edges);
            let weak = WeakOrder::of(&proc);
            let control = ControlGraph::of(&proc);
            let around = |mut loc: Loc| {
                let mut heads = vec![];
                if weak.is_head(loc) {
                    heads.push(loc);
                }
                while let Some(head) = weak.component(loc) {
                    heads.push(head);
                    loc = head;
                }
                heads
            };
            for &from in weak.order() {
                heads += usize::from(weak.is_head(from));
                for &to in control.succ.of(from.index()) {
                    let to = Loc::from_u32(to);
                    if weak.position(to) <= weak.position(from) {
                        assert!(around(from).contains(&to), "{from} -> {to} in {weak}: {edges:?}");
                    }
                }
                // The way from a member back to its head stays inside.
                if let Some(head) = weak.component(from) {
                    let (mut seen, mut todo) = (vec![from], vec![from]);
                    while let Some(at) = todo.pop() {
                        for &to in control.succ.of(at.index()) {
                            let to = Loc::from_u32(to);
                            if around(to).contains(&head) && !seen.contains(&to) {
                                seen.push(to);
                                todo.push(to);
                            }
                        }
                    }
                    assert!(seen.contains(&head), "{from} cannot reach {head} in {weak}");
                }
            }
            let mut sorted = reverse_postorder(&proc);
            sorted.sort_unstable();
            let mut ordered = weak.order().to_vec();
            ordered.sort_unstable();
            assert_eq!(sorted, ordered);
        }
        assert!(heads > 500, "the random graphs should have loops: {heads}");
    }

    /// Algorithm 10.1 as printed lets the join overtake the second branch.
    #[test]
    fn joins_come_after_both_branches_calls_and_return_last() {
        let mut builder = ProcBuilder::new(Name::from("f"), None);
        let locs: Vec<Loc> = (0..6).map(|_| builder.loc(None)).collect();
        builder.entry(locs[0]);
        let call = Call { callee: ProcId::from_u32(0), args: vec![], results: vec![] };
        builder.edge(locs[0], Action::Skip, locs[1]);
        builder.edge(locs[0], Action::Skip, locs[2]);
        builder.edge(locs[1], Action::Skip, locs[3]);
        builder.edge(locs[2], Action::Call(Box::new(call)), locs[3]);
        builder.edge(locs[3], Action::Skip, locs[4]);
        let exit = builder.exit();
        builder.edge(locs[4], Action::Skip, exit);
        let proc = builder.finish();
        let rank = WeakOrder::of(&proc).priorities(&proc);
        let ranks: Vec<u32> = rank.iter().copied().collect();
        // exit, branch, left, right (a call), join, tail, unreachable
        assert_eq!(ranks, [5, 0, 1, 4, 2, 3, 6]);
    }
}
