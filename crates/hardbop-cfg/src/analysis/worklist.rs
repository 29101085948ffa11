//! A worklist that hands out the earliest node of a fixed order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes `0..n`, taken in order of their rank; each waits at most once.
#[derive(Debug)]
pub(crate) struct Worklist {
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// Of each node; smaller is earlier.
    rank: Vec<u32>,
    waiting: Vec<bool>,
}

impl Worklist {
    /// All nodes wait in the beginning; `order` lists each once.
    pub(crate) fn full(order: &[u32]) -> Self {
        let mut rank = vec![0; order.len()];
        for (at, &node) in order.iter().enumerate() {
            rank[node as usize] = at as u32;
        }
        let heap = order.iter().enumerate().map(|(at, &node)| Reverse((at as u32, node))).collect();
        Worklist { heap, rank, waiting: vec![true; order.len()] }
    }

    pub(crate) fn push(&mut self, node: usize) {
        if !std::mem::replace(&mut self.waiting[node], true) {
            self.heap.push(Reverse((self.rank[node], node as u32)));
        }
    }

    pub(crate) fn pop(&mut self) -> Option<usize> {
        let Reverse((_, node)) = self.heap.pop()?;
        self.waiting[node as usize] = false;
        Some(node as usize)
    }
}
