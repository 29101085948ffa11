//! Abstract states: registers, nodes, what is known of numbers.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::{BlockId, FuncId, ObjId, Ty, VarId};

use crate::elem::Elem;
use crate::value::{Bounds, NodeId, Ptr, SymId, Value};

/// How the elements of a segment are linked: the offset of the field, and where in the neighbour it points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    pub field: u64,
    pub target: i64,
}

/// One or more instances in a row. The fields of the node are the links out: from the last element on, and from the first
/// one back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Segment {
    pub next: Link,
    pub prev: Option<Link>,
    /// There are at least so many elements: 1 or 2.
    pub least: u8,
    /// An element is like one of these; all of them are used.
    pub colours: Vec<Elem>,
    /// Colours of the first element, of the last, and of two neighbours.
    pub first: BTreeSet<usize>,
    pub last: BTreeSet<usize>,
    pub pairs: BTreeSet<(usize, usize)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Node {
    /// Of each instance.
    pub size: u64,
    pub is_heap: bool,
    pub is_const: bool,
    pub is_alive: bool,
    /// What bytes hold that no field tells of: zero, or anything.
    pub is_zero: bool,
    /// By offset. They do not overlap.
    pub fields: BTreeMap<u64, (Ty, Value)>,
    pub segment: Option<Box<Segment>>,
}

impl Node {
    pub fn has(&self, offset: i64, bytes: u64) -> bool {
        u64::try_from(offset)
            .is_ok_and(|it| it.checked_add(bytes).is_some_and(|end| end <= self.size))
    }

    /// The pointer in a field; `None` if the bytes were written as something else.
    ///
    /// Soundness: bytes that no field begins with may still have another one in the middle.
    pub fn link(&self, field: u64, ptr_bits: u8) -> Option<Value> {
        let end = field + Ty::Ptr.bytes(ptr_bits);
        let mut others = self.fields.iter().map(|(at, (ty, _))| (*at, at + ty.bytes(ptr_bits)));
        match self.fields.get(&field) {
            Some(&(Ty::Ptr, value)) => Some(value),
            Some(_) => None,
            None if others.any(|it| it.0 < end && field < it.1) => None,
            None => Some(if self.is_zero { Value::Int(0) } else { Value::Any }),
        }
    }
}

/// A call that is running.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub func: FuncId,
    /// The block that is executed, and how many of its instructions have been.
    pub block: BlockId,
    pub at: usize,
    pub registers: BTreeMap<VarId, Value>,
    pub objects: BTreeMap<ObjId, NodeId>,
    /// The caller's register for the result.
    pub result: Option<VarId>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub globals: BTreeMap<VarId, Value>,
    pub statics: BTreeMap<ObjId, NodeId>,
    /// The running call is the last one.
    pub frames: Vec<Frame>,
    pub nodes: BTreeMap<NodeId, Node>,
    pub bounds: BTreeMap<SymId, Bounds>,
    /// Whether there may be live instances that nothing here leads to.
    pub has_lost: bool,
    pub ptr_bits: u8,
    pub next_node: NodeId,
    pub next_sym: SymId,
}

impl State {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a state has a running call")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a state has a running call")
    }

    /// Whether a value points to something that is alive.
    pub fn is_alive(&self, value: Value) -> bool {
        let node = value.pointer().and_then(|it| self.nodes.get(&it.node));
        node.is_some_and(|it| it.is_alive)
    }

    pub fn add_node(&mut self, node: Node) -> NodeId {
        let id = self.next_node;
        self.next_node += 1;
        self.nodes.insert(id, node);
        id
    }

    /// An arbitrary number.
    pub fn number(&mut self, bounds: Bounds) -> Value {
        if let Some(only) = bounds.only() {
            return Value::Int(only);
        }
        let id = self.next_sym;
        self.next_sym += 1;
        self.bounds.insert(id, bounds);
        Value::Sym(id)
    }

    /// Calls `change` with every value of the state, those in the elements of segments included.
    pub fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        self.globals.values_mut().for_each(&mut *change);
        for frame in &mut self.frames {
            frame.registers.values_mut().for_each(&mut *change);
        }
        self.nodes.values_mut().for_each(|node| node.change(change));
    }

    /// A number turns out to be a constant.
    pub fn fix(&mut self, sym: SymId, bits: u128) {
        self.change(&mut |value| {
            if *value == Value::Sym(sym) {
                *value = Value::Int(bits);
            }
        });
        self.bounds.remove(&sym);
    }

    /// Forgets what no register leads to. Soundness: memory on the heap that is forgotten while alive is lost.
    pub fn collect(&mut self) {
        let mut reached: BTreeSet<NodeId> = self.statics.values().copied().collect();
        let mut todo: Vec<NodeId> = reached.iter().copied().collect();
        let mut syms: BTreeSet<SymId> = BTreeSet::new();
        {
            let mut visit = |value: &Value| match value {
                Value::Ptr(Ptr { node, .. }) => todo.push(*node),
                Value::Sym(sym) => drop(syms.insert(*sym)),
                _ => {}
            };
            self.globals.values().for_each(&mut visit);
            for frame in &self.frames {
                frame.registers.values().for_each(&mut visit);
                frame.objects.values().for_each(|&it| visit(&at(it)));
            }
        }
        reached.clear();
        while let Some(id) = todo.pop() {
            let Some(node) = self.nodes.get(&id) else { continue };
            if reached.insert(id) {
                node.visit(&mut |value| match value {
                    Value::Ptr(Ptr { node, .. }) => todo.push(*node),
                    Value::Sym(sym) => drop(syms.insert(*sym)),
                    _ => {}
                });
            }
        }
        let is_lost =
            |(id, it): (&NodeId, &Node)| it.is_alive && it.is_heap && !reached.contains(id);
        self.has_lost |= self.nodes.iter().any(is_lost);
        self.nodes.retain(|id, _| reached.contains(id));
        self.bounds.retain(|id, _| syms.contains(id));
    }
}

impl Node {
    pub fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        self.fields.values_mut().for_each(|(_, value)| change(value));
        for colour in self.segment.iter_mut().flat_map(|it| &mut it.colours) {
            colour.change(change);
        }
    }

    /// A segment that has at least two elements has at least one.
    pub fn relax(&mut self) {
        if let Some(segment) = &mut self.segment {
            segment.least = 1;
            let inner = segment.colours.iter_mut().flat_map(|it| it.inner.values_mut());
            inner.for_each(Node::relax);
        }
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.fields.values().for_each(|(_, value)| visit(value));
        for colour in self.segment.iter().flat_map(|it| &it.colours) {
            colour.visit(visit);
        }
    }
}

/// A pointer to the first byte of a node.
pub fn at(node: NodeId) -> Value {
    Value::Ptr(Ptr { node, end: crate::value::End::First, offset: 0 })
}
