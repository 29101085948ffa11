//! Post-dominators and control dependence of one function (Cooper, Harvey, Kennedy 2001, on the
//! reversed graph; Ferrante, Ottenstein, Warren 1987).
//!
//! All ends lead to a virtual exit. A block that reaches no end, as in `for (;;);`, is given an
//! edge to it, so that every block has a post-dominator.

use hardbop_base::{Idx, IndexVec};

use super::graph::{cycles, post_order};
use crate::program::{BlockId, Func};

#[derive(Clone, Debug)]
pub struct PostDominators {
    /// The immediate post-dominator; `None` for the virtual exit.
    pub immediate: IndexVec<BlockId, Option<BlockId>>,
    /// Whether a block lies on a cycle.
    pub in_cycle: IndexVec<BlockId, bool>,
    /// Parents before children in the tree of post-dominators, without the exit.
    top_down: Vec<BlockId>,
    /// Steps to the exit in that tree; that of the exit is 0.
    depth: IndexVec<BlockId, u32>,
    /// Blocks with several ways out, an edge to the exit among them as `None`.
    branches: Vec<(BlockId, Vec<Option<BlockId>>)>,
}

impl PostDominators {
    pub fn of(func: &Func) -> PostDominators {
        let n = func.blocks.len();
        let exit = n;
        let mut succs: Vec<Vec<usize>> = func
            .blocks
            .iter()
            .map(|block| block.term.successors().iter().map(|it| it.index()).collect())
            .collect();
        for list in succs.iter_mut().filter(|list| list.is_empty()) {
            list.push(exit);
        }
        let in_cycle = cycles(&succs, n);
        connect(&mut succs, exit);
        // Of the reversed graph: the exit is last.
        let order = post_order(&preds_of(&succs, exit + 1), exit);
        let block = |at: usize| (at != exit).then(|| BlockId::new(at));
        let immediate: IndexVec<BlockId, Option<BlockId>> =
            immediate(&succs, &order, exit)[..n].iter().map(|&it| block(it)).collect();
        let top_down: Vec<BlockId> = order.iter().rev().filter_map(|&it| block(it)).collect();
        let mut depth: IndexVec<BlockId, u32> = IndexVec::from_elem(0, n);
        for &at in &top_down {
            depth[at] = 1 + immediate[at].map_or(0, |it| depth[it]);
        }
        let branches =
            succs.iter().enumerate().filter(|(_, list)| list.len() > 1).map(|(from, list)| {
                (BlockId::new(from), list.iter().map(|&to| block(to)).collect())
            });
        let branches = branches.collect();
        PostDominators { immediate, in_cycle: in_cycle.into(), top_down, depth, branches }
    }

    /// Marks the branches on which marked blocks depend, directly or through other branches, as
    /// branches and as blocks; whether there was a new one. A block depends on a branch if one way out of it must pass the block
    /// and another need not: if it lies in the tree on the way from a successor up to below the
    /// branch's own post-dominator. The dependences are not listed: nested loops have quadratically
    /// many.
    pub fn mark_controlling(
        &self,
        marked: &mut IndexVec<BlockId, bool>,
        branches: &mut IndexVec<BlockId, bool>,
    ) -> bool {
        let mut any = false;
        // The depth of the nearest marked block on the way to the exit; 0 if there is none.
        let mut nearest: IndexVec<BlockId, u32> = IndexVec::from_elem(0, marked.len());
        loop {
            for &at in &self.top_down {
                nearest[at] = match marked[at] {
                    true => self.depth[at],
                    false => self.immediate[at].map_or(0, |it| nearest[it]),
                };
            }
            let mut grew = false;
            for (branch, ways) in &self.branches {
                let end = self.immediate[*branch].map_or(0, |it| self.depth[it]);
                if !branches[*branch] && ways.iter().flatten().any(|&to| nearest[to] > end) {
                    (branches[*branch], marked[*branch], grew) = (true, true, true);
                }
            }
            if !grew {
                return any;
            }
            any = true;
        }
    }
}

fn preds_of(succs: &[Vec<usize>], n: usize) -> Vec<Vec<usize>> {
    let mut preds = vec![Vec::new(); n];
    for (from, list) in succs.iter().enumerate() {
        list.iter().for_each(|&to| preds[to].push(from));
    }
    preds
}

/// Gives blocks that reach no end an edge to the exit.
fn connect(succs: &mut [Vec<usize>], exit: usize) {
    let preds = preds_of(succs, exit + 1);
    let mut seen = vec![false; exit + 1];
    let mut todo = vec![exit];
    let mut next = exit;
    loop {
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&preds[at]);
            }
        }
        let Some(stuck) = (0..next).rev().find(|&at| !seen[at]) else { return };
        succs[stuck].push(exit);
        todo.push(stuck);
        next = stuck;
    }
}

fn immediate(succs: &[Vec<usize>], order: &[usize], exit: usize) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut number = vec![0; exit + 1];
    order.iter().enumerate().for_each(|(at, &block)| number[block] = at);
    let mut result = vec![NONE; exit + 1];
    result[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|&&block| block != exit) {
            let mut new = NONE;
            for &to in &succs[block] {
                if result[to] == NONE {
                    continue;
                }
                new = if new == NONE { to } else { meet(&result, &number, new, to) };
            }
            changed |= result[block] != new;
            result[block] = new;
        }
    }
    result
}

fn meet(result: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = result[a];
        }
        while number[b] < number[a] {
            b = result[b];
        }
    }
    a
}
