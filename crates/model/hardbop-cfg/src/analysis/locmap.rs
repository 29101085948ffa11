//! One value for each location of a program.

use std::ops::{Index, IndexMut};

use hardbop_base::{Idx, IndexVec};

use crate::program::{Loc, LocRef, ProcId, Program};

/// A table over all locations, procedure by procedure.
#[derive(Clone, Debug)]
pub struct LocMap<T> {
    base: LocBase,
    items: Vec<T>,
}

impl<T: Clone> LocMap<T> {
    pub fn new(program: &Program, item: T) -> Self {
        let base = LocBase::new(program);
        let items = vec![item; base.len()];
        LocMap { base, items }
    }
}

impl<T> LocMap<T> {
    /// `items` in the order of [`Program::all_locs`].
    pub(crate) fn from_items(base: LocBase, items: Vec<T>) -> Self {
        debug_assert_eq!(base.len(), items.len());
        LocMap { base, items }
    }
}

impl<T> Index<LocRef> for LocMap<T> {
    type Output = T;
    fn index(&self, at: LocRef) -> &T {
        &self.items[self.base.flat(at.proc, at.loc)]
    }
}

impl<T> IndexMut<LocRef> for LocMap<T> {
    fn index_mut(&mut self, at: LocRef) -> &mut T {
        &mut self.items[self.base.flat(at.proc, at.loc)]
    }
}

/// Numbers all locations of a program from 0.
#[derive(Clone, Debug)]
pub(crate) struct LocBase {
    /// The number of each procedure's location 0, and at last the number of all locations.
    first: Vec<u32>,
}

impl LocBase {
    pub(crate) fn new(program: &Program) -> Self {
        let mut first = vec![0];
        let mut n = 0;
        for proc in &program.procs {
            n += proc.locs.len() as u32;
            first.push(n);
        }
        LocBase { first }
    }

    pub(crate) fn len(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    pub(crate) fn flat(&self, proc: ProcId, loc: Loc) -> usize {
        (self.first[proc.index()] + loc.as_u32()) as usize
    }

    /// The numbers of a procedure's locations.
    pub(crate) fn range(&self, proc: ProcId) -> std::ops::Range<usize> {
        self.first[proc.index()] as usize..self.first[proc.index() + 1] as usize
    }
}

/// Sets per procedure.
pub(crate) type PerProc<T> = IndexVec<ProcId, T>;
