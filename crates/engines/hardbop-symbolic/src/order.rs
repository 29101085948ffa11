//! In which order the blocks of a function are unrolled: a weak topological order (Bourdoncle 1993).
//!
//! Components are contiguous, and an edge that goes back in the order goes to the head of a
//! component that contains its source. So with one counter per component around a block, all ways
//! into a block's instance come before it, and each instance is visited once, merged.

use hardbop_base::{Idx, IndexVec};
use hardbop_cir::{BlockId, Func, Term};

/// Where a block stands.
#[derive(Clone, Default, Debug)]
pub struct Place {
    pub position: u32,
    /// The heads of the components around it, outermost first.
    pub heads: Vec<BlockId>,
}

#[derive(Clone, Debug)]
pub struct Order {
    pub places: IndexVec<BlockId, Place>,
    /// Heads of components that an edge or a return leaves.
    pub has_exit: IndexVec<BlockId, bool>,
}

/// An instance of a block in the unrolling of one call: for each component around it the position
/// of the head and the round, then the block's position.
pub type Key = Vec<u32>;

struct Builder {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    places: IndexVec<BlockId, Place>,
    next: u32,
}

impl Order {
    pub fn of(func: &Func) -> Order {
        let mut builder = Builder {
            successors: func.blocks.iter().map(|block| block.term.successors()).collect(),
            places: IndexVec::from_elem(Place::default(), func.blocks.len()),
            next: 0,
        };
        let all: Vec<BlockId> = func.blocks.ids().collect();
        builder.component(&all, BlockId::new(0), &[]);
        let has_exit = IndexVec::from_elem(false, func.blocks.len());
        let mut order = Order { places: builder.places, has_exit };
        for (from, block) in func.blocks.iter_enumerated() {
            let mut left: Vec<BlockId> = Vec::new();
            for to in block.term.successors() {
                left.extend(order.left(from, to));
            }
            if matches!(block.term, Term::Return(_)) {
                left.extend(&order.places[from].heads);
            }
            left.into_iter().for_each(|head| order.has_exit[head] = true);
        }
        order
    }

    /// The heads of the components an edge leaves.
    pub fn left(&self, from: BlockId, to: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let target = &self.places[to].heads;
        self.places[from].heads.iter().copied().filter(move |head| !target.contains(head))
    }

    pub fn entry(&self) -> Key {
        self.enter(BlockId::new(0), &[], &[])
    }

    /// The key of a block, with the rounds of `from` for the components they share.
    fn enter(&self, block: BlockId, from: &[BlockId], key: &[u32]) -> Key {
        let place = &self.places[block];
        let mut result = Vec::with_capacity(place.heads.len() * 2 + 1);
        let mut shared = true;
        for (at, &head) in place.heads.iter().enumerate() {
            shared &= from.get(at) == Some(&head);
            result.push(self.places[head].position);
            result.push(if shared { key[2 * at + 1] } else { 0 });
        }
        result.push(place.position);
        result
    }

    /// The key of the successor of an instance, and whether the edge goes back.
    pub fn follow(&self, from: BlockId, key: &[u32], to: BlockId) -> (Key, bool) {
        let (source, target) = (&self.places[from], &self.places[to]);
        let mut result = self.enter(to, &source.heads, key);
        let is_back = target.position <= source.position;
        if is_back {
            let round = result.len() - 2;
            result[round] += 1;
        }
        (result, is_back)
    }
}

impl Builder {
    /// Orders the blocks reachable from `entry` inside `inside`.
    fn component(&mut self, inside: &[BlockId], entry: BlockId, heads: &[BlockId]) {
        let mut is_inside = IndexVec::from_elem(false, self.places.len());
        inside.iter().for_each(|&it| is_inside[it] = true);
        for part in self.strong_parts(&is_inside, entry, inside) {
            let head = part[0];
            let is_loop = part.len() > 1 || self.successors[head].contains(&head);
            let mut around = heads.to_vec();
            if is_loop {
                around.push(head);
            }
            self.places[head] = Place { position: self.next, heads: around.clone() };
            self.next += 1;
            if part.len() > 1 {
                self.component(&part[1..], head, &around);
            }
        }
    }

    /// The strongly connected parts in topological order, the first block found of each first
    /// (Tarjan 1972, with a stack of its own). `entry` may lie outside: then its successors begin.
    fn strong_parts(
        &self,
        inside: &IndexVec<BlockId, bool>,
        entry: BlockId,
        all: &[BlockId],
    ) -> Vec<Vec<BlockId>> {
        const UNSEEN: u32 = u32::MAX;
        let n = self.places.len();
        let mut index: IndexVec<BlockId, u32> = IndexVec::from_elem(UNSEEN, n);
        let mut low: IndexVec<BlockId, u32> = IndexVec::from_elem(0, n);
        let mut open: IndexVec<BlockId, bool> = IndexVec::from_elem(false, n);
        let (mut count, mut stack, mut parts) = (0, Vec::new(), Vec::new());
        let begins = [entry].into_iter().chain(all.iter().copied());
        for begin in begins.filter(|&it| inside[it]) {
            if index[begin] != UNSEEN {
                continue;
            }
            let mut calls = vec![(begin, 0)];
            while let Some(&mut (block, ref mut edge)) = calls.last_mut() {
                if *edge == 0 {
                    (index[block], low[block], open[block]) = (count, count, true);
                    count += 1;
                    stack.push(block);
                }
                if let Some(&to) = self.successors[block].get(*edge) {
                    *edge += 1;
                    if inside[to] && index[to] == UNSEEN {
                        calls.push((to, 0));
                    } else if inside[to] && open[to] {
                        low[block] = low[block].min(index[to]);
                    }
                    // A block whose first edge was just looked at must not be opened again.
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent] = low[parent].min(low[block]);
                }
                if low[block] == index[block] {
                    let at = stack.iter().rposition(|&it| it == block).unwrap_or(0);
                    let part: Vec<BlockId> = stack.split_off(at);
                    part.iter().for_each(|&it| open[it] = false);
                    parts.push(part);
                }
            }
        }
        parts.reverse();
        parts
    }
}
