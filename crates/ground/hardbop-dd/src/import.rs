//! Functions taken over from another manager: a larger one, or one with another order.
//!
//! The capacities and the order of a manager are fixed. An engine that outgrows its manager makes
//! a better one and takes its functions along; sharing between them is kept.

use oxidd_core::Manager as _;
use rustc_hash::FxHashMap;

use crate::edge::{Guard, View, is_complemented, ite_at, view};
use crate::{Dd, Level, Manager, OutOfNodes};

/// A function in a list: the position of its node, and whether it is the complement. Position 0
/// is the constant true.
pub(crate) type Place = (usize, bool);

/// Nodes as a list, cofactors before the nodes that use them.
pub(crate) struct Listing {
    /// Level, cofactor where it is true, cofactor where it is false; at position 1 and on.
    pub(crate) nodes: Vec<(Level, Place, Place)>,
    pub(crate) roots: Vec<Place>,
}

impl Manager {
    /// The functions `roots` of `source` as functions of this manager, the variable of each level
    /// becoming that of `place(level)`.
    pub fn import(
        &self,
        source: &Manager,
        roots: &[Dd],
        place: impl Fn(Level) -> Level,
    ) -> Result<Vec<Dd>, OutOfNodes> {
        let listing = source.list(roots);
        let mut functions = vec![self.one().clone()];
        let find = |functions: &[Dd], (at, complement): Place| {
            if complement { self.not(&functions[at]) } else { functions[at].clone() }
        };
        for &(level, high, low) in &listing.nodes {
            let (high, low) = (find(&functions, high), find(&functions, low));
            let function = self.create(|store| {
                let [high, low] =
                    [&high, &low].map(|f| Guard::new(store, store.clone_edge(f.edge(store))));
                Dd::of(store, ite_at(store, place(level).as_u32(), high, low))
            })?;
            functions.push(function);
        }
        Ok(listing.roots.iter().map(|&root| find(&functions, root)).collect())
    }

    pub(crate) fn list(&self, roots: &[Dd]) -> Listing {
        self.read(|store| {
            let mut nodes = Vec::new();
            let mut position: FxHashMap<usize, usize> = FxHashMap::default();
            let mut listed_roots = Vec::new();
            for root in roots {
                let mut waiting = vec![root.edge(store)];
                while let Some(&edge) = waiting.last() {
                    // The node itself, not its complement.
                    let edge = edge.with_tag(Default::default());
                    let View::Branch { level, high, low } = view(store, edge) else {
                        position.insert(edge.node_id(), 0);
                        waiting.pop();
                        continue;
                    };
                    let find = |edge: crate::edge::EdgeRef<'_, '_>| {
                        position.get(&edge.node_id()).map(|&at| (at, is_complemented(edge)))
                    };
                    match (find(edge), find(high), find(low)) {
                        (Some(_), ..) => {
                            waiting.pop();
                        }
                        (None, Some(high), Some(low)) => {
                            nodes.push((Level::from_u32(level), high, low));
                            position.insert(edge.node_id(), nodes.len());
                            waiting.pop();
                        }
                        _ => waiting.extend([high, low]),
                    }
                }
                let root = root.edge(store);
                listed_roots.push((position[&root.node_id()], is_complemented(root)));
            }
            Listing { nodes, roots: listed_roots }
        })
    }
}
