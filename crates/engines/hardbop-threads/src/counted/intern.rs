//! Numbers for states, so that equal ones are one number.

use std::hash::Hash;
use std::rc::Rc;

use hardbop_base::{Idx, IndexVec};
use rustc_hash::FxHashMap;

/// A table of things and their numbers, in order of first appearance.
#[derive(Debug)]
pub struct Interner<I: Idx, T> {
    items: IndexVec<I, Rc<T>>,
    ids: FxHashMap<Rc<T>, I>,
}

impl<I: Idx, T: Eq + Hash> Default for Interner<I, T> {
    fn default() -> Self {
        Interner { items: IndexVec::new(), ids: FxHashMap::default() }
    }
}

impl<I: Idx, T: Eq + Hash> Interner<I, T> {
    pub fn id(&mut self, item: T) -> I {
        if let Some(&known) = self.ids.get(&item) {
            return known;
        }
        let item = Rc::new(item);
        let id = self.items.push(item.clone());
        self.ids.insert(item, id);
        id
    }

    /// Without adding it.
    pub fn known(&self, item: &T) -> Option<I> {
        self.ids.get(item).copied()
    }

    pub fn get(&self, id: I) -> Rc<T> {
        self.items[id].clone()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|item| &**item)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
