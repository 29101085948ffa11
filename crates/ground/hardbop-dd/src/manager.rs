//! The owner of all nodes: creation, garbage, and what happens when the nodes run out.
//!
//! The library starts one idle worker and one collector thread with every manager (they end with
//! it); creating and dropping one costs about 150 microseconds. The collector wakes when 95 % of
//! the nodes are used. That is too late to keep memory small, so engines call
//! [`Manager::maybe_gc`] between steps.
//!
//! Known limits. The worker reserves 1 GiB of addresses for its stack, and the library panics if
//! it cannot: under a limit on address space (not on memory) set `OXIDD_STACK_SIZE=65536` before
//! the first manager is made; the worker is never used. An operation once begun ends only with
//! its result or for want of nodes: a deadline is noticed between operations.

use std::cell::Cell;

use hardbop_base::Idx;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd_core::function::{BooleanFunction, Function};
use oxidd_core::util::AllocResult;
use oxidd_core::{Manager as _, ManagerRef as _};

use crate::edge::{EdgeRef, OwnEdge, Store};
use crate::{Level, Limits, OutOfNodes, stack};

/// A Boolean function of the levels of one manager. Cloning and dropping count references;
/// equality and hash take constant time. Functions of different managers are never equal.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dd(BCDDFunction);

impl Dd {
    /// The handle that takes over an edge.
    #[inline]
    pub(crate) fn taking<'id>(store: &Store<'id>, edge: OwnEdge<'id>) -> Dd {
        Dd(BCDDFunction::from_edge(store, edge))
    }

    /// The handle of an operation's result.
    #[inline]
    pub(crate) fn of<'id>(store: &Store<'id>, edge: AllocResult<OwnEdge<'id>>) -> AllocResult<Dd> {
        edge.map(|edge| Dd::taking(store, edge))
    }

    #[inline]
    pub(crate) fn edge<'a, 'id>(&'a self, store: &Store<'id>) -> EdgeRef<'a, 'id> {
        self.0.as_edge(store)
    }
}

impl std::fmt::Debug for Dd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Dd")
    }
}

/// Owns the nodes of all functions that may be combined with each other.
///
/// Operations panic when given a function of another manager or a level that does not exist.
#[derive(Debug)]
pub struct Manager {
    shared: Handle,
    limits: Limits,
    n_levels: usize,
    /// Bytes of stack an operation may need; grows with the levels.
    stack: usize,
    /// Number of nodes at which `maybe_gc` next collects.
    collect_at: Cell<usize>,
    /// Smallest value of `collect_at`: below it, garbage is not worth a cleared cache.
    collect_floor: usize,
    zero: Dd,
    one: Dd,
}

/// The library's reference to its manager; a type of its own for the sake of `Debug`.
struct Handle(BCDDManagerRef);

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Handle")
    }
}

impl Manager {
    pub fn new(n_levels: usize, limits: Limits) -> Manager {
        let limits = limits.reservable();
        let store = oxidd::bcdd::new_manager(limits.nodes, limits.cache_entries, 1);
        let (zero, one) =
            store.with_manager_shared(|store| (BCDDFunction::f(store), BCDDFunction::t(store)));
        let collect_floor = limits.cache_entries.max(1 << 16).min(limits.nodes / 2);
        let mut manager = Manager {
            shared: Handle(store),
            limits,
            n_levels: 0,
            stack: stack::bytes_for(0),
            collect_at: Cell::new(collect_floor),
            collect_floor,
            zero: Dd(zero),
            one: Dd(one),
        };
        manager.add_levels(n_levels);
        manager
    }

    /// Adds levels below all others and returns the first of them.
    pub fn add_levels(&mut self, n: usize) -> Level {
        let first = Level::new(self.n_levels);
        // Checks that the last one has a number, too.
        let end = Level::new(self.n_levels + n);
        self.shared.0.with_manager_exclusive(|store| {
            store.add_vars(end.as_u32() - first.as_u32());
        });
        self.n_levels += n;
        self.stack = stack::bytes_for(self.n_levels);
        first
    }

    pub fn n_levels(&self) -> usize {
        self.n_levels
    }

    /// As the system allowed them, which may be less than was asked for.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn zero(&self) -> &Dd {
        &self.zero
    }

    pub fn one(&self) -> &Dd {
        &self.one
    }

    pub fn constant(&self, value: bool) -> Dd {
        if value { self.one.clone() } else { self.zero.clone() }
    }

    pub fn is_false(&self, f: &Dd) -> bool {
        *f == self.zero
    }

    pub fn is_true(&self, f: &Dd) -> bool {
        *f == self.one
    }

    /// Nodes that exist now, garbage included.
    pub fn n_nodes(&self) -> usize {
        self.read(|store| store.approx_num_inner_nodes())
    }

    /// Frees the nodes no function uses and forgets the cache. Returns how many were freed.
    pub fn gc(&self) -> usize {
        loop {
            let (ran, freed) = self.read(|store| {
                let before = store.gc_count();
                let freed = store.gc();
                (store.gc_count() != before, freed)
            });
            if ran {
                return freed;
            }
            // The collector thread is at it: its result is ours, once it is done.
            std::thread::yield_now();
        }
    }

    /// Collects garbage if there may be as much of it as there were live nodes after the last
    /// time. Cheap when there is nothing to do: call it between the steps of an engine.
    pub fn maybe_gc(&self) -> usize {
        let before = self.n_nodes();
        if before < self.collect_at.get() {
            return 0;
        }
        let freed = self.gc();
        let live = before.saturating_sub(freed);
        self.collect_at.set((2 * live).max(self.collect_floor));
        freed
    }

    /// Runs an operation that may create nodes; when they run out, collects garbage and tries
    /// once more.
    #[inline]
    pub(crate) fn create(
        &self,
        operation: impl for<'id> Fn(&Store<'id>) -> AllocResult<Dd>,
    ) -> Result<Dd, OutOfNodes> {
        stack::with_bytes(self.stack, || {
            if let Ok(result) = self.shared.0.with_manager_shared(&operation) {
                return Ok(result);
            }
            self.retry(operation)
        })
    }

    #[cold]
    fn retry(
        &self,
        operation: impl for<'id> Fn(&Store<'id>) -> AllocResult<Dd>,
    ) -> Result<Dd, OutOfNodes> {
        self.gc();
        self.shared
            .0
            .with_manager_shared(operation)
            .map_err(|_| OutOfNodes { limit: self.limits.nodes })
    }

    /// Runs an operation that creates no node.
    #[inline]
    pub(crate) fn read<T>(&self, operation: impl for<'id> FnOnce(&Store<'id>) -> T) -> T {
        self.shared.0.with_manager_shared(operation)
    }

    /// Runs a recursive operation that creates no node.
    #[inline]
    pub(crate) fn descend<T>(&self, operation: impl for<'id> FnOnce(&Store<'id>) -> T) -> T {
        stack::with_bytes(self.stack, || self.read(operation))
    }
}
