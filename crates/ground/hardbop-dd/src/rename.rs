//! Renaming of variables, at a cost that depends on the diagram alone.
//!
//! The library's own substitution prepares a projection for every level above the deepest renamed
//! one, on every call; with thousands of levels this is what made Bebop's T(N) quadratic. Here a
//! node is looked at only if it is in the diagram, and what lies below the deepest renamed level
//! is taken as it is.
//!
//! Where the renamed variable stays above its renamed cofactors a node is made directly, so a
//! renaming that keeps the order costs one step a node; elsewhere if-then-else restores the
//! order. The test is made at each node, because a renaming that changes the order of the levels
//! may well keep the order of those that occur.
//!
//! Results are kept in the shared cache under the renaming's number: build a renaming once.

use oxidd_core::ApplyCache;
use oxidd_core::Manager as _;
use oxidd_core::util::AllocResult;
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};
use rustc_hash::FxHashMap;

use crate::edge::{EdgeRef, Guard, OwnEdge, Store, View, cache, ite_at, view};
use crate::{Dd, Level, Manager, OutOfNodes};

/// A map from variables to variables, applied to all of them at once; variables not in it stay.
/// Two variables may be mapped to one.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// From level to level, without fixed points.
    target: FxHashMap<u32, u32>,
    /// The deepest level that changes; meaningless if none does.
    deepest: u32,
    /// Names this map in the cache; distinct in the whole process.
    id: u32,
}

impl Renaming {
    /// A level given two targets takes the later one.
    pub fn new(pairs: impl IntoIterator<Item = (Level, Level)>) -> Renaming {
        let mut target: FxHashMap<u32, u32> =
            pairs.into_iter().map(|(from, to)| (from.as_u32(), to.as_u32())).collect();
        target.retain(|from, to| from != to);
        let deepest = target.keys().copied().max().unwrap_or(0);
        Renaming { target, deepest, id: oxidd_core::util::new_substitution_id() }
    }

    pub fn target(&self, level: Level) -> Level {
        Level::from_u32(self.target_of(level.as_u32()))
    }

    pub fn is_identity(&self) -> bool {
        self.target.is_empty()
    }

    fn target_of(&self, level: u32) -> u32 {
        self.target.get(&level).copied().unwrap_or(level)
    }
}

impl Manager {
    /// `f` with every variable replaced by its target.
    pub fn rename(&self, f: &Dd, renaming: &Renaming) -> Result<Dd, OutOfNodes> {
        if renaming.is_identity() {
            return Ok(f.clone());
        }
        self.create(|store| Dd::of(store, rename(store, f.edge(store), renaming)))
    }
}

fn rename<'id>(
    store: &Store<'id>,
    f: EdgeRef<'_, 'id>,
    renaming: &Renaming,
) -> AllocResult<OwnEdge<'id>> {
    // Renaming commutes with complement: one cache entry serves both.
    let tag = f.tag();
    let f = f.with_tag(EdgeTag::None);
    let View::Branch { level, high, low } = view(store, f) else {
        return Ok(store.clone_edge(f.with_tag(tag)));
    };
    if level > renaming.deepest {
        return Ok(store.clone_edge(f.with_tag(tag)));
    }
    let key = (&[f][..], &[renaming.id][..]);
    let result = match cache(store).get_extended(store, BCDDOp::Substitute, key) {
        Some(([known], [])) => known,
        None => {
            let high = Guard::new(store, rename(store, high, renaming)?);
            let low = Guard::new(store, rename(store, low, renaming)?);
            let result = ite_at(store, renaming.target_of(level), high, low)?;
            let value = (&[result.borrowed()][..], &[][..]);
            cache(store).add_extended(store, BCDDOp::Substitute, key, value);
            result
        }
    };
    let result_tag = result.tag() ^ tag;
    Ok(result.with_tag(result_tag))
}
