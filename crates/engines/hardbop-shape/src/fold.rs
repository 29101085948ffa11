//! Neighbours become one segment, so that lists of any length have a description of bounded size.
//!
//! Soundness: what is folded is an instance of what the segment stands for. The first element is the first of the front part, the last
//! one is the last of the back part, and nothing but the links may point to where the two meet. The colours that may follow each
//! other are those of both parts, and each last one of the front before each first one of the back.

use std::collections::BTreeSet;

use hardbop_cir::Ty;

use crate::elem::{Elem, Referrers, colour_of};
use crate::state::{Link, Node, Segment, State};
use crate::value::{End, NodeId, Ptr, Value};

/// Colours of one segment; with more, numbers are forgotten.
const MAX_COLOURS: usize = 8;
/// Bytes of a variable.
const VARIABLE: u64 = 8;

/// A pointer and where it is kept: in a register, in a field of a node, or in a colour of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holder {
    Register,
    Field(NodeId, u64),
    Colour(NodeId),
}

/// Two neighbours and how they are linked.
#[derive(Clone, Copy, Debug)]
struct Junction {
    front: NodeId,
    back: NodeId,
    next: Link,
    prev: Option<Link>,
}

impl State {
    /// Folds until nothing can be folded: what is alone first, then what has memory of its own.
    pub fn fold(&mut self) {
        while self.fold_once(false) || self.fold_once(true) {}
    }

    fn fold_once(&mut self, with_inner: bool) -> bool {
        let holders = self.holders();
        let referrers = self.referrers();
        for junction in self.junctions() {
            let folded = self.join(junction, &holders, &referrers, with_inner);
            if folded.is_some() {
                return true;
            }
        }
        false
    }

    fn holders(&self) -> Vec<(Holder, Ptr)> {
        let mut all = Vec::new();
        let registers = self.frames.iter().flat_map(|it| it.registers.values());
        for value in self.globals.values().chain(registers) {
            all.extend(value.pointer().map(|it| (Holder::Register, it)));
        }
        for (&id, node) in &self.nodes {
            for (&at, (_, value)) in &node.fields {
                all.extend(value.pointer().map(|it| (Holder::Field(id, at), it)));
            }
            for colour in node.segment.iter().flat_map(|it| &it.colours) {
                colour.visit(&mut |value| {
                    all.extend(value.pointer().map(|it| (Holder::Colour(id), it)));
                });
            }
        }
        all
    }

    pub(crate) fn referrers(&self) -> Referrers {
        let mut referrers = Referrers::new();
        for (holder, ptr) in self.holders() {
            let from = match holder {
                Holder::Register => None,
                Holder::Field(id, _) | Holder::Colour(id) => Some(id),
            };
            referrers.entry(ptr.node).or_default().insert(from);
        }
        referrers
    }

    /// Pairs of live nodes of one size on the heap, the one pointing to the other.
    fn junctions(&self) -> Vec<Junction> {
        let mut found = Vec::new();
        for (&front, a) in self.nodes.iter().filter(|it| it.1.is_heap && it.1.is_alive) {
            for (&field, (ty, value)) in &a.fields {
                let Some(ptr) = value.pointer().filter(|_| *ty == Ty::Ptr) else { continue };
                let next = Link { field, target: ptr.offset };
                let Some(b) = self.nodes.get(&ptr.node) else { continue };
                let fits = ptr.node != front
                    && ptr.end == End::First
                    && b.is_heap
                    && b.is_alive
                    && a.size == b.size
                    && b.has(ptr.offset, 1)
                    && [a, b].iter().all(|it| it.segment.as_ref().is_none_or(|s| s.next == next));
                if !fits {
                    continue;
                }
                for prev in self.ways_back(front, ptr.node, field) {
                    found.push(Junction { front, back: ptr.node, next, prev });
                }
            }
        }
        found
    }

    /// How the back part may point to the front one; that there is no way back comes last.
    fn ways_back(&self, front: NodeId, back: NodeId, next: u64) -> Vec<Option<Link>> {
        let (a, b) = (&self.nodes[&front], &self.nodes[&back]);
        let end = if a.segment.is_some() { End::Last } else { End::First };
        let fields = b.fields.iter().filter(|it| *it.0 != next && it.1.0 == Ty::Ptr);
        let links = fields.filter_map(|(&field, (_, value))| {
            let ptr = value.pointer()?;
            let is_back = ptr.node == front && ptr.end == end && a.has(ptr.offset, 1);
            is_back.then_some(Some(Link { field, target: ptr.offset }))
        });
        let fits = |prev: &Option<Link>| {
            [a, b].iter().all(|it| it.segment.as_ref().is_none_or(|it| it.prev == *prev))
        };
        links.chain([None]).filter(fits).collect()
    }

    /// Whether nothing but the links, and their own memory, points to where the two meet, and not both are pointed to from
    /// elsewhere: a list keeps apart what a register tells apart.
    fn may_fold(
        &self,
        it: &Junction,
        holders: &[(Holder, Ptr)],
        of_a: &BTreeSet<NodeId>,
        of_b: &BTreeSet<NodeId>,
    ) -> bool {
        let (a, b) = (&self.nodes[&it.front], &self.nodes[&it.back]);
        let (mut a_is_held, mut b_is_held) = (false, false);
        for &(holder, ptr) in holders.iter().filter(|it2| [it.front, it.back].contains(&it2.1.node))
        {
            let is_next = holder == Holder::Field(it.front, it.next.field);
            let is_prev = it.prev.is_some_and(|prev| holder == Holder::Field(it.back, prev.field));
            if ptr.node == it.back && is_next || ptr.node == it.front && is_prev {
                continue;
            }
            let from = match holder {
                Holder::Register => None,
                Holder::Field(id, _) | Holder::Colour(id) => Some(id),
            };
            let is_a = |id: NodeId| id == it.front || of_a.contains(&id);
            let is_b = |id: NodeId| id == it.back || of_b.contains(&id);
            if let Some(from) =
                from.filter(|&id| !is_link_out(it, holder) && (is_a(id) || is_b(id)))
            {
                // An element and its memory may point to it, not to the other.
                let is_own = if is_a(from) { ptr.node == it.front } else { ptr.node == it.back };
                if !is_own || self.nodes[&ptr.node].segment.is_some() {
                    return false;
                }
                continue;
            }
            let tells_apart = match holder {
                Holder::Register => true,
                // A variable in memory; of what points both ways, that a field points here tells nothing.
                Holder::Field(id, _) => {
                    it.prev.is_none()
                        || !self.nodes[&id].is_heap && self.nodes[&id].size <= VARIABLE
                }
                Holder::Colour(_) => it.prev.is_none(),
            };
            if ptr.node == it.front {
                if a.segment.is_some() && ptr.end == End::Last {
                    return false;
                }
                a_is_held |= tells_apart;
            } else {
                if b.segment.is_some() && ptr.end == End::First {
                    return false;
                }
                b_is_held |= tells_apart;
            }
        }
        !(a_is_held && b_is_held)
    }

    fn join(
        &mut self,
        it: Junction,
        holders: &[(Holder, Ptr)],
        referrers: &Referrers,
        with_inner: bool,
    ) -> Option<()> {
        let (mut a, owned_by_a) = self.part(it.front, it.next, it.prev, referrers)?;
        let (b, owned_by_b) = self.part(it.back, it.next, it.prev, referrers)?;
        if !self.may_fold(&it, holders, &owned_by_a, &owned_by_b) {
            return None;
        }
        let owned: BTreeSet<NodeId> = owned_by_a.into_iter().chain(owned_by_b).collect();
        if owned.contains(&it.front) || owned.contains(&it.back) {
            return None;
        }
        if !with_inner && !owned.is_empty() {
            return None;
        }
        let out =
            |id: NodeId, field: u64| Some((Ty::Ptr, self.nodes[&id].link(field, self.ptr_bits)?));
        let mut fields = std::collections::BTreeMap::new();
        fields.insert(it.next.field, out(it.back, it.next.field)?);
        if let Some(prev) = it.prev {
            fields.insert(prev.field, out(it.front, prev.field)?);
        }
        a.append(b);
        // What one element alone points to is lost where it may be another one.
        if a.colours.len() > 1 && a.colours.iter().any(|it| it.tells_apart(self)) {
            return None;
        }
        a.limit(MAX_COLOURS);
        let size = self.nodes[&it.front].size;
        let joined = Node {
            size,
            is_heap: true,
            is_const: false,
            is_alive: true,
            is_zero: false,
            fields,
            segment: Some(Box::new(a)),
        };
        owned.iter().for_each(|id| drop(self.nodes.remove(id)));
        self.nodes.remove(&it.back);
        self.nodes.insert(it.front, joined);
        self.change(&mut |value| {
            if let Value::Ptr(ptr) = value
                && ptr.node == it.back
            {
                (ptr.node, ptr.end) = (it.front, End::Last);
            }
        });
        Some(())
    }

    /// A node as a segment of one element, with the nodes that go into it.
    pub(crate) fn part(
        &self,
        id: NodeId,
        next: Link,
        prev: Option<Link>,
        referrers: &Referrers,
    ) -> Option<(Segment, BTreeSet<NodeId>)> {
        if let Some(segment) = &self.nodes[&id].segment {
            return Some((segment.as_ref().clone(), BTreeSet::new()));
        }
        let links: Vec<u64> = [next.field].into_iter().chain(prev.map(|prev| prev.field)).collect();
        let (colour, owned) = colour_of(self, id, &links, referrers)?;
        let one = BTreeSet::from([0]);
        let segment = Segment {
            next,
            prev,
            least: 1,
            colours: vec![colour],
            first: one.clone(),
            last: one,
            pairs: BTreeSet::new(),
        };
        Some((segment, owned))
    }
}

/// Whether it is a link that leads out of the two.
fn is_link_out(it: &Junction, holder: Holder) -> bool {
    holder == Holder::Field(it.back, it.next.field)
        || it.prev.is_some_and(|prev| holder == Holder::Field(it.front, prev.field))
}

impl Segment {
    fn colour(&mut self, colour: Elem) -> usize {
        match self.colours.iter().position(|it| it.covers(&colour)) {
            Some(at) => at,
            None => {
                self.colours.push(colour);
                self.colours.len() - 1
            }
        }
    }

    /// The elements of another segment behind these.
    fn append(&mut self, other: Segment) {
        let names: Vec<usize> = other.colours.into_iter().map(|it| self.colour(it)).collect();
        self.pairs.extend(other.pairs.iter().map(|&(a, b)| (names[a], names[b])));
        for &last in &self.last {
            self.pairs.extend(other.first.iter().map(|&first| (last, names[first])));
        }
        self.last = other.last.iter().map(|&it| names[it]).collect();
        self.least = 2;
        self.order();
    }

    /// What is like one of the two.
    pub(crate) fn unite(&mut self, other: Segment) {
        let names: Vec<usize> = other.colours.into_iter().map(|it| self.colour(it)).collect();
        self.pairs.extend(other.pairs.iter().map(|&(a, b)| (names[a], names[b])));
        self.first.extend(other.first.iter().map(|&it| names[it]));
        self.last.extend(other.last.iter().map(|&it| names[it]));
        self.least = self.least.min(other.least);
        self.order();
        self.limit(MAX_COLOURS);
    }

    /// With too many colours, numbers in them are forgotten.
    fn limit(&mut self, most: usize) {
        if self.colours.len() > most {
            let colours: Vec<Elem> = self.colours.iter().map(Elem::without_numbers).collect();
            let mut merged = Segment { colours: Vec::new(), ..self.clone() };
            let names: Vec<usize> = colours.into_iter().map(|it| merged.colour(it)).collect();
            merged.rename(&names);
            *self = merged;
            self.order();
        }
    }

    fn rename(&mut self, names: &[usize]) {
        self.first = self.first.iter().map(|&it| names[it]).collect();
        self.last = self.last.iter().map(|&it| names[it]).collect();
        self.pairs = self.pairs.iter().map(|&(a, b)| (names[a], names[b])).collect();
    }

    /// Colours in an order of their own, so that equal segments look the same.
    fn order(&mut self) {
        let mut order: Vec<usize> = (0..self.colours.len()).collect();
        order.sort_by(|&a, &b| self.colours[a].cmp(&self.colours[b]));
        let mut names = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| names[old] = new);
        self.colours = order.iter().map(|&it| self.colours[it].clone()).collect();
        self.rename(&names);
    }
}
