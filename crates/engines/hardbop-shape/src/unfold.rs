//! An element at the end of a segment becomes a node of its own.

use std::collections::BTreeSet;

use hardbop_cir::Ty;

use crate::elem::Elem;
use crate::state::{Link, Segment, State};
use crate::value::{End, NodeId, Ptr, Value};

impl State {
    /// The cases: for each colour the element may have, it is the only one, or there are others.
    pub fn unfold(&self, id: NodeId, end: End) -> Vec<State> {
        let Some(segment) = self.nodes[&id].segment.as_deref() else { return vec![self.clone()] };
        let mut cases = Vec::new();
        let (mine, others) = match end {
            End::First => (&segment.first, &segment.last),
            End::Last => (&segment.last, &segment.first),
        };
        for &colour in mine {
            if segment.least == 1 && others.contains(&colour) {
                cases.push(self.alone(id, &segment.colours[colour]));
            }
            let neighbours: BTreeSet<usize> = segment
                .pairs
                .iter()
                .filter_map(|&(a, b)| match end {
                    End::First => (a == colour).then_some(b),
                    End::Last => (b == colour).then_some(a),
                })
                .collect();
            let rest = match end {
                End::First => Segment { least: 1, first: neighbours, ..segment.clone() },
                End::Last => Segment { least: 1, last: neighbours, ..segment.clone() },
            };
            if let Some(rest) = rest.trimmed() {
                cases.push(self.split(id, colour, rest, end));
            }
        }
        cases
    }

    /// The segment is this one element.
    fn alone(&self, id: NodeId, colour: &Elem) -> State {
        let mut state = self.clone();
        state.change(&mut |value| {
            if let Value::Ptr(ptr) = value
                && ptr.node == id
            {
                ptr.end = End::First;
            }
        });
        state.nodes.get_mut(&id).expect("the segment is there").segment = None;
        colour.put(&mut state, id);
        state
    }

    /// The element at the end, which gets a new name, and the rest.
    fn split(&self, id: NodeId, colour: usize, rest: Segment, end: End) -> State {
        let mut state = self.clone();
        let one = state.next_node;
        state.next_node += 1;
        state.change(&mut |value| {
            if let Value::Ptr(ptr) = value
                && ptr.node == id
                && ptr.end == end
            {
                (ptr.node, ptr.end) = (one, End::First);
            }
        });
        let (next, prev) = (rest.next, rest.prev);
        let pointer =
            |node, end, link: Link| (Ty::Ptr, Value::Ptr(Ptr { node, end, offset: link.target }));
        let mut node = state.nodes[&id].clone();
        let many = state.nodes.get_mut(&id).expect("the segment is there");
        let segment = node.segment.take().expect("it is a segment");
        many.segment = Some(Box::new(rest));
        let (front, back, ahead, behind) = match end {
            End::First => (&mut node, many, (id, End::First), (one, End::First)),
            End::Last => (many, &mut node, (one, End::First), (id, End::Last)),
        };
        front.fields.insert(next.field, pointer(ahead.0, ahead.1, next));
        if let Some(prev) = prev {
            back.fields.insert(prev.field, pointer(behind.0, behind.1, prev));
        }
        state.nodes.insert(one, node);
        segment.colours[colour].put(&mut state, one);
        state
    }
}

impl Segment {
    /// Without colours that no way from the first to the last element comes to; `None` if there is no way.
    pub fn trimmed(mut self) -> Option<Segment> {
        let closure = |from: &BTreeSet<usize>, pairs: &[(usize, usize)]| {
            let mut reached = from.clone();
            loop {
                let more: Vec<usize> = pairs
                    .iter()
                    .filter(|it| reached.contains(&it.0) && !reached.contains(&it.1))
                    .map(|it| it.1)
                    .collect();
                if more.is_empty() {
                    return reached;
                }
                reached.extend(more);
            }
        };
        let ahead: Vec<(usize, usize)> = self.pairs.iter().copied().collect();
        let back: Vec<(usize, usize)> = ahead.iter().map(|&(a, b)| (b, a)).collect();
        let (forward, backward) = (closure(&self.first, &ahead), closure(&self.last, &back));
        let used: Vec<usize> = forward.intersection(&backward).copied().collect();
        let name = |old: usize| used.iter().position(|&it| it == old);
        self.first = self.first.iter().filter_map(|&it| name(it)).collect();
        self.last = self.last.iter().filter_map(|&it| name(it)).collect();
        self.pairs = self.pairs.iter().filter_map(|&(a, b)| Some((name(a)?, name(b)?))).collect();
        self.colours = used.iter().map(|&it| self.colours[it].clone()).collect();
        (!self.first.is_empty() && !self.last.is_empty()).then_some(self)
    }
}
