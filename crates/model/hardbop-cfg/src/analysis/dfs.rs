//! Depth-first numbering of a procedure's control graph, with an explicit stack.

use super::preds::ControlGraph;

pub(crate) const UNREACHED: u32 = u32::MAX;

/// A depth-first search from the entry. Nodes are written as preorder numbers where said so.
#[derive(Debug)]
pub(crate) struct Dfs {
    /// Locations in preorder.
    pub(crate) preorder: Vec<u32>,
    /// Of each location its preorder number, or `UNREACHED`.
    pub(crate) number: Vec<u32>,
    /// By preorder number: the number of the parent; the entry is its own.
    pub(crate) parent: Vec<u32>,
    /// By preorder number: the largest number among the descendants.
    pub(crate) last: Vec<u32>,
    /// Locations in postorder.
    pub(crate) postorder: Vec<u32>,
}

impl Dfs {
    pub(crate) fn of(graph: &ControlGraph) -> Self {
        let n = graph.succ.len();
        let mut dfs = Dfs {
            preorder: Vec::new(),
            number: vec![UNREACHED; n],
            parent: Vec::new(),
            last: Vec::new(),
            postorder: Vec::new(),
        };
        dfs.reach(graph.entry, 0);
        let mut stack = vec![(graph.entry, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let number = dfs.number[*node as usize];
            if let Some(&to) = graph.succ.of(*node as usize).get(*next) {
                *next += 1;
                if dfs.number[to as usize] == UNREACHED {
                    dfs.reach(to, number);
                    stack.push((to, 0));
                }
                continue;
            }
            dfs.postorder.push(*node);
            dfs.last[number as usize] = dfs.preorder.len() as u32 - 1;
            stack.pop();
        }
        dfs
    }

    fn reach(&mut self, node: u32, parent: u32) {
        self.number[node as usize] = self.preorder.len() as u32;
        self.preorder.push(node);
        self.parent.push(parent);
        self.last.push(0);
    }

    /// Whether `node` is `ancestor` or below it in the tree; both are preorder numbers.
    pub(crate) fn is_below(&self, node: u32, ancestor: u32) -> bool {
        ancestor <= node && node <= self.last[ancestor as usize]
    }

    /// Every location once: those reached in postorder, then the others by number. Successors come
    /// before their predecessors as far as there is no cycle.
    pub(crate) fn successors_first(&self) -> Vec<u32> {
        let mut order = self.postorder.clone();
        order.extend(
            (0..self.number.len() as u32).filter(|&loc| self.number[loc as usize] == UNREACHED),
        );
        order
    }
}
