//! Colours: what an element of a segment is like, apart from the links to its neighbours.
//!
//! An element may have memory that only it leads to, a list of its own for example. That is part of its colour, so each
//! element has its own copy. Inside a colour the element itself and its memory have names from [`LOCAL`] on, by the *height*
//! of the colour: colours inside are lower, so names do not clash.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::Ty;

use crate::state::{Node, State};
use crate::value::{LOCAL, NodeId, Ptr, Value};

/// Names of one height.
const PER_HEIGHT: NodeId = 1 << 12;
/// Colours are nested at most so deep.
const MAX_HEIGHT: u32 = 6;
/// Nodes that one element may own.
const MAX_INNER: usize = 12;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Elem {
    pub height: u32,
    pub is_zero: bool,
    /// Numbers are constants or unknown.
    pub fields: BTreeMap<u64, (Ty, Value)>,
    /// Memory of its own.
    pub inner: BTreeMap<NodeId, Node>,
}

impl Elem {
    /// The name of the element itself.
    pub fn own(&self) -> NodeId {
        own_name(self.height)
    }

    pub fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        self.fields.values_mut().for_each(|(_, value)| change(value));
        for node in self.inner.values_mut() {
            // The same function for every depth: a type of its own for each would have no end.
            let change: &mut dyn FnMut(&mut Value) = change;
            change_inner(node, change);
        }
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.fields.values().for_each(|(_, value)| visit(value));
        self.inner.values().for_each(|node| node.visit(visit));
    }

    /// Puts the element into a state in place of `node`, which has the links.
    pub fn put(&self, state: &mut State, node: NodeId) {
        let mut names = BTreeMap::from([(self.own(), node)]);
        for &name in self.inner.keys() {
            names.insert(name, state.next_node);
            state.next_node += 1;
        }
        let mut rename = |value: &mut Value| {
            if let Value::Ptr(ptr) = value
                && let Some(&to) = names.get(&ptr.node)
            {
                ptr.node = to;
            }
        };
        let mut copy = self.clone();
        copy.change(&mut rename);
        for (name, inner) in copy.inner {
            state.nodes.insert(names[&name], inner);
        }
        let target = state.nodes.get_mut(&node).expect("the element's node is there");
        target.is_zero = self.is_zero;
        for (offset, field) in copy.fields {
            target.fields.entry(offset).or_insert(field);
        }
    }
}

impl Elem {
    /// Whether an element of the other colour has this one, too. What no field tells of may be anything, or is zero.
    pub fn covers(&self, other: &Elem) -> bool {
        let is_known = |(offset, (ty, value)): (&u64, &(Ty, Value))| match other.fields.get(offset)
        {
            // A pointer is not forgotten: what it holds would be lost.
            Some((theirs, it)) => {
                ty == theirs && (value == it || *value == Value::Any && it.pointer().is_none())
            }
            None => *value == Value::Any,
        };
        let is_extra = |(offset, (_, value)): (&u64, &(Ty, Value))| {
            !self.fields.contains_key(offset) && (self.is_zero || value.pointer().is_some())
        };
        self.height == other.height
            && self.is_zero == other.is_zero
            && self.inner == other.inner
            && self.fields.iter().all(is_known)
            && !other.fields.iter().any(is_extra)
    }

    /// Whether it points to live memory of the heap that is not its own.
    pub fn tells_apart(&self, state: &State) -> bool {
        let mut tells = false;
        self.visit(&mut |value| {
            let node = value.pointer().and_then(|it| state.nodes.get(&it.node));
            tells |= node.is_some_and(|it| it.is_heap && it.is_alive);
        });
        tells
    }

    /// The same with all numbers forgotten.
    pub fn without_numbers(&self) -> Elem {
        let mut elem = self.clone();
        let forget = |(ty, value): &mut (Ty, Value)| {
            if matches!(ty, Ty::Int(_)) {
                *value = Value::Any;
            }
        };
        elem.fields.values_mut().for_each(forget);
        elem
    }
}

fn change_inner(node: &mut Node, mut change: &mut dyn FnMut(&mut Value)) {
    node.change(&mut change);
}

fn own_name(height: u32) -> NodeId {
    LOCAL + height * PER_HEIGHT
}

/// Who points where: for each node the nodes whose fields or colours lead to it, `None` for registers.
pub type Referrers = BTreeMap<NodeId, BTreeSet<Option<NodeId>>>;

/// The colour of a node that is no segment, with the nodes that become its memory; `None` if it has too much of that.
pub fn colour_of(
    state: &State,
    node: NodeId,
    links: &[u64],
    referrers: &Referrers,
) -> Option<(Elem, BTreeSet<NodeId>)> {
    let it = &state.nodes[&node];
    let order = owned(state, node, links, referrers);
    if order.len() > MAX_INNER {
        return None;
    }
    let heights = order.iter().filter_map(|id| state.nodes[id].segment.as_ref());
    let heights = heights.flat_map(|it| it.colours.iter().map(|colour| colour.height + 1));
    let height = heights.max().unwrap_or(0);
    if height > MAX_HEIGHT {
        return None;
    }
    let own = own_name(height);
    let names: BTreeMap<NodeId, NodeId> =
        order.iter().zip(own + 1..).map(|(&id, name)| (id, name)).chain([(node, own)]).collect();
    let mut rename = |value: &mut Value| match value {
        Value::Ptr(Ptr { node, .. }) => *node = names.get(node).copied().unwrap_or(*node),
        // Another element has another number.
        Value::Sym(_) => *value = Value::Any,
        _ => {}
    };
    let fields = it.fields.iter().filter(|(offset, _)| !links.contains(offset));
    let fields = fields.map(|(&offset, &field)| (offset, field)).collect();
    let inner = order.iter().map(|id| (names[id], state.nodes[id].clone())).collect();
    let mut elem = Elem { height, is_zero: it.is_zero, fields, inner };
    elem.change(&mut rename);
    Some((elem, order.into_iter().collect()))
}

/// The nodes on the heap, dead ones included, that only this one leads to, not through its links, in an order that does not
/// depend on names.
fn owned(state: &State, node: NodeId, links: &[u64], referrers: &Referrers) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    let is_candidate =
        |id: &NodeId| *id != node && state.nodes.get(id).is_some_and(|it| it.is_heap);
    let add = |value: &Value, found: &mut Vec<NodeId>| {
        if let Some(Ptr { node: to, .. }) = value.pointer()
            && is_candidate(&to)
            && !found.contains(&to)
        {
            found.push(to);
        }
    };
    for (_, (_, value)) in state.nodes[&node].fields.iter().filter(|it| !links.contains(it.0)) {
        add(value, &mut found);
    }
    let mut at = 0;
    while at < found.len() {
        state.nodes[&found[at]].visit(&mut |value| add(value, &mut found));
        at += 1;
    }
    // What the links lead to belongs to the list.
    let nodes: Vec<NodeId> = links
        .iter()
        .filter_map(|link| state.nodes[&node].fields.get(link)?.1.pointer())
        .map(|it| it.node)
        .collect();
    found.retain(|it| !nodes.contains(it));
    loop {
        let is_owned = |id: &NodeId| {
            let all = referrers.get(id);
            all.is_some_and(|all| {
                all.iter().all(|from| from.is_some_and(|it| it == node || found.contains(&it)))
            })
        };
        let kept: Vec<NodeId> = found.iter().copied().filter(is_owned).collect();
        if kept.len() == found.len() {
            return kept;
        }
        found = kept;
    }
}
