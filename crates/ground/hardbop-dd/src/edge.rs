//! The library's edges: what the algorithms of this crate are written in.
//!
//! An edge points to a node and may be complemented. There is one terminal, true. The then-edge
//! of a node is never complemented, hence an uncomplemented edge stands for a function that is
//! true where all variables are true.

use oxidd::bcdd::BCDDFunction;
use oxidd_core::function::{BooleanFunction, EdgeOfFunc, Function};
use oxidd_core::util::{AllocResult, EdgeDropGuard, Own, Ref};
use oxidd_core::{DiagramRules, HasApplyCache, HasLevel, Manager, Node};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

/// The library's manager inside a critical section; `'id` ties edges to it.
pub(crate) type Store<'id> = <BCDDFunction as Function>::Manager<'id>;
/// An edge someone else owns.
pub(crate) type EdgeRef<'a, 'id> = Ref<'a, EdgeOfFunc<'id, BCDDFunction>>;
/// An edge that must be handed on or given back.
pub(crate) type OwnEdge<'id> = Own<EdgeOfFunc<'id, BCDDFunction>>;
/// An edge given back when it goes out of scope.
pub(crate) type Guard<'a, 'id> = EdgeDropGuard<'a, Store<'id>>;
/// The cache of operations, shared with the library.
pub(crate) type Cache<'id> = <Store<'id> as HasApplyCache<Store<'id>, BCDDOp>>::ApplyCache;

/// Level of constants: below everything.
pub(crate) const BOTTOM: u32 = u32::MAX;

/// What an edge points at, its complement already pushed into the cofactors.
pub(crate) enum View<'a, 'id: 'a> {
    Const(bool),
    Branch { level: u32, high: EdgeRef<'a, 'id>, low: EdgeRef<'a, 'id> },
}

#[inline]
pub(crate) fn view<'a, 'id>(store: &'a Store<'id>, edge: EdgeRef<'a, 'id>) -> View<'a, 'id> {
    match store.get_node(edge) {
        Node::Terminal(_) => View::Const(!is_complemented(edge)),
        Node::Inner(node) => {
            let (high, low) = BCDDFunction::cofactors_node(edge.tag(), node);
            View::Branch { level: node.level(), high, low }
        }
    }
}

#[inline]
pub(crate) fn is_complemented(edge: EdgeRef<'_, '_>) -> bool {
    edge.tag() == EdgeTag::Complemented
}

#[inline]
pub(crate) fn not<'a, 'id>(edge: EdgeRef<'a, 'id>) -> EdgeRef<'a, 'id> {
    edge.with_tag(!edge.tag())
}

#[inline]
pub(crate) fn top<'id>(store: &Store<'id>, edge: EdgeRef<'_, 'id>) -> u32 {
    match store.get_node(edge) {
        Node::Terminal(_) => BOTTOM,
        Node::Inner(node) => node.level(),
    }
}

/// Both cofactors by the variable at `level`, which is not below the top of the function.
#[inline]
pub(crate) fn cofactors_at<'a, 'id>(
    store: &'a Store<'id>,
    edge: EdgeRef<'a, 'id>,
    level: u32,
) -> (EdgeRef<'a, 'id>, EdgeRef<'a, 'id>) {
    match view(store, edge) {
        View::Branch { level: top, high, low } if top == level => (high, low),
        _ => (edge, edge),
    }
}

/// The node that branches at `level`, which is above both cofactors.
#[inline]
pub(crate) fn branch<'id>(
    store: &Store<'id>,
    level: u32,
    high: OwnEdge<'id>,
    low: OwnEdge<'id>,
) -> AllocResult<OwnEdge<'id>> {
    <<Store<'id> as Manager>::Rules as DiagramRules<_, _, _>>::reduce(store, level, [high, low])
        .then_insert(store, level)
}

/// `if level then high else low`, wherever the level lies in the order.
pub(crate) fn ite_at<'id>(
    store: &Store<'id>,
    level: u32,
    high: Guard<'_, 'id>,
    low: Guard<'_, 'id>,
) -> AllocResult<OwnEdge<'id>> {
    if level < top(store, high.borrowed()) && level < top(store, low.borrowed()) {
        return branch(store, level, high.into_edge(), low.into_edge());
    }
    let var = Guard::new(store, BCDDFunction::var_edge(store, level)?);
    BCDDFunction::ite_edge(store, var.borrowed(), high.borrowed(), low.borrowed())
}

#[inline]
pub(crate) fn cache<'a, 'id>(store: &'a Store<'id>) -> &'a Cache<'id> {
    store.apply_cache()
}

/// Keys of our own operations in the shared cache. The library never uses a number as an operand
/// beside two edges, so these cannot be mistaken for one of its entries.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum OwnOp {
    Disjoint = 0,
    Simplify = 1,
}

/// The operator under which our entries are kept; any would do.
pub(crate) const OWN: BCDDOp = BCDDOp::And;
