//! Functions outside their manager, in which neighbouring levels can be exchanged.
//!
//! The order of a manager is fixed. To find a better one, some of its functions are copied here:
//! nodes belong to variables, not to levels, and an exchange of two neighbours rebuilds only the nodes
//! of the upper one that have a child of the lower one (Rudell, *Dynamic variable ordering*, ICCAD
//! 1993). Every function keeps its node through it.

use rustc_hash::FxHashMap;

use crate::import::Place;
use crate::{Dd, Level, Manager};

/// A node and whether it is complemented. Node 0 is the constant true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Link(u32);

impl Link {
    const TRUE: Link = Link(0);

    fn new(node: u32, complement: bool) -> Link {
        Link(node << 1 | u32::from(complement))
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    fn complement_if(self, complement: bool) -> Link {
        Link(self.0 ^ u32::from(complement))
    }
}

/// Invariant: `high` is not complemented.
#[derive(Clone, Copy, Debug)]
struct Node {
    var: u32,
    high: Link,
    low: Link,
    /// Nodes and roots that point here; none: the node is free.
    users: u32,
}

/// No variable: that of the constant.
const NO_VAR: u32 = u32::MAX;

/// A copy of some functions, with an order of its own. A variable is called by the level it had in the manager.
#[derive(Debug)]
pub struct Forest {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// The nodes of each variable by their children.
    table: Vec<FxHashMap<(Link, Link), u32>>,
    /// The variable at each place of the order.
    at: Vec<u32>,
    /// The functions that were copied.
    roots: Vec<Link>,
    n_nodes: usize,
    /// Nodes that were looked at in exchanges: a measure of time that is the same on every machine.
    work: u64,
}

impl Manager {
    /// A copy of some functions.
    pub fn forest(&self, roots: &[Dd]) -> Forest {
        let listing = self.list(roots);
        let n = self.n_levels();
        let constant = Node { var: NO_VAR, high: Link::TRUE, low: Link::TRUE, users: 1 };
        let mut forest = Forest {
            nodes: vec![constant],
            free: Vec::new(),
            table: vec![FxHashMap::default(); n],
            at: (0..n as u32).collect(),
            roots: Vec::new(),
            n_nodes: 0,
            work: 0,
        };
        let mut links = vec![Link::TRUE];
        let find = |links: &[Link], (at, complement): Place| links[at].complement_if(complement);
        for &(level, high, low) in &listing.nodes {
            let (high, low) = (find(&links, high), find(&links, low));
            links.push(forest.make(level.as_u32(), high, low));
        }
        for &root in &listing.roots {
            let root = find(&links, root);
            forest.nodes[root.node()].users += 1;
            forest.roots.push(root);
        }
        // What was made along the way is used by somebody, since it was listed.
        forest
    }
}

impl Forest {
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// How much was done so far, in nodes looked at.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The variables from the top of the order to its bottom.
    pub fn order(&self) -> impl ExactSizeIterator<Item = Level> {
        self.at.iter().map(|&var| Level::from_u32(var))
    }

    /// How many nodes the variable at a place has.
    pub fn n_nodes_at(&self, place: usize) -> usize {
        self.table[self.at[place] as usize].len()
    }

    /// The function "if var then high else low"; both are of variables further down. Its users are counted by whoever
    /// keeps it, those of its children here.
    fn make(&mut self, var: u32, high: Link, low: Link) -> Link {
        if high == low {
            return high;
        }
        let complement = high.is_complement();
        let (high, low) = (high.complement_if(complement), low.complement_if(complement));
        if let Some(&node) = self.table[var as usize].get(&(high, low)) {
            return Link::new(node, complement);
        }
        let node = Node { var, high, low, users: 0 };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        };
        self.nodes[high.node()].users += 1;
        self.nodes[low.node()].users += 1;
        self.table[var as usize].insert((high, low), id);
        self.n_nodes += 1;
        Link::new(id, complement)
    }

    /// One user less; a node without users goes, and so may its children.
    fn release(&mut self, link: Link) {
        let mut waiting = vec![link.node()];
        while let Some(id) = waiting.pop() {
            self.nodes[id].users -= 1;
            let Node { var, high, low, users } = self.nodes[id];
            if users == 0 && var != NO_VAR {
                self.table[var as usize].remove(&(high, low));
                self.free.push(id as u32);
                self.n_nodes -= 1;
                waiting.extend([high.node(), low.node()]);
            }
        }
    }

    /// The two halves of a function by a variable that is at or above its top.
    fn halves(&self, link: Link, var: u32) -> (Link, Link) {
        let node = self.nodes[link.node()];
        if node.var != var {
            return (link, link);
        }
        let complement = link.is_complement();
        (node.high.complement_if(complement), node.low.complement_if(complement))
    }

    /// Exchanges the variables at a place and the next one.
    pub fn exchange(&mut self, place: usize) {
        let (upper, lower) = (self.at[place], self.at[place + 1]);
        self.at.swap(place, place + 1);
        let above = &self.table[upper as usize];
        self.work += 1 + above.len() as u64;
        if above.is_empty() || self.table[lower as usize].is_empty() {
            return;
        }
        let is_lower = |link: Link| self.nodes[link.node()].var == lower;
        let concerned: Vec<_> = above
            .iter()
            .filter(|((high, low), _)| is_lower(*high) || is_lower(*low))
            .map(|(&children, &node)| (children, node))
            .collect();
        for (children, _) in &concerned {
            self.table[upper as usize].remove(children);
        }
        for ((high, low), id) in concerned {
            let ((high_high, high_low), (low_high, low_low)) =
                (self.halves(high, lower), self.halves(low, lower));
            // `high` is no complement, so neither is its own high half, nor what is made of it.
            let new_high = self.make(upper, high_high, low_high);
            let new_low = self.make(upper, high_low, low_low);
            self.nodes[new_high.node()].users += 1;
            self.nodes[new_low.node()].users += 1;
            let node = &mut self.nodes[id as usize];
            (node.var, node.high, node.low) = (lower, new_high, new_low);
            self.table[lower as usize].insert((new_high, new_low), id);
            self.release(high);
            self.release(low);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Forest, Link};
    use crate::{Dd, Level, Limits, Manager};

    fn value(forest: &Forest, root: Link, point: u32) -> bool {
        let mut link = root;
        while link.node() != 0 {
            let node = forest.nodes[link.node()];
            let child = if point >> node.var & 1 == 1 { node.high } else { node.low };
            link = child.complement_if(link.is_complement());
        }
        !link.is_complement()
    }

    /// Every exchange keeps every function, its node, and one node for each function.
    #[test]
    fn exchanges_keep_functions() {
        const N: u32 = 7;
        let m = Manager::new(N as usize, Limits::SMALL);
        let var = |i: u32| m.var(Level::from_u32(i)).unwrap();
        let mut functions: Vec<Dd> = (0..N).map(var).collect();
        let mut random = 12_345_u64;
        let mut below = |n: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % n
        };
        for _ in 0..60 {
            let (f, g) = (&functions[below(functions.len())], &functions[below(functions.len())]);
            let h = match below(3) {
                0 => m.and(f, g),
                1 => m.xor(f, g),
                _ => m.or(&m.not(f), g),
            };
            functions.push(h.unwrap());
        }
        for f in &functions {
            let mut forest = m.forest(std::slice::from_ref(f));
            let before = forest.n_nodes();
            assert_eq!(before, m.node_count(f), "one node for each function");
            let truth = |forest: &Forest| -> Vec<bool> {
                (0..1 << N).map(|point| value(forest, forest.roots[0], point)).collect()
            };
            let meant: Vec<bool> = (0..1 << N)
                .map(|point| m.eval(f, |level| point >> level.as_u32() & 1 == 1))
                .collect();
            let (read, order) = (truth(&forest), forest.order().collect::<Vec<_>>());
            assert_eq!(read, meant);
            for _ in 0..40 {
                forest.exchange(below(N as usize - 1));
                assert_eq!(truth(&forest), meant);
                assert_eq!(
                    forest.table.iter().map(|table| table.len()).sum::<usize>(),
                    forest.n_nodes
                );
            }
            // Back again, there are as many nodes as before.
            for (place, &wanted) in order.iter().enumerate() {
                let found = forest.order().position(|level| level == wanted).unwrap();
                (place..found).rev().for_each(|place| forest.exchange(place));
            }
            assert_eq!(forest.n_nodes(), before);
        }
    }
}
