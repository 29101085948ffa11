//! Questions about one function: its variables, its size, its values.

use oxidd_core::Manager as _;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::edge::{EdgeRef, Store, View, is_complemented, not, view};
use crate::{Dd, Level, Manager};

impl Manager {
    /// The topmost variable of `f`; `None` for constants.
    pub fn top_level(&self, f: &Dd) -> Option<Level> {
        self.read(|store| match view(store, f.edge(store)) {
            View::Const(_) => None,
            View::Branch { level, .. } => Some(Level::from_u32(level)),
        })
    }

    /// The two cofactors by the topmost variable, true first; `None` for constants.
    pub fn split(&self, f: &Dd) -> Option<(Level, Dd, Dd)> {
        self.read(|store| match view(store, f.edge(store)) {
            View::Const(_) => None,
            View::Branch { level, high, low } => {
                let [high, low] = [high, low].map(|edge| Dd::taking(store, store.clone_edge(edge)));
                Some((Level::from_u32(level), high, low))
            }
        })
    }

    /// The variables `f` depends on, by increasing level.
    pub fn support(&self, f: &Dd) -> Vec<Level> {
        let mut levels = FxHashSet::default();
        self.read(|store| {
            visit(store, f.edge(store), |level| {
                levels.insert(level);
            });
        });
        let mut levels: Vec<Level> = levels.into_iter().map(Level::from_u32).collect();
        levels.sort_unstable();
        levels
    }

    /// The nodes of the diagram of `f`, constants not counted.
    pub fn node_count(&self, f: &Dd) -> usize {
        let mut count = 0;
        self.read(|store| visit(store, f.edge(store), |_| count += 1));
        count
    }

    /// The value of `f` at a point.
    pub fn eval(&self, f: &Dd, point: impl Fn(Level) -> bool) -> bool {
        self.read(|store| {
            let mut edge = f.edge(store);
            loop {
                match view(store, edge) {
                    View::Const(value) => return value,
                    View::Branch { level, high, low } => {
                        edge = if point(Level::from_u32(level)) { high } else { low };
                    }
                }
            }
        })
    }

    /// The number of points at which `f` is true, over `n_vars` variables that include its own.
    /// Exact as long as a 64-bit float is.
    pub fn sat_count(&self, f: &Dd, n_vars: usize) -> f64 {
        let density =
            self.descend(|store| density(store, f.edge(store), &mut FxHashMap::default()));
        density * f64::powi(2.0, i32::try_from(n_vars).unwrap_or(i32::MAX))
    }
}

/// Calls `at` with the level of each node, once a node.
fn visit<'id>(store: &Store<'id>, root: EdgeRef<'_, 'id>, mut at: impl FnMut(u32)) {
    let mut seen = FxHashSet::default();
    let mut waiting = vec![root];
    while let Some(edge) = waiting.pop() {
        if let View::Branch { level, high, low } = view(store, edge)
            && seen.insert(edge.node_id())
        {
            at(level);
            waiting.extend([high, low]);
        }
    }
}

/// The share of points at which a function is true.
fn density<'id>(store: &Store<'id>, f: EdgeRef<'_, 'id>, known: &mut FxHashMap<usize, f64>) -> f64 {
    if is_complemented(f) {
        return 1.0 - density(store, not(f), known);
    }
    let View::Branch { high, low, .. } = view(store, f) else { return 1.0 };
    if let Some(&share) = known.get(&f.node_id()) {
        return share;
    }
    let share = (density(store, high, known) + density(store, low, known)) / 2.0;
    known.insert(f.node_id(), share);
    share
}
