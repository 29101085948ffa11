//! And-inverter graphs: formulas of conjunction and negation, equal ones stored once.
//!
//! A [`Term`] is a node with a sign. Operands have smaller numbers than their conjunction, so every
//! walk is a loop over sorted nodes, whatever the depth. Conjunctions are simplified by the rules
//! that need to look no further than the operands of the operands (Brummayer and Biere, "Local
//! two-level and-inverter graph minimization without blowup", MEMICS 2006).

use hardbop_base::fault::{Fault, is_on};
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of the graph or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(1);

    pub fn constant(value: bool) -> Self {
        if value { Term::TRUE } else { Term::FALSE }
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Term::TRUE)
    }

    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The term itself, or its negation if `negated`.
    pub fn negated_if(self, negated: bool) -> Self {
        Term(self.0 ^ u32::from(negated))
    }

    /// The node itself, not negated.
    pub fn of_node(node: u32) -> Self {
        Term(node << 1)
    }
}

impl std::ops::Not for Term {
    type Output = Term;
    fn not(self) -> Term {
        Term(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}n{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Node 0, false.
    False,
    Input,
    And(Term, Term),
}

/// An and-inverter graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    ands: FxHashMap<(Term, Term), u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Aig { nodes: vec![Node::False], ands: FxHashMap::default() }
    }
}

/// More than any run can hold in memory; keeps the sign bit free.
const MAX_NODES: usize = 1 << 31;

impl Aig {
    /// A new variable.
    pub fn input(&mut self) -> Term {
        Term::of_node(self.push(Node::Input))
    }

    pub fn inputs(&mut self, n: usize) -> Vec<Term> {
        (0..n).map(|_| self.input()).collect()
    }

    pub fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    /// Whether the term is a variable or its negation.
    pub fn is_input(&self, term: Term) -> bool {
        self.node(term.node()) == Node::Input
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(simple) = self.simplified(a, b) {
            return simple;
        }
        if let Some(&node) = self.ands.get(&(a, b)) {
            return Term::of_node(node);
        }
        let node = self.push(Node::And(a, b));
        self.ands.insert((a, b), node);
        Term::of_node(node)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        !self.and(!a, !b)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        !self.and(a, !b)
    }

    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        if let Some(value) = a.as_constant() {
            return b.negated_if(!value);
        }
        if let Some(value) = b.as_constant() {
            return a.negated_if(!value);
        }
        if a.node() == b.node() {
            return Term::constant(a == b);
        }
        // One form for all four signs, so that equal functions are equal terms.
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (Term::of_node(a.node()), Term::of_node(b.node()));
        let (forth, back) = (self.implies(a, b), self.implies(b, a));
        self.and(forth, back).negated_if(flip)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        !self.iff(a, b)
    }

    /// If `c` then `a` else `b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        match (c.as_constant(), a.as_constant(), b.as_constant()) {
            (Some(true), _, _) => return a,
            (Some(false), _, _) => return b,
            (_, Some(true), _) => return self.or(c, b),
            (_, Some(false), _) => return self.and(!c, b),
            (_, _, Some(true)) => return self.or(!c, a),
            (_, _, Some(false)) => return self.and(c, a),
            _ => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.iff(c, a);
        }
        if c.node() == a.node() {
            return if c == a { self.or(c, b) } else { self.and(!c, b) };
        }
        if c.node() == b.node() {
            return if c == b { self.and(c, a) } else { self.or(!c, a) };
        }
        let (then, otherwise) = (self.and(c, a), self.and(!c, b));
        self.or(then, otherwise)
    }

    /// The conjunction, as a balanced tree.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        while terms.len() > 1 {
            terms = terms
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        terms.first().copied().unwrap_or(Term::TRUE)
    }

    /// The disjunction, as a balanced tree.
    pub fn any(&mut self, terms: &[Term]) -> Term {
        let negated: Vec<Term> = terms.iter().map(|&term| !term).collect();
        !self.all(&negated)
    }

    /// Whether two vectors of the same length are equal.
    pub fn equal(&mut self, a: &[Term], b: &[Term]) -> Term {
        debug_assert_eq!(a.len(), b.len());
        let bits: Vec<Term> = a.iter().zip(b).map(|(&a, &b)| self.iff(a, b)).collect();
        self.all(&bits)
    }

    /// The nodes the terms rest on, operands first.
    pub fn cone(&self, terms: &[Term]) -> Vec<u32> {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<u32> = terms.iter().map(|term| term.node()).collect();
        let mut cone = Vec::new();
        while let Some(node) = todo.pop() {
            if !seen.insert(node) {
                continue;
            }
            cone.push(node);
            if let Node::And(a, b) = self.node(node) {
                todo.extend([a.node(), b.node()]);
            }
        }
        cone.sort_unstable();
        cone
    }

    /// The conjuncts of a term: it is taken apart as far as conjunctions are not negated.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let (mut todo, mut conjuncts) = (vec![term], Vec::new());
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term.node()) {
                Node::And(a, b) if !term.is_negated() => todo.extend([b, a]),
                _ => conjuncts.push(term),
            }
        }
        conjuncts
    }

    fn push(&mut self, node: Node) -> u32 {
        assert!(self.nodes.len() < MAX_NODES, "more than 2^31 nodes of a formula");
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn operands(&self, term: Term) -> Option<(Term, Term)> {
        match self.node(term.node()) {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// An existing term equal to the conjunction, if the rules find one.
    fn simplified(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == Term::FALSE || a == !b {
            return Some(Term::FALSE);
        }
        if a == Term::TRUE || a == b {
            return Some(b);
        }
        self.absorbed(a, b).or_else(|| self.absorbed(b, a)).or_else(|| self.both(a, b))
    }

    /// Rules for `a` with the operands of `b`.
    fn absorbed(&mut self, a: Term, b: Term) -> Option<Term> {
        let (x, y) = self.operands(b)?;
        if b.is_negated() {
            // a & !(x & y)
            if a == !x || a == !y {
                return Some(a);
            }
            if a == x && is_on(Fault::GateAbsorbed) {
                return Some(self.and(a, y));
            }
            if a == x {
                return Some(self.and(a, !y));
            }
            if a == y {
                return Some(self.and(a, !x));
            }
            None
        } else if a == x || a == y {
            Some(b)
        } else if a == !x || a == !y {
            Some(Term::FALSE)
        } else {
            None
        }
    }

    /// Rules for the operands of both.
    fn both(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((u, v), (x, y)) = (self.operands(a)?, self.operands(b)?);
        match (a.is_negated(), b.is_negated()) {
            (false, false) => (u == !x || u == !y || v == !x || v == !y).then_some(Term::FALSE),
            // u & v & !(x & y)
            (false, true) if u == !x || u == !y || v == !x || v == !y => Some(a),
            (false, true) if u == x || v == x => Some(self.and(a, !y)),
            (false, true) if u == y || v == y => Some(self.and(a, !x)),
            (true, false) if x == !u || x == !v || y == !u || y == !v => Some(b),
            (true, false) if x == u || y == u => Some(self.and(b, !v)),
            (true, false) if x == v || y == v => Some(self.and(b, !u)),
            // !(u & v) & !(u & !v) is !u
            (true, true) => {
                if u == x && v == !y || u == y && v == !x {
                    Some(!u)
                } else if v == x && u == !y || v == y && u == !x {
                    Some(!v)
                } else {
                    None
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aig, Term};
    use crate::eval::Eval;

    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as usize
    }

    /// Every operation means what it says, for all values of the variables.
    #[test]
    fn simplification_keeps_the_meaning() {
        let n = 4;
        let mut seed = 3;
        for _ in 0..200 {
            let mut aig = Aig::default();
            let mut terms: Vec<(Term, u16)> = vec![(Term::FALSE, 0), (Term::TRUE, u16::MAX)];
            let columns = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
            let inputs = aig.inputs(n);
            terms.extend(inputs.iter().copied().zip(columns));
            for _ in 0..40 {
                let mut pick = || {
                    let (term, table) = terms[next(&mut seed) % terms.len()];
                    if next(&mut seed).is_multiple_of(2) { (term, table) } else { (!term, !table) }
                };
                let (a, b, c) = (pick(), pick(), pick());
                let made = match next(&mut seed) % 5 {
                    0 => (aig.and(a.0, b.0), a.1 & b.1),
                    1 => (aig.or(a.0, b.0), a.1 | b.1),
                    2 => (aig.xor(a.0, b.0), a.1 ^ b.1),
                    3 => (aig.ite(c.0, a.0, b.0), c.1 & a.1 | !c.1 & b.1),
                    _ => (aig.all(&[a.0, b.0, c.0]), a.1 & b.1 & c.1),
                };
                terms.push(made);
            }
            for row in 0..16 {
                let mut eval = Eval::new();
                for (i, &input) in inputs.iter().enumerate() {
                    eval.set(input, row >> i & 1 == 1);
                }
                for &(term, table) in &terms {
                    assert_eq!(eval.value(&aig, term), table >> row & 1 == 1);
                }
            }
        }
    }

    #[test]
    fn a_deep_graph_is_walked_without_recursion() {
        let mut aig = Aig::default();
        let mut term = aig.input();
        for _ in 0..300_000 {
            let input = aig.input();
            term = aig.xor(term, input);
        }
        assert!(aig.cone(&[term]).len() > 900_000);
        assert!(!Eval::new().value(&aig, term));
    }
}
