//! A graph in a solver, node by node as it is needed (Tseitin).

use rustc_hash::FxHashMap;

use crate::aig::{Aig, Node, Term};
use crate::solver::{Lit, Solver};

/// A solver and the literals of the nodes it knows.
pub struct Encoder<S> {
    pub solver: S,
    literals: FxHashMap<u32, Lit>,
}

impl<S: Solver> Encoder<S> {
    pub fn new(mut solver: S) -> Self {
        let falsity = solver.new_var();
        solver.add_clause(&[!falsity]);
        Encoder { solver, literals: FxHashMap::from_iter([(0, falsity)]) }
    }

    pub fn n_encoded(&self) -> usize {
        self.literals.len()
    }

    /// The literal of a term, whose cone is encoded as far as it was not.
    pub fn lit(&mut self, aig: &Aig, term: Term) -> Lit {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.literals.contains_key(&node) {
                todo.pop();
                continue;
            }
            let literal = match aig.node(node) {
                Node::False => unreachable!("the constant is always encoded"),
                Node::Input => self.solver.new_var(),
                Node::And(a, b) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => self.and(a, b),
                    (known, _) => {
                        todo.push(if known.is_none() { a.node() } else { b.node() });
                        continue;
                    }
                },
            };
            self.literals.insert(node, literal);
            todo.pop();
        }
        self.literals[&term.node()].signed(!term.is_negated())
    }

    /// The literal of a term, if it is encoded.
    pub fn known(&self, term: Term) -> Option<Lit> {
        self.literals.get(&term.node()).map(|lit| lit.signed(!term.is_negated()))
    }

    /// The term holds from now on.
    pub fn assert(&mut self, aig: &Aig, term: Term) {
        for conjunct in aig.conjuncts(term) {
            let literal = self.lit(aig, conjunct);
            self.solver.add_clause(&[literal]);
        }
    }

    /// The value of a variable in the last model; false if the solver does not know it.
    pub fn input_value(&self, input: Term) -> bool {
        self.known(input).is_some_and(|lit| self.solver.value(lit))
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.solver.new_var();
        self.solver.add_clause(&[!both, a]);
        self.solver.add_clause(&[!both, b]);
        self.solver.add_clause(&[both, !a, !b]);
        both
    }
}
