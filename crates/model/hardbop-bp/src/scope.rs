//! What the names of a file stand for.

use hardbop_base::{Name, Span};
use hardbop_cfg::{ProcId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A table of names of one kind, with the place of each declaration.
pub(crate) struct Names<T> {
    table: FxHashMap<Name, (T, Span)>,
    /// Names reported as unknown, each once.
    reported: FxHashSet<Name>,
}

pub(crate) type Vars = Names<VarId>;
pub(crate) type Procs = Names<ProcId>;

impl<T> Default for Names<T> {
    fn default() -> Self {
        Names { table: FxHashMap::default(), reported: FxHashSet::default() }
    }
}

impl<T: Copy> Names<T> {
    /// Declares a name; where it is taken, the place of its first declaration.
    pub fn declare(&mut self, name: &Name, it: T, span: Span) -> Result<(), Span> {
        match self.table.get(name) {
            Some(&(_, first)) => Err(first),
            None => {
                self.table.insert(name.clone(), (it, span));
                Ok(())
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<T> {
        self.table.get(name).map(|&(it, _)| it)
    }

    pub fn place(&self, name: &str) -> Option<Span> {
        self.table.get(name).map(|&(_, span)| span)
    }

    /// Whether this is the first time the name is found to be unknown.
    pub fn report(&mut self, name: &Name) -> bool {
        self.reported.insert(name.clone())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(|name| &**name)
    }
}
