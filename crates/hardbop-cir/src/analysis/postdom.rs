//! Post-dominators and control dependence of one function (Cooper, Harvey, Kennedy 2001, on the
//! reversed graph; Ferrante, Ottenstein, Warren 1987).
//!
//! All ends lead to a virtual exit. A block that reaches no end, as in `for (;;);`, is given an
//! edge to it, so that every block has a post-dominator.

use hardbop_base::{Idx, IndexVec};

use crate::program::{BlockId, Func};

#[derive(Clone, Debug)]
pub struct PostDominators {
    /// The immediate post-dominator; `None` for the virtual exit.
    pub immediate: IndexVec<BlockId, Option<BlockId>>,
    /// The branches a block depends on: one way out of them must pass the block, another need not.
    pub depends_on: IndexVec<BlockId, Vec<BlockId>>,
    /// Whether a block lies on a cycle.
    pub in_cycle: IndexVec<BlockId, bool>,
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
        let order = post_order(&succs, exit);
        let immediate = immediate(&succs, &order, exit);
        let mut depends_on = IndexVec::from_elem(Vec::new(), n);
        for (from, list) in succs.iter().enumerate().filter(|(_, list)| list.len() > 1) {
            for &to in list {
                // Everything from `to` up to the post-dominator of the branch depends on it.
                let mut at = to;
                while at != immediate[from] && at != exit {
                    let deps: &mut Vec<BlockId> = &mut depends_on[BlockId::new(at)];
                    if !deps.contains(&BlockId::new(from)) {
                        deps.push(BlockId::new(from));
                    }
                    at = immediate[at];
                }
            }
        }
        let immediate =
            immediate[..n].iter().map(|&it| (it != exit).then(|| BlockId::new(it))).collect();
        PostDominators { immediate, depends_on, in_cycle: in_cycle.into() }
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
    loop {
        let preds = preds_of(succs, exit + 1);
        let mut seen = vec![false; exit + 1];
        let mut todo = vec![exit];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&preds[at]);
            }
        }
        match (0..exit).rev().find(|&at| !seen[at]) {
            Some(stuck) => succs[stuck].push(exit),
            None => return,
        }
    }
}

/// Blocks in post-order of the reversed graph from the exit: the exit is last.
fn post_order(succs: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let preds = preds_of(succs, exit + 1);
    let mut seen = vec![false; exit + 1];
    let mut order = Vec::new();
    let mut todo = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((at, next)) = todo.last_mut() {
        match preds[*at].get(*next) {
            Some(&pred) => {
                *next += 1;
                if !std::mem::replace(&mut seen[pred], true) {
                    todo.push((pred, 0));
                }
            }
            None => {
                order.push(*at);
                todo.pop();
            }
        }
    }
    order
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

/// Which blocks can come back to themselves: by strongly connected components (Tarjan 1972), with
/// a stack of our own.
fn cycles(succs: &[Vec<usize>], n: usize) -> Vec<bool> {
    let mut index = vec![usize::MAX; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut next, mut cyclic) = (Vec::new(), 0, vec![false; n]);
    for root in 0..n {
        if index[root] != usize::MAX {
            continue;
        }
        let mut todo = vec![(root, 0)];
        while let Some((at, edge)) = todo.last().copied() {
            if edge == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            if let Some(&to) = succs[at].get(edge) {
                if let Some(top) = todo.last_mut() {
                    top.1 += 1;
                }
                if to < n && index[to] == usize::MAX {
                    todo.push((to, 0));
                } else if to < n && on_stack[to] {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            todo.pop();
            if let Some(&(parent, _)) = todo.last() {
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == index[at] {
                let start = stack.iter().rposition(|&it| it == at).unwrap_or(0);
                let component = stack.split_off(start);
                let is_cycle = component.len() > 1 || succs[at].contains(&at);
                for block in component {
                    on_stack[block] = false;
                    cyclic[block] = is_cycle;
                }
            }
        }
    }
    cyclic
}
