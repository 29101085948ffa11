//! Whether every concrete state of one abstract state is one of another.
//!
//! The two graphs are gone through side by side from the registers on. Each node of the specific state is an instance of its own
//! in the general one: a node for a node, a segment for a node or a segment. Numbers of the general state
//! stand for one value each.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_cir::Ty;

use crate::elem::{Elem, Referrers, colour_of};
use crate::state::{Node, Segment, State};
use crate::value::{LOCAL, NodeId, SymId, Value};

#[derive(Clone)]
struct Match<'a> {
    general: &'a State,
    specific: &'a State,
    referrers: &'a Referrers,
    /// From the specific state to the general one, and back.
    nodes: BTreeMap<NodeId, NodeId>,
    back: BTreeMap<NodeId, NodeId>,
    numbers: BTreeMap<SymId, Value>,
    /// Nodes of the specific state that are the memory of an element.
    inside: BTreeSet<NodeId>,
    todo: Vec<(NodeId, NodeId)>,
    /// Whether the colours of segments may differ.
    is_lenient: bool,
}

/// Both stand at the same place of the program.
pub fn covers(general: &State, specific: &State) -> bool {
    let referrers = specific.referrers();
    let mut it = Match::new(general, specific, &referrers, false);
    it.roots() && it.graph() && it.rest()
}

/// A state that covers both, if they differ in the colours of segments only.
pub fn united(general: &State, specific: &State) -> Option<State> {
    let referrers = specific.referrers();
    let mut it = Match::new(general, specific, &referrers, true);
    if !(it.roots() && it.graph() && it.rest()) {
        return None;
    }
    let mut state = general.clone();
    for (s, g) in &it.nodes {
        let Some(segment) = state.nodes.get_mut(g).and_then(|it| it.segment.as_mut()) else {
            continue;
        };
        let (mut other, _) = specific.part(*s, segment.next, segment.prev, &referrers)?;
        let mut is_known = true;
        for colour in &mut other.colours {
            colour.change(&mut |value| {
                if let Value::Ptr(ptr) = value
                    && ptr.node < LOCAL
                {
                    let known = it.nodes.get(&ptr.node);
                    is_known &= known.is_some();
                    ptr.node = known.copied().unwrap_or(ptr.node);
                }
            });
        }
        // What one element alone points to is lost where it may be another one.
        let is_new = |it: &Elem| {
            it.tells_apart(general) && !segment.colours.iter().any(|known| known.covers(it))
        };
        if !is_known || other.colours.iter().any(is_new) {
            return None;
        }
        segment.unite(other);
    }
    // Soundness: whatever was done, it is looked at again.
    (covers(&state, specific) && covers(&state, general)).then_some(state)
}

impl<'a> Match<'a> {
    fn new(
        general: &'a State,
        specific: &'a State,
        referrers: &'a Referrers,
        is_lenient: bool,
    ) -> Self {
        Match {
            general,
            specific,
            referrers,
            nodes: BTreeMap::new(),
            back: BTreeMap::new(),
            numbers: BTreeMap::new(),
            inside: BTreeSet::new(),
            todo: Vec::new(),
            is_lenient,
        }
    }

    fn roots(&mut self) -> bool {
        let (general, specific) = (self.general, self.specific);
        let any = Value::Any;
        let registers = |it: &mut Self, g: &BTreeMap<_, Value>, s: &BTreeMap<_, Value>| {
            g.iter().all(|(var, &value)| it.value(value, *s.get(var).unwrap_or(&any)))
        };
        if general.frames.len() != specific.frames.len()
            || !registers(self, &general.globals, &specific.globals)
            || !self.objects(&general.statics, &specific.statics)
        {
            return false;
        }
        general.frames.iter().zip(&specific.frames).all(|(g, s)| {
            (g.func, g.block, g.at) == (s.func, s.block, s.at)
                && g.result == s.result
                && registers(self, &g.registers, &s.registers)
                && self.objects(&g.objects, &s.objects)
        })
    }

    fn objects<K: Ord>(&mut self, g: &BTreeMap<K, NodeId>, s: &BTreeMap<K, NodeId>) -> bool {
        g.len() == s.len()
            && g.iter().all(|(object, &node)| s.get(object).is_some_and(|&it| self.pair(node, it)))
    }

    fn pair(&mut self, g: NodeId, s: NodeId) -> bool {
        match (self.nodes.get(&s), self.back.get(&g)) {
            (Some(&known), _) => known == g,
            (None, Some(_)) => false,
            (None, None) => {
                self.nodes.insert(s, g);
                self.back.insert(g, s);
                self.todo.push((g, s));
                true
            }
        }
    }

    fn value(&mut self, g: Value, s: Value) -> bool {
        match (g, s) {
            (Value::Any, _) => true,
            (Value::Int(_) | Value::Func(_), _) => g == s,
            (Value::Sym(sym), Value::Int(_) | Value::Sym(_)) => {
                let Some(bounds) = self.general.bounds.get(&sym) else { return false };
                let fits = match s {
                    Value::Int(it) => bounds.allows(it),
                    Value::Sym(it) => {
                        self.specific.bounds.get(&it).is_some_and(|it| bounds.covers(it))
                    }
                    _ => false,
                };
                fits && *self.numbers.entry(sym).or_insert(s) == s
            }
            (Value::Ptr(g), Value::Ptr(s)) => {
                if g.offset != s.offset {
                    return false;
                }
                if g.node >= LOCAL || s.node >= LOCAL {
                    return g == s;
                }
                let is_segment = |state: &State, id| {
                    state.nodes.get(&id).is_some_and(|it: &Node| it.segment.is_some())
                };
                let ends = g.end == s.end || !is_segment(self.specific, s.node);
                ends && self.pair(g.node, s.node)
            }
            _ => false,
        }
    }

    fn graph(&mut self) -> bool {
        while let Some((g, s)) = self.todo.pop() {
            let (Some(general), Some(specific)) =
                (self.general.nodes.get(&g), self.specific.nodes.get(&s))
            else {
                return false;
            };
            let fits = match (&general.segment, &specific.segment) {
                (Some(segment), None) if specific.is_alive => {
                    self.one_of(general, segment, specific, s)
                }
                _ => self.node(general, specific),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn is_alike(g: &Node, s: &Node) -> bool {
        (g.size, g.is_heap, g.is_const, g.is_alive) == (s.size, s.is_heap, s.is_const, s.is_alive)
    }

    fn node(&mut self, g: &Node, s: &Node) -> bool {
        if !Self::is_alike(g, s) {
            return false;
        }
        if !g.is_alive {
            return true;
        }
        match (&g.segment, &s.segment) {
            (None, None) => self.fields(g.is_zero, &g.fields, s.is_zero, &s.fields),
            (Some(a), Some(b)) => {
                self.fields(g.is_zero, &g.fields, s.is_zero, &s.fields) && self.segment(a, b)
            }
            _ => false,
        }
    }

    /// What no field tells of may be anything, or is zero.
    fn fields(
        &mut self,
        g_is_zero: bool,
        g: &BTreeMap<u64, (Ty, Value)>,
        s_is_zero: bool,
        s: &BTreeMap<u64, (Ty, Value)>,
    ) -> bool {
        if g_is_zero && (!s_is_zero || s.keys().any(|it| !g.contains_key(it))) {
            return false;
        }
        g.iter().all(|(offset, &(ty, value))| match s.get(offset) {
            Some(&(theirs, it)) => ty == theirs && self.value(value, it),
            None => value == Value::Any,
        })
    }

    /// A segment for a segment: its colours, and which may follow which.
    fn segment(&mut self, g: &Segment, s: &Segment) -> bool {
        if (g.next, g.prev) != (s.next, s.prev) {
            return false;
        }
        if self.is_lenient {
            return true;
        }
        if g.least > s.least {
            return false;
        }
        let mut names = Vec::new();
        for colour in &s.colours {
            let Some(name) = (0..g.colours.len()).find(|&it| self.tries(&g.colours[it], colour))
            else {
                return false;
            };
            names.push(name);
        }
        s.first.iter().all(|&it| g.first.contains(&names[it]))
            && s.last.iter().all(|&it| g.last.contains(&names[it]))
            && s.pairs.iter().all(|&(a, b)| g.pairs.contains(&(names[a], names[b])))
    }

    /// A segment for a node.
    fn one_of(&mut self, g: &Node, segment: &Segment, s: &Node, id: NodeId) -> bool {
        if !Self::is_alike(g, s) {
            return false;
        }
        let links: Vec<u64> =
            [segment.next.field].into_iter().chain(segment.prev.map(|it| it.field)).collect();
        for link in &links {
            let Some(theirs) = s.link(*link, self.specific.ptr_bits) else { return false };
            let mine = g.fields.get(link).map_or(Value::Any, |it| it.1);
            if !self.value(mine, theirs) {
                return false;
            }
        }
        let Some((colour, owned)) = colour_of(self.specific, id, &links, self.referrers) else {
            return false;
        };
        self.inside.extend(owned);
        if self.is_lenient {
            return true;
        }
        if segment.least > 1 {
            return false;
        }
        let both = segment.first.intersection(&segment.last);
        both.copied().any(|it| self.tries(&segment.colours[it], &colour))
    }

    /// Whether a colour covers another; what that pairs is kept only if it does.
    fn tries(&mut self, g: &Elem, s: &Elem) -> bool {
        let mut trial = self.clone();
        let fits = trial.elem(g, s);
        if fits {
            *self = trial;
        }
        fits
    }

    fn elem(&mut self, g: &Elem, s: &Elem) -> bool {
        g.height == s.height
            && g.inner.len() == s.inner.len()
            && self.fields(g.is_zero, &g.fields, s.is_zero, &s.fields)
            && g.inner.iter().zip(&s.inner).all(|(a, b)| a.0 == b.0 && self.node(a.1, b.1))
    }

    /// Live memory of the heap that was not gone through must be allowed for.
    fn rest(&self) -> bool {
        let is_missing = |(id, node): (&NodeId, &Node)| {
            node.is_heap
                && node.is_alive
                && !self.nodes.contains_key(id)
                && !self.inside.contains(id)
        };
        self.general.has_lost
            || !self.specific.has_lost && !self.specific.nodes.iter().any(is_missing)
    }
}
