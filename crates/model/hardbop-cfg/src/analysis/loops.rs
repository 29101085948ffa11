//! The forest of nested loops: which strongly connected parts remain when loop heads are taken out,
//! again and again.
//!
//! Havlak, "Nesting of reducible and irreducible loops" (TOPLAS 1997), bottom-up with union-find.
//! The loop of head `h` is the strongly connected component of `h` among its descendants in the
//! depth-first tree. These are exactly the components of Bourdoncle's decomposition with the first
//! visited member as head: each lies below its head, and inside every component around it.
//!
//! Near-linear where loops are entered at their heads; each other entry is looked at once per loop
//! around it.

use super::dfs::{Dfs, UNREACHED};
use super::lists::Lists;
use super::preds::ControlGraph;

/// All by preorder number of the search.
#[derive(Debug)]
pub(crate) struct Loops {
    /// The head of the innermost loop around, not counting the loop a node is the head of.
    pub(crate) around: Vec<u32>,
    pub(crate) is_head: Vec<bool>,
}

pub(crate) const NO_LOOP: u32 = UNREACHED;

impl Loops {
    pub(crate) fn of(graph: &ControlGraph, dfs: &Dfs) -> Self {
        let n = dfs.preorder.len();
        let (back, forward) = split_preds(graph, dfs);
        let mut loops = Loops { around: vec![NO_LOOP; n], is_head: vec![false; n] };
        let mut heads = UnionFind((0..n as u32).collect());
        // Entries into loops from outside their head, put off until a loop holds both ends.
        let mut put_off: Vec<Vec<u32>> = vec![Vec::new(); n];
        // The last head for whose loop a node was collected.
        let mut collected = vec![NO_LOOP; n];
        for head in (0..n as u32).rev() {
            let mut body: Vec<u32> = Vec::new();
            for &source in back.of(head as usize) {
                loops.is_head[head as usize] = true;
                let inner = heads.find(source);
                if inner != head && collected[inner as usize] != head {
                    collected[inner as usize] = head;
                    body.push(inner);
                }
            }
            let mut next = 0;
            while let Some(&node) = body.get(next) {
                next += 1;
                let late = std::mem::take(&mut put_off[node as usize]);
                for &source in forward.of(node as usize).iter().chain(&late) {
                    let inner = heads.find(source);
                    if !dfs.is_below(inner, head) {
                        put_off[head as usize].push(inner);
                    } else if inner != head && collected[inner as usize] != head {
                        collected[inner as usize] = head;
                        body.push(inner);
                    }
                }
            }
            for node in body {
                loops.around[node as usize] = head;
                heads.0[node as usize] = head;
            }
        }
        loops
    }
}

/// The predecessors below a node in the tree, and the others; by preorder number.
fn split_preds(graph: &ControlGraph, dfs: &Dfs) -> (Lists<u32>, Lists<u32>) {
    let (mut back, mut forward) = (Lists::new(), Lists::new());
    for (number, &loc) in dfs.preorder.iter().enumerate() {
        let sources = graph.pred.of(loc as usize).iter().map(|&pred| dfs.number[pred as usize]);
        let (below, other): (Vec<u32>, Vec<u32>) = sources
            .filter(|&source| source != UNREACHED)
            .partition(|&source| dfs.is_below(source, number as u32));
        back.push(&below);
        forward.push(&other);
    }
    (back, forward)
}

/// Each node points towards the head of the outermost loop built so far that holds it.
struct UnionFind(Vec<u32>);

impl UnionFind {
    fn find(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            // Path halving.
            let above = self.0[self.0[node as usize] as usize];
            self.0[node as usize] = above;
            node = above;
        }
        node
    }
}
