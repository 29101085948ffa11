//! Values of formulas where the values of their variables are given.

use rustc_hash::FxHashMap;

use crate::aig::{Aig, Node, Term};

/// Values of nodes; variables that were given none are false.
#[derive(Clone, Default, Debug)]
pub struct Eval {
    known: FxHashMap<u32, bool>,
}

impl Eval {
    pub fn new() -> Self {
        Eval::default()
    }

    /// Gives a variable its value; must come before the first use.
    pub fn set(&mut self, input: Term, value: bool) {
        self.known.insert(input.node(), value != input.is_negated());
    }

    pub fn value(&mut self, aig: &Aig, term: Term) -> bool {
        let mut todo = vec![term.node()];
        while let Some(&node) = todo.last() {
            if self.known.contains_key(&node) {
                todo.pop();
                continue;
            }
            let value = match aig.node(node) {
                Node::False | Node::Input => false,
                Node::And(a, b) => match (self.get(a), self.get(b)) {
                    (Some(false), _) | (_, Some(false)) => false,
                    (Some(true), Some(true)) => true,
                    (known, _) => {
                        todo.push(if known.is_none() { a.node() } else { b.node() });
                        continue;
                    }
                },
            };
            self.known.insert(node, value);
            todo.pop();
        }
        self.known[&term.node()] != term.is_negated()
    }

    fn get(&self, term: Term) -> Option<bool> {
        self.known.get(&term.node()).map(|&value| value != term.is_negated())
    }
}
